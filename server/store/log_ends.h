/*
 * Where the log of each live room ends: what the next append must follow.
 *
 * By the 8 characters of the room's id, which are random. Kept in memory because looking it up in
 * the database for each append would touch a page for each room.
 */
#ifndef STORE_LOG_ENDS_H
#define STORE_LOG_ENDS_H

#include "hashes.h"
#include <base/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_end {
    uint64_t id;          /* the 8 characters, as memory has them; never 0 */
    int64_t key;          /* the row in `room` */
    uint64_t seq;         /* of its last event, 0: none yet */
    int64_t last_n;       /* that event's row in `event`, 0: none yet */
    uint64_t end_seq;     /* the end that the room's row says */
    struct row_hash hash; /* of the last event; of the room if there is none yet */
};

struct log_ends {
    struct table table;
};

void log_ends_init(struct log_ends *log_ends);
void log_ends_release(struct log_ends *log_ends);

/* 0, which is no room's, if `id` has not exactly 8 characters. */
uint64_t log_ends_id(const char *room_id);

/* So that `more` log_ends_put cannot fail. False: out of memory, nothing changed. */
bool log_ends_reserve(struct log_ends *log_ends, size_t more);

/* NULL: none. It stays where it is until the next log_ends_reserve or log_ends_remove. */
struct log_end *log_ends_find(const struct log_ends *log_ends, uint64_t id);
void log_ends_put(struct log_ends *log_ends,
                  const struct log_end *log_end); /* new, or in place of the old */
void log_ends_remove(struct log_ends *log_ends, uint64_t id);

/* All of them, in no order: `*at` starts as 0, and nothing is put or removed meanwhile. */
struct log_end *log_ends_next(const struct log_ends *log_ends, size_t *at);

#endif
