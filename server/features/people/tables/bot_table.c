#include "bot_table.h"

#include "account_table.h"
#include "closing_table.h"
#include "handle.h"
#include "state.h"
#include <hub/kernel.h>
#include <string.h>

const struct store_table bot_table = {
    .name = "bot",
    .what = "whose a program's account is",
    .number = 29,
    .size = sizeof(struct bot_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 3,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct bot_row, session)},
                {"owner", STORE_NUMBER, STORE_MEMBER(struct bot_row, owner)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct bot_row, since_ms)}},
};

/* ---- in memory: by either of the two */

struct entry {
    uint64_t key, other;
};

void bots_init(struct hub *hub)
{
    table_init(&people_of(hub)->bots, sizeof(struct entry));
    table_init(&people_of(hub)->owners, sizeof(struct entry));
    people_of(hub)->orphans_ms = INT64_MAX;
}

void bots_release(struct hub *hub)
{
    table_release(&people_of(hub)->bots);
    table_release(&people_of(hub)->owners);
}

bool bots_add(struct hub *hub, const struct bot_row *row)
{
    struct people *people = people_of(hub);
    if (!table_reserve(&people->bots, 1) || !table_reserve(&people->owners, 1))
        return false;
    table_add(&people->bots, &(struct entry){row->owner, row->session});
    table_add(&people->owners, &(struct entry){row->session, row->owner});
    return true;
}

/* Its owner may be gone, and the server have ended before it was. */
bool bots_restore(struct hub *hub, const struct bot_row *row)
{
    people_of(hub)->orphans_ms = 0;
    return bots_add(hub, row);
}

uint64_t bot_owner(const struct hub *hub, uint64_t session)
{
    size_t at = 0;
    const struct entry *entry = table_find(&people_of(hub)->owners, session, &at);
    return entry ? entry->other : 0;
}

void bots_forget(struct hub *hub, uint64_t bot)
{
    struct people *people = people_of(hub);
    const uint64_t owner = bot_owner(hub, bot);
    struct entry *entry;
    size_t at = 0;
    if (!owner)
        return;
    while ((entry = table_find(&people->bots, owner, &at)) != NULL && entry->other != bot)
        continue;
    table_remove(&people->bots, entry);
    at = 0;
    table_remove(&people->owners, table_find(&people->owners, bot, &at));
}

size_t bots_count(const struct hub *hub, uint64_t owner)
{
    size_t count = 0, at = 0;
    while (table_find(&people_of(hub)->bots, owner, &at))
        count++;
    return count;
}

const struct account_row *bots_next(const struct hub *hub, const struct session *owner, size_t *at)
{
    const struct entry *entry;
    while ((entry = table_find(&people_of(hub)->bots, kernel_session_id(owner), at)) != NULL) {
        const struct session *session = kernel_session_find(hub, entry->other);
        const struct account_row *row = session ? account_of(hub, session) : NULL;
        if (row)
            return row;
    }
    return NULL;
}

struct session *bot_owned(const struct hub *hub, const struct session *owner, const char *handle)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1], claim[HANDLE_CLAIM_BYTES + 1];
    const struct account_row *row;
    size_t at = 0;
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, claim);
    while ((row = bots_next(hub, owner, &at)) != NULL) {
        if (strcmp(row->claim, claim) == 0)
            return kernel_session_find(hub, row->session);
    }
    return NULL;
}

/* ---- ending with its owner */

enum { RETRY_MS = 10000 }; /* after there was no memory for it */

/* What waits to end is a closing: it is tried again while it is in use. False: out of memory. */
static bool end_orphan(struct hub *hub, uint64_t bot)
{
    const struct closing_row row = {bot, kernel_now_ms(hub)};
    if (closing_at_ms(hub, bot))
        return true;
    return closing_restore(hub, &row);
}

static bool is_orphan(const struct hub *hub, const struct entry *owned)
{
    return !kernel_is_elsewhere(hub, owned->other) && !kernel_session_find(hub, owned->other);
}

void bots_tick(struct hub *hub)
{
    struct people *people = people_of(hub);
    const struct entry *owned;
    size_t at = 0;
    if (people->orphans_ms > kernel_now_ms(hub))
        return;
    people->orphans_ms = INT64_MAX;
    while ((owned = table_next(&people->owners, &at)) != NULL) {
        if (is_orphan(hub, owned) && !end_orphan(hub, owned->key))
            people->orphans_ms = kernel_now_ms(hub) + RETRY_MS;
    }
}

int64_t bots_deadline_ms(const struct hub *hub)
{
    return people_of(hub)->orphans_ms;
}

void bots_gone(struct hub *hub, const struct session *session)
{
    const uint64_t id = kernel_session_id(session);
    bots_forget(hub, id);
    if (bots_count(hub, id) > 0)
        people_of(hub)->orphans_ms = kernel_now_ms(hub);
}
