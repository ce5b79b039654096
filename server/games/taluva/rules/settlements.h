/*
 * §2c. One seat's settlements and the free fields beside them. They are found anew for each
 * question and not stored with the island, so an eruption has nothing to update.
 *
 * Settlements are numbered in no particular order; a set of them is a bit set, as a seat has no
 * more than 25 pieces to put on the island.
 */
#ifndef RULES_SETTLEMENTS_H
#define RULES_SETTLEMENTS_H

#include "grid.h"

enum { SETTLEMENTS_MAX = 25, TERRAINS = 5 };

struct rules_settlements {
    uint8_t n;
    uint32_t with_tower, with_temple, large; /* sets; large: three hexes or more */
    uint8_t first[SETTLEMENTS_MAX];          /* the cell that names it */
    uint8_t size[SETTLEMENTS_MAX];
    /* Huts that an expansion costs; 0 if there is nothing to expand over. */
    uint16_t cost[SETTLEMENTS_MAX][TERRAINS];
    uint8_t of[TALUVA_HEXES_MAX];      /* cell of the seat -> its settlement; others 0 */
    uint32_t beside[TALUVA_HEXES_MAX]; /* free field -> settlements beside it; others 0 */
};

void rules_settlements_init(struct rules_settlements *settlements, const struct taluva *game,
                            unsigned seat);

/* Settlements beside a hex that may be table. */
uint32_t rules_settlements_beside(const struct rules_settlements *settlements,
                                  const struct taluva *game, unsigned seat, int q, int r);

static inline bool rules_is_free_field(const struct taluva_cell *cell)
{
    return cell->owner == TALUVA_NO_SEAT && cell->terrain != TALUVA_VOLCANO;
}

/* Whether a building of the seat stands beside a cell. */
static inline bool rules_is_beside_own(const struct taluva *game, unsigned cell, unsigned seat)
{
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = game->near[cell][d];
        if (other != TALUVA_NO_CELL && game->cells[other].owner == seat)
            return true;
    }
    return false;
}

#endif
