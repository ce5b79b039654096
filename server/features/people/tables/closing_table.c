#include "closing_table.h"

#include "state.h"
#include <hub/kernel_query.h>
#include <string.h>

const struct store_table closing_table = {
    .name = "closing",
    .what = "when an account is erased",
    .number = 27,
    .size = sizeof(struct closing_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 2,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct closing_row, session)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct closing_row, at_ms)}},
};

const struct store_table burnt_table = {
    .name = "burnt",
    .what = "a handle, or an invitation, that is nobody's any more",
    .number = 28,
    .size = sizeof(struct burnt_row),
    .owner = STORE_ADDRESSED,
    .unloaded = true,
    .keys = 2,
    .count = 3,
    .columns = {{"site", STORE_NUMBER, STORE_MEMBER(struct burnt_row, site)},
                {"claim", STORE_STRING, STORE_MEMBER(struct burnt_row, claim)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct burnt_row, since_ms)}},
    .indexes = {{"by_claim", .columns = {1}, .count = 1, .same = 1}},
};

void closing_ask_burnt(const char *claim, struct kernel_query *query, struct burnt_row *from)
{
    memcpy(from->claim, claim, sizeof from->claim);
    *query = (struct kernel_query){.table = &burnt_table, .limit = 1, .from = from};
}

/* ---- in memory: those of sessions at home here */

void closings_init(struct hub *hub)
{
    table_init(&people_of(hub)->closings, sizeof(struct closing_entry));
    people_of(hub)->closings_ms = INT64_MAX;
}

void closings_release(struct hub *hub)
{
    table_release(&people_of(hub)->closings);
}

struct closing_entry *closing_find(const struct hub *hub, uint64_t session)
{
    size_t at = 0;
    return table_find(&people_of(hub)->closings, session, &at);
}

void closing_plan(struct hub *hub, struct closing_entry *entry, int64_t due_ms)
{
    struct people *people = people_of(hub);
    entry->due_ms = due_ms;
    if (due_ms < people->closings_ms)
        people->closings_ms = due_ms;
}

int64_t closing_at_ms(const struct hub *hub, uint64_t session)
{
    const struct closing_entry *entry = closing_find(hub, session);
    return entry ? entry->at_ms : 0;
}

bool closing_is_erasing(const struct hub *hub, uint64_t session)
{
    const struct closing_entry *entry = closing_find(hub, session);
    return entry && entry->erasing;
}

void closing_add(struct hub *hub, const struct closing_row *row)
{
    struct people *people = people_of(hub);
    struct closing_entry entry = {.key = row->session, .at_ms = row->at_ms};
    closing_plan(hub, &entry, row->at_ms);
    table_add(&people->closings, &entry);
}

bool closing_restore(struct hub *hub, const struct closing_row *row)
{
    struct people *people = people_of(hub);
    /* Those that wait for the store keep their places: this is asked while running, too. */
    if (!table_reserve(&people->closings, people->closings_prepared + 1))
        return false;
    closing_add(hub, row);
    return true;
}

void closing_remove(struct hub *hub, uint64_t session)
{
    struct closing_entry *entry = closing_find(hub, session);
    if (entry)
        table_remove(&people_of(hub)->closings, entry);
}
