/*
 * Pointers by a 64-bit key: a table (base/table.h) that is all zeros when it is empty.
 *
 * Several values may have the same key; `key_map_find` walks them. Keys that clients can choose
 * must be hashed with a secret before they are used here.
 */
#ifndef HUB_KEY_MAP_H
#define HUB_KEY_MAP_H

#include <base/table.h>

struct key_map {
    struct table table;
};

void key_map_release(struct key_map *map);
size_t key_map_count(const struct key_map *map);
int key_map_put(struct key_map *map, uint64_t key, void *value);           /* <0: out of memory */
void key_map_remove(struct key_map *map, uint64_t key, const void *value); /* it is there */

/* The values of a key: `*at` starts as 0; NULL when there are no more. */
void *key_map_find(const struct key_map *map, uint64_t key, size_t *at);
/* All values, in no order: `*at` starts as 0. The map does not change meanwhile. */
void *key_map_next(const struct key_map *map, size_t *at);
/* One of those that are left, for who removes each: `*at` starts as 0. So none is looked for behind
 * all that are gone. */
void *key_map_any(const struct key_map *map, size_t *at);

#endif
