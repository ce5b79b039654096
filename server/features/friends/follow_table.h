/*
 * Who follows whom, as it is kept: a row of whoever follows, and one of whoever does not want to be
 * seen. In memory are those of the sessions that are at home here, the ids alone; of a session
 * that follows nobody there is nothing.
 */
#ifndef FRIENDS_FOLLOW_TABLE_H
#define FRIENDS_FOLLOW_TABLE_H

#include <hub/store_row.h>
#include <protocol/account.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

struct follow_row {
    uint64_t session, other;
    int64_t since_ms;
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* that the other had then */
};

struct unseen_row {
    uint64_t session;
    int64_t since_ms;
};

extern const struct store_table follow_table, unseen_table;

void follows_init(struct hub *hub);
void follows_release(struct hub *hub);

bool follows_has(const struct hub *hub, uint64_t session, uint64_t other);
size_t follows_count(const struct hub *hub, uint64_t session);
size_t follows_in_all(const struct hub *hub);
/* Who follows that one, of those who are at home here: how many, `max` of them at most; then
 * `*more` is true if there are others. Looks at all. */
size_t follows_find_followers(const struct hub *hub, uint64_t other, uint64_t *followers,
                              size_t max, bool *more);
/* A place for one more, beside those that are prepared. False: out of memory. */
bool follows_reserve(struct hub *hub);
/* Whom changes that wait for the store are about to have followed. A place for one more; false:
 * out of memory. */
bool follows_reserve_coming(struct hub *hub);
void follows_add_coming(struct hub *hub, uint64_t other);
void follows_remove_coming(struct hub *hub, uint64_t other);
bool follows_is_coming(const struct hub *hub, uint64_t other);
void follows_put(struct hub *hub, uint64_t session, uint64_t other);
void follows_drop(struct hub *hub, uint64_t session, uint64_t other);

bool unseen_is(const struct hub *hub, uint64_t session);
/* As above. */
bool unseen_reserve(struct hub *hub);
void unseen_set(struct hub *hub, uint64_t session, bool unseen);

/* False: out of memory. */
bool follow_restore(struct hub *hub, const struct store_table *table, const void *row);
void follows_gone(struct hub *hub, uint64_t session);

#endif
