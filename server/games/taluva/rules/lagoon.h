/*
 * §4a. Water that land encloses. Judged on the table, so levels do not matter here.
 */
#ifndef RULES_LAGOON_H
#define RULES_LAGOON_H

#include "map.h"

/* All water that cannot reach the open sea. */
void rules_lagoons(const struct rules_map *map, struct rules_bits *out);

/* The water of lagoons that hold a boat: closed to tiles. */
void rules_lagoons_closed(const struct rules_map *map, const struct taluva *game,
                          struct rules_bits *out);

/* Whether this water, where a tile of n hexes would lie, belongs to a lagoon that holds a boat. */
bool rules_lagoon_is_closed(const struct taluva *game, int q, int r, unsigned n);

/* Lagoons in which a seat may place a boat now, each by the bit of its name. */
struct rules_boat_places {
    struct rules_map map;
    struct rules_bits names;
    unsigned n;
};

void rules_boat_places_init(struct rules_boat_places *places, const struct taluva *game,
                            unsigned seat);
bool rules_boat_places_has(const struct rules_boat_places *places, struct taluva_hex name);

/* The boat in the lagoon of this name, or NULL. */
const struct taluva_boat *rules_boat_in(const struct taluva *game, struct taluva_hex lagoon);

#endif
