/*
 * Counts the builds that a seat would have after a placement, for many placements, without making
 * each of them.
 *
 * A tile on the table changes few builds: on its fields a hut or a temple may become possible, and
 * expansions of settlements beside them grow, so that some become possible and others too
 * expensive. All other builds stay as they were. So the count after a placement is the count before
 * it plus a difference that depends on six or seven hexes. Boats depend on more hexes, as a tile
 * can close a lagoon or fill one. For boats and eruptions the placement is made on a copy.
 */
#ifndef RULES_BUILD_COUNT_H
#define RULES_BUILD_COUNT_H

#include "map.h"
#include "settlements.h"

struct rules_build_count {
    const struct taluva *game;
    unsigned seat;
    unsigned n_huts;   /* single huts possible now */
    unsigned n_fields; /* huts, towers, temples possible now */
    unsigned n_boats;
    unsigned n_builds;   /* all builds possible now */
    uint32_t for_temple; /* settlements to which a temple could be added */
    bool has_boats;      /* boats are in reserve: builds are counted on a copy */
    struct rules_settlements settlements;
    struct rules_map map;
    struct rules_bits near_own; /* hexes with a building of the seat beside them */
    struct rules_bits lagoons;  /* only if has_boats */
    struct taluva copy;         /* of `game`, to try tiles on; equal to it between calls */
};

void rules_build_count_init(struct rules_build_count *counter, const struct taluva *game,
                            unsigned seat);

/* Builds possible after a placement that fits. */
unsigned rules_build_count_after(struct rules_build_count *counter,
                                 const struct taluva_placement *placement);

/* Builds possible after a tile on the table none of whose fields is in near_own; not if has_boats.
 */
static inline unsigned rules_build_count_far_from_own(const struct rules_build_count *counter,
                                                      unsigned n_fields)
{
    const bool huts = counter->game->reserve[counter->seat][TALUVA_HUT] > 0;
    return counter->n_builds + (huts ? n_fields : 0);
}

/* Whether the count after this placement would be 0. */
bool rules_build_count_is_dead_end(struct rules_build_count *counter,
                                   const struct taluva_placement *placement);

#endif
