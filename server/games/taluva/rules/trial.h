/*
 * Putting tiles onto the island: for good by a command, or for a moment to see what would come of
 * it.
 */
#ifndef RULES_TRIAL_H
#define RULES_TRIAL_H

#include "tile.h"

/* What a tile covered, enough to take it up again. */
struct rules_covered {
    uint8_t n;
    bool on_table; /* the cells are new and the youngest */
    uint8_t index[3];
    struct taluva_cell cells[3];
};

/* Lays a tile that fits. Nothing but the island changes. */
void rules_lay(struct taluva *game, const struct taluva_placement *placement,
               struct rules_covered *covered);

/* Takes the tile laid last up again. */
void rules_lift(struct taluva *game, const struct rules_covered *covered);

/* Whether the seat would have nothing to build after this placement, which fits. */
bool rules_is_dead_end(const struct taluva *game, unsigned seat,
                       const struct taluva_placement *placement);

#endif
