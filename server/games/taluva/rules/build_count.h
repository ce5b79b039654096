/*
 * Counts the builds that a seat would have after a placement, for many placements, without making
 * each of them.
 *
 * A tile on the table changes little: its fields can take a hut if nothing of the seat's stands
 * beside them, or a temple, and they enlarge the expansions of settlements beside them, so that
 * some become possible and others too expensive. All other fields keep the builds they had. So the
 * count after a placement is the count before it and a difference that depends on six or seven
 * hexes. Boats depend on more: a tile can close a lagoon or fill one. For them, and for eruptions,
 * the placement is made on a copy.
 */
#ifndef RULES_BUILD_COUNT_H
#define RULES_BUILD_COUNT_H

#include "map.h"
#include "survey.h"

struct rules_build_count {
    const struct taluva *game;
    unsigned seat;
    unsigned n_huts;   /* single huts possible now */
    unsigned n_fields; /* huts, towers, temples possible now */
    unsigned n_boats;
    unsigned n_builds;   /* all builds possible now */
    uint32_t for_temple; /* settlements to which a temple could be added */
    bool sails;          /* boats are in reserve: nothing is quick */
    struct rules_survey survey;
    struct rules_map map;
    struct rules_bits shore;   /* hexes with a building of the seat beside them */
    struct rules_bits lagoons; /* if it sails */
    struct taluva trial;       /* a copy to try tiles on; always as `game` between calls */
};

void rules_build_count_init(struct rules_build_count *counter, const struct taluva *game,
                            unsigned seat);

/* Builds possible after a placement that fits. */
unsigned rules_build_count_after(struct rules_build_count *counter,
                                 const struct taluva_placement *placement);

/* Builds possible after a tile on the table whose fields all lie off shore; not if it sails. */
static inline unsigned rules_build_count_off_shore(const struct rules_build_count *counter,
                                                   unsigned n_fields)
{
    const bool huts = counter->game->reserve[counter->seat][TALUVA_HUT] > 0;
    return counter->n_builds + (huts ? n_fields : 0);
}

/* Whether the count after this placement would be 0. */
bool rules_build_count_is_dead_end(struct rules_build_count *counter,
                                   const struct taluva_placement *placement);

#endif
