/*
 * Entries of one size by a 64-bit key: open addressing, linear probing; a removal closes its gap,
 * so there are no tombstones and a table that is emptied is as fast as a new one.
 *
 * An entry is a struct whose first member is its key, a uint64_t of any value. Several entries may
 * have the same key. The key is hashed without a secret: keys that clients can choose must be
 * hashed with one before they are used here.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    unsigned char *entries; /* `size` of them, in the same allocation as `tags` */
    uint8_t *tags;          /* of each place: 0 is free, otherwise some bits of the key's hash */
    size_t entry_bytes;
    size_t count;
    size_t size; /* 0 or a power of two; at most 3/4 of it is in use */
};

/* Allocates nothing. `entry_bytes` is the size of the struct, 8 or more. */
void table_init(struct table *table, size_t entry_bytes);
void table_release(struct table *table); /* empty, as after table_init */

/* So that `more` calls of table_add cannot fail. False: out of memory, nothing has changed. */
bool table_reserve(struct table *table, size_t more);

/* Adds a copy of `*entry`, for which there is room: table_reserve has seen to it. */
void table_add(struct table *table, const void *entry);

/*
 * The entries of a key, one after the other: `*at` starts as 0; NULL when there are no more. An
 * entry stays where it is until the next table_reserve or table_remove. All but its key may change.
 */
void *table_find(const struct table *table, uint64_t key, size_t *at);

/* Removes an entry that table_find or table_next has returned. */
void table_remove(struct table *table, void *entry);

/* All entries, in no order: `*at` starts as 0. The table does not change meanwhile. */
void *table_next(const struct table *table, size_t *at);

#endif
