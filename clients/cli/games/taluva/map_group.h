/*
 * Hexes of a map that hang together: settlements and lagoons.
 */
#ifndef CLI_TALUVA_MAP_GROUP_H
#define CLI_TALUVA_MAP_GROUP_H

#include "map.h"

/* Do two neighbours belong together? */
typedef bool map_same_fn(const struct map_hex *, const struct map_hex *);

bool map_same_settlement(const struct map_hex *a, const struct map_hex *b);
bool map_same_lagoon(const struct map_hex *a, const struct map_hex *b);

/*
 * For each hex of the map, in its order: does it hang together with this one? The caller frees it;
 * NULL if memory ran out. Nothing does if the hex is no part of such a thing.
 */
bool *map_group(const struct map *map, struct map_at from, map_same_fn *same);

/* The smallest hex, by q and then r, of the group; the hex itself if it is no part of one. */
struct map_at map_group_first(const struct map *map, struct map_at from, map_same_fn *same);

#endif
