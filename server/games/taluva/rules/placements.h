/*
 * Where tiles fit, all places at once.
 */
#ifndef RULES_PLACEMENTS_H
#define RULES_PLACEMENTS_H

#include "map.h"

/*
 * fits[k] holds the bits of the hexes where the tile's first hex may lie, turned towards k. An
 * eruption's bit is land, an extension's water.
 */
struct rules_places {
    struct rules_map map;
    struct rules_bits fits[6];
};

void rules_places_init(struct rules_places *places, const struct taluva *game, taluva_tile tile);

/* Whether there is any. Without a board there always is. */
bool rules_fits_somewhere(const struct taluva *game, taluva_tile tile);

#endif
