/*
 * What a seat could build after each of many placements, without making each of them.
 *
 * A tile on the table changes little: its fields take a hut where nothing of the seat's stands
 * beside them, or a temple, and make the expansions of settlements beside them larger, so that some
 * become possible and others too dear. The fields of old keep what they had. So the count after it
 * is the count before and a difference that six or seven hexes decide. Only boats look further: a
 * tile can close a lagoon or fill one. An eruption is tried out.
 */
#ifndef RULES_OUTLOOK_H
#define RULES_OUTLOOK_H

#include "map.h"
#include "survey.h"

struct rules_outlook {
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

void rules_outlook_init(struct rules_outlook *outlook, const struct taluva *game, unsigned seat);

/* Builds possible after a placement that fits. */
unsigned rules_outlook_count(struct rules_outlook *outlook,
                             const struct taluva_placement *placement);

/* Builds possible after a tile on the table whose fields all lie off shore; not if it sails. */
static inline unsigned rules_outlook_off_shore(const struct rules_outlook *outlook,
                                               unsigned n_fields)
{
    const bool huts = outlook->game->reserve[outlook->seat][TALUVA_HUT] > 0;
    return outlook->n_builds + (huts ? n_fields : 0);
}

/* Whether the count after this placement would be 0. */
bool rules_outlook_is_dead_end(struct rules_outlook *outlook,
                               const struct taluva_placement *placement);

#endif
