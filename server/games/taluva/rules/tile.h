/*
 * What is printed on a tile. 2-Hex tiles are tiles like the others, with two hexes.
 */
#ifndef RULES_TILE_H
#define RULES_TILE_H

#include "grid.h"

/* The `facing` of a cell made of hex i of the tile turned towards k; 0 for a field. */
unsigned rules_tile_facing(taluva_tile tile, unsigned i, unsigned k);

/* 2VV and 2JJ: turned by half they are the same placement, so only 0..2 is written. */
static inline bool rules_tile_is_symmetric(taluva_tile tile)
{
    return tile == TALUVA_TILE_2JJ || tile == TALUVA_TILE_2VV;
}

static inline unsigned rules_tile_turns(taluva_tile tile)
{
    return rules_tile_is_symmetric(tile) ? 3 : 6;
}

#endif
