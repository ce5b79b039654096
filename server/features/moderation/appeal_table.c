#include "appeal_table.h"

#include "state.h"
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

const struct store_table appeal_table = {
    .name = "appeal",
    .what = "an appeal against a judgement",
    .number = 55,
    .size = sizeof(struct appeal_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct appeal_row, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct appeal_row, id)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct appeal_row, at_ms)},
                {"answer", STORE_NUMBER, STORE_MEMBER(struct appeal_row, answer)}},
};

bool appeals_reserve(struct appeals *appeals, size_t more)
{
    const size_t wanted = appeals->count + appeals->prepared + more;
    if (wanted <= appeals->size)
        return true;
    struct appeal_row *items = realloc(appeals->items, 2 * wanted * sizeof *items);
    if (!items)
        return false;
    appeals->items = items;
    appeals->size = 2 * wanted;
    return true;
}

/* appeals->count: there is none. */
static size_t find_appeal(const struct appeals *appeals, uint64_t session, uint64_t judgement)
{
    size_t at = 0;
    while (at < appeals->count &&
           (appeals->items[at].session != session || appeals->items[at].id != judgement))
        at++;
    return at;
}

void appeals_put(struct appeals *appeals, const struct appeal_row *row)
{
    const size_t at = find_appeal(appeals, row->session, row->id);
    appeals->items[at] = *row;
    appeals->count += at == appeals->count;
}

static void forget_at(struct appeals *appeals, size_t at)
{
    appeals->count--;
    memmove(&appeals->items[at], &appeals->items[at + 1],
            (appeals->count - at) * sizeof appeals->items[0]);
}

void appeals_drop(struct appeals *appeals, uint64_t session, uint64_t judgement)
{
    const size_t at = find_appeal(appeals, session, judgement);
    if (at < appeals->count)
        forget_at(appeals, at);
}

bool appeal_restore(struct hub *hub, const struct appeal_row *row)
{
    struct appeals *appeals = &moderation_of(hub)->appeals;
    if (!kernel_session_find(hub, row->session))
        return true;
    if (!appeals_reserve(appeals, 1))
        return false;
    appeals_put(appeals, row);
    return true;
}

void appeals_gone(struct hub *hub, const struct session *session)
{
    struct appeals *appeals = &moderation_of(hub)->appeals;
    for (size_t at = appeals->count; at-- > 0;) {
        if (appeals->items[at].session == kernel_session_id(session))
            forget_at(appeals, at);
    }
}

void appeals_release(struct appeals *appeals)
{
    free(appeals->items);
    *appeals = (struct appeals){0};
}

const struct appeal_row *appeal_against(const struct appeals *appeals, uint64_t session,
                                        uint64_t judgement)
{
    const size_t at = find_appeal(appeals, session, judgement);
    return at < appeals->count ? &appeals->items[at] : NULL;
}

const struct appeal_row *appeal_answered(const struct appeals *appeals, uint64_t session,
                                         uint64_t judgement)
{
    for (size_t at = 0; at < appeals->count; at++) {
        if (appeals->items[at].session == session && appeals->items[at].answer == judgement)
            return &appeals->items[at];
    }
    return NULL;
}

const struct appeal_row *appeal_surplus(const struct appeals *appeals, uint64_t session)
{
    const struct appeal_row *first = NULL;
    size_t count = 0;
    for (size_t at = appeals->count; at-- > 0;) {
        if (appeals->items[at].session != session)
            continue;
        first = &appeals->items[at];
        count++;
    }
    return count >= APPEALS_KEPT ? first : NULL;
}
