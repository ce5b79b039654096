/*
 * Where the log of each live room ends: what the next append must follow. In memory, as asking the
 * database for each append would cost a fifth of what it can take.
 *
 * Changes are taken back as long as they are not kept.
 */
#ifndef POSTGRES_TAILS_H
#define POSTGRES_TAILS_H

#include <base/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tail {
    uint64_t id;  /* the 8 characters of the room, as memory has them; never 0 */
    int64_t key;  /* of its row */
    uint64_t seq; /* of its last event, 0: none yet */
};

struct tail_change {
    struct tail before;
    bool existed;
};

struct tails {
    struct table table;
    struct tail_change *changes;
    size_t count, size;
};

void tails_init(struct tails *tails);
void tails_release(struct tails *tails);

/* 0, which is no room's, if `id` has not exactly 8 characters. */
uint64_t tails_id(const char *room_id);

/* Before so many changes. False: out of memory, nothing changed. */
bool tails_reserve(struct tails *tails, size_t changes);

/* NULL: there is none. */
const struct tail *tails_find(const struct tails *tails, uint64_t id);
void tails_put(struct tails *tails, const struct tail *tail); /* new, or in place of the old */
void tails_remove(struct tails *tails, uint64_t id);

void tails_keep(struct tails *tails);
void tails_take_back(struct tails *tails);

#endif
