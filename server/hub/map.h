/*
 * Pointers by a 64-bit key: a table (base/table.h) that is all zeros when it is empty.
 *
 * Several values may have the same key; `map_find` walks them. Keys that clients can choose must be
 * hashed with a secret before they are used here.
 */
#ifndef HUB_MAP_H
#define HUB_MAP_H

#include <base/table.h>

struct map {
    struct table table;
};

void map_release(struct map *map);
size_t map_count(const struct map *map);
int map_put(struct map *map, uint64_t key, void *value);           /* <0: out of memory */
void map_remove(struct map *map, uint64_t key, const void *value); /* it is there */

/* The values of a key: `*at` starts as 0; NULL when there are no more. */
void *map_find(const struct map *map, uint64_t key, size_t *at);
/* All values, in no order: `*at` starts as 0. The map does not change meanwhile. */
void *map_next(const struct map *map, size_t *at);

#endif
