/*
 * Where the log of each live room ends: what the next append must follow.
 *
 * By the 8 characters of the room's id, which are random. Kept in memory because looking it up in
 * the database for each append would touch a page for each room.
 */
#ifndef STORE_HEADS_H
#define STORE_HEADS_H

#include "hashes.h"
#include <base/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct head {
    uint64_t id;          /* the 8 characters, as memory has them; never 0 */
    int64_t key;          /* the row in `room` */
    uint64_t seq;         /* of its last event, 0: none yet */
    int64_t last_n;       /* that event's row in `event`, 0: none yet */
    uint64_t end_seq;     /* the end that the room's row says */
    struct row_hash hash; /* of the last event; of the room if there is none yet */
};

struct heads {
    struct table table;
};

void heads_init(struct heads *heads);
void heads_release(struct heads *heads);

/* 0, which is no room's, if `id` has not exactly 8 characters. */
uint64_t heads_id(const char *room_id);

/* So that `more` heads_put cannot fail. False: out of memory, nothing changed. */
bool heads_reserve(struct heads *heads, size_t more);

/* NULL: none. It stays where it is until the next heads_reserve or heads_remove. */
struct head *heads_find(const struct heads *heads, uint64_t id);
void heads_put(struct heads *heads, const struct head *head); /* new, or in place of the old */
void heads_remove(struct heads *heads, uint64_t id);

/* All of them, in no order: `*at` starts as 0, and nothing is put or removed meanwhile. */
struct head *heads_next(const struct heads *heads, size_t *at);

#endif
