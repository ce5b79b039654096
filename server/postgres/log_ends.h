/*
 * Where the log of each live room ends: what the next append must follow. In memory, as asking the
 * database for each append would cost a fifth of what it can take.
 *
 * Changes are taken back as long as they are not kept.
 */
#ifndef POSTGRES_LOG_ENDS_H
#define POSTGRES_LOG_ENDS_H

#include <base/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_log_end {
    uint64_t id;  /* the 8 characters of the room, as memory has them; never 0 */
    int64_t key;  /* of its row */
    uint64_t seq; /* of its last event, 0: none yet */
};

struct log_end_change {
    struct pg_log_end before;
    bool existed;
};

struct pg_log_ends {
    struct table table;
    struct log_end_change *changes;
    size_t count, size;
};

void pg_log_ends_init(struct pg_log_ends *log_ends);
void pg_log_ends_release(struct pg_log_ends *log_ends);

/* 0, which is no room's, if `id` has not exactly 8 characters. */
uint64_t pg_log_ends_id(const char *room_id);

/* Before so many changes. False: out of memory, nothing changed. */
bool pg_log_ends_reserve(struct pg_log_ends *log_ends, size_t changes);

/* NULL: there is none. */
const struct pg_log_end *pg_log_ends_find(const struct pg_log_ends *log_ends, uint64_t id);
void pg_log_ends_put(struct pg_log_ends *log_ends,
                     const struct pg_log_end *log_end); /* new, or in place of the old */
void pg_log_ends_remove(struct pg_log_ends *log_ends, uint64_t id);

void pg_log_ends_keep(struct pg_log_ends *log_ends);
void pg_log_ends_take_back(struct pg_log_ends *log_ends);

#endif
