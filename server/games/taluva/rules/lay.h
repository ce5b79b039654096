/*
 * Laying tiles on the island, and lifting them again when a placement was only tried.
 */
#ifndef RULES_LAY_H
#define RULES_LAY_H

#include "tile.h"

/* What a tile covered, enough to lift it again. */
struct rules_covered {
    uint8_t n;
    bool on_table; /* the cells were added by this tile, last of all */
    uint8_t index[3];
    struct taluva_cell cells[3];
};

/* Lays a tile that fits. Nothing but the island changes. */
void rules_lay(struct taluva *game, const struct taluva_placement *placement,
               struct rules_covered *covered);

/* Undoes the last rules_lay. */
void rules_lift(struct taluva *game, const struct rules_covered *covered);

/* Whether the seat would have nothing to build after this placement, which fits. */
bool rules_is_dead_end(const struct taluva *game, unsigned seat,
                       const struct taluva_placement *placement);

#endif
