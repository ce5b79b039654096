#include "follow_table.h"

#include "state.h"
#include <hub/kernel.h>

const struct store_table follow_table = {
    .name = "follow",
    .what = "somebody whom an account follows",
    .number = 42,
    .size = sizeof(struct follow_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct follow_row, session)},
                {"other", STORE_NUMBER, STORE_MEMBER(struct follow_row, other)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct follow_row, since_ms)},
                {"handle", STORE_STRING, STORE_MEMBER(struct follow_row, handle)}},
    .indexes = {{"by_session", .columns = {0, 1}, .count = 2, .same = 1}},
};

const struct store_table unseen_table = {
    .name = "unseen",
    .what = "an account that its friends do not see",
    .number = 43,
    .size = sizeof(struct unseen_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 2,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct unseen_row, session)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct unseen_row, since_ms)}},
};

/* ---- in memory */

struct entry {
    uint64_t key; /* the session */
    uint64_t other;
};

struct unseen {
    uint64_t key; /* the session */
};

struct coming {
    uint64_t key; /* whom somebody is about to follow */
};

void follows_init(struct hub *hub)
{
    table_init(&friends_of(hub)->follows, sizeof(struct entry));
    table_init(&friends_of(hub)->unseen, sizeof(struct unseen));
    table_init(&friends_of(hub)->coming, sizeof(struct coming));
}

void follows_release(struct hub *hub)
{
    table_release(&friends_of(hub)->follows);
    table_release(&friends_of(hub)->unseen);
    table_release(&friends_of(hub)->coming);
}

static struct entry *find_follow(const struct hub *hub, uint64_t session, uint64_t other)
{
    struct entry *entry;
    size_t at = 0;
    do
        entry = table_find(&friends_of(hub)->follows, session, &at);
    while (entry && entry->other != other);
    return entry;
}

bool follows_has(const struct hub *hub, uint64_t session, uint64_t other)
{
    return find_follow(hub, session, other);
}

size_t follows_count(const struct hub *hub, uint64_t session)
{
    size_t at = 0, count = 0;
    while (table_find(&friends_of(hub)->follows, session, &at))
        count++;
    return count;
}

size_t follows_in_all(const struct hub *hub)
{
    return friends_of(hub)->follows.count + friends_of(hub)->prepared;
}

size_t follows_find_followers(const struct hub *hub, uint64_t other, uint64_t *followers,
                              size_t max, bool *more)
{
    const struct entry *entry;
    size_t at = 0, count = 0;
    while ((entry = table_next(&friends_of(hub)->follows, &at)) != NULL) {
        if (entry->other != other)
            continue;
        if (count == max) {
            *more = true;
            break;
        }
        followers[count++] = entry->key;
    }
    return count;
}

bool follows_reserve(struct hub *hub)
{
    return table_reserve(&friends_of(hub)->follows, friends_of(hub)->prepared + 1);
}

bool follows_reserve_coming(struct hub *hub)
{
    return table_reserve(&friends_of(hub)->coming, 1);
}

void follows_add_coming(struct hub *hub, uint64_t other)
{
    table_add(&friends_of(hub)->coming, &(struct coming){other});
}

static struct coming *find_coming(const struct hub *hub, uint64_t other)
{
    size_t at = 0;
    return table_find(&friends_of(hub)->coming, other, &at);
}

void follows_remove_coming(struct hub *hub, uint64_t other)
{
    table_remove(&friends_of(hub)->coming, find_coming(hub, other));
}

bool follows_is_coming(const struct hub *hub, uint64_t other)
{
    return find_coming(hub, other);
}

void follows_put(struct hub *hub, uint64_t session, uint64_t other)
{
    if (!find_follow(hub, session, other))
        table_add(&friends_of(hub)->follows, &(struct entry){session, other});
}

void follows_drop(struct hub *hub, uint64_t session, uint64_t other)
{
    struct entry *entry = find_follow(hub, session, other);
    if (entry)
        table_remove(&friends_of(hub)->follows, entry);
}

/* ---- who is not seen */

static struct unseen *find_unseen(const struct hub *hub, uint64_t session)
{
    size_t at = 0;
    return table_find(&friends_of(hub)->unseen, session, &at);
}

bool unseen_is(const struct hub *hub, uint64_t session)
{
    return find_unseen(hub, session);
}

bool unseen_reserve(struct hub *hub)
{
    return table_reserve(&friends_of(hub)->unseen, friends_of(hub)->prepared + 1);
}

void unseen_set(struct hub *hub, uint64_t session, bool unseen)
{
    struct unseen *found = find_unseen(hub, session);
    if (unseen && !found)
        table_add(&friends_of(hub)->unseen, &(struct unseen){session});
    else if (!unseen && found)
        table_remove(&friends_of(hub)->unseen, found);
}

/* ---- from the store, and gone */

bool follow_restore(struct hub *hub, const struct store_table *table, const void *row)
{
    const struct follow_row *follow = row;
    const struct unseen_row *unseen = row;
    if (table == &unseen_table) {
        if (!kernel_session_find(hub, unseen->session))
            return true;
        if (!unseen_reserve(hub))
            return false;
        unseen_set(hub, unseen->session, true);
        return true;
    }
    if (!kernel_session_find(hub, follow->session))
        return true;
    if (!follows_reserve(hub))
        return false;
    follows_put(hub, follow->session, follow->other);
    return true;
}

void follows_gone(struct hub *hub, uint64_t session)
{
    void *entry;
    size_t at = 0;
    while ((entry = table_find(&friends_of(hub)->follows, session, &at)) != NULL) {
        table_remove(&friends_of(hub)->follows, entry);
        at = 0;
    }
    unseen_set(hub, session, false);
}
