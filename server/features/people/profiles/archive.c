#include "archive.h"

#include "archive_asked.h"
#include "archive_found.h"
#include "profile.h"
#include "tables/account_table.h"
#include "tables/archive_table.h"
#include "tables/handle.h"
#include <hub/kernel_query.h>
#include <hub/store.h>
#include <inttypes.h>
#include <protocol/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one search */

enum stage { STAGE_WHOSE, STAGE_CALLED, STAGE_SHOWN, STAGE_ROWS, STAGE_HIDDEN };

struct search {
    struct kernel_kept kept;
    struct archive_asked asked;
    enum stage stage;
    uint64_t session;                       /* whose matches; 0: anybody's */
    char called[PROTOCOL_HANDLE_BYTES + 1]; /* ... and what they are called now */
    unsigned pages;                         /* of rows, that have come */
    struct archive_found found;
    char room[PROTOCOL_ROOM_BYTES + 1]; /* of the last match there; "": of none */
    bool goes_on;                       /* there are more rows */
    /* The last row that was looked at. */
    int64_t seen_ms;
    char seen[PROTOCOL_ROOM_BYTES + 1];
};

static void destroy_search(struct kernel_kept *kept)
{
    struct search *search = (struct search *)(void *)kept;
    found_release(&search->found);
    free(search);
}

/* ---- what is asked of the store */

static void ask_whose(const struct search *search, struct kernel_query *query, void *from)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(search->asked.handle, skeleton);
    handle_claim(skeleton, ((struct account_row *)from)->claim);
    query->table = &account_table;
    query->index = ACCOUNT_BY_CLAIM;
    query->limit = 1;
}

/* The handle that is asked for may be one of before. */
static void ask_called(const struct search *search, struct kernel_query *query, void *from)
{
    ((struct account_row *)from)->session = search->session;
    query->table = &account_table;
    query->index = ACCOUNT_BY_SESSION;
    query->limit = 1;
}

static unsigned index_for(const struct search *search)
{
    if (search->session)
        return ARCHIVE_BY_SESSION;
    if (search->asked.row.rules)
        return ARCHIVE_BY_RULES;
    return search->asked.row.why[0] ? ARCHIVE_BY_WHY : ARCHIVE_BY_GAME;
}

/* Behind that moment and room, whoever sat there: no number of a session comes after this one. */
static void ask_rows_behind(const struct search *search, int64_t at_ms, const char *room,
                            struct kernel_query *query, void *from)
{
    struct archive_row *row = from;
    *row = search->asked.row;
    row->session = search->session ? search->session : (uint64_t)INT64_MIN;
    row->at_ms = at_ms;
    memcpy(row->room, room, strlen(room) + 1);
    query->table = &archive_table;
    query->index = index_for(search);
    query->limit = STORE_QUERY_ROWS_MAX;
    query->behind = true;
}

static void ask_rows(struct search *search, struct kernel_query *query, void *from)
{
    search->stage = STAGE_ROWS;
    ask_rows_behind(search, search->asked.until_ms, search->asked.after, query, from);
}

/* Behind the very last row: a match may be in two pages. */
static void ask_more_rows(const struct search *search, const struct store_query *done,
                          struct kernel_query *query, void *from)
{
    ask_rows_behind(search, search->seen_ms, search->seen, query, from);
    memcpy(from, store_query_row(done, done->count - 1), archive_table.size);
    ((struct archive_row *)from)->options = ""; /* it borrowed them of what goes */
}

bool archive_ask(struct hub *hub, const char *rest, struct kernel_query *query, void *from)
{
    struct search *search = calloc(1, sizeof *search);
    (void)hub;
    if (!search || !archive_asked_read(&search->asked, rest)) {
        free(search);
        return false;
    }
    search->kept.destroy = destroy_search;
    found_init(&search->found);
    query->kept = &search->kept;
    if (search->asked.handle[0])
        ask_whose(search, query, from);
    else
        ask_rows(search, query, from);
    return true;
}

/* ---- what is written: one object */

/* `after`: the next answer goes on behind that row. */
static void write_answer(const struct search *search, struct buffer *out)
{
    char after[64] = "";
    buffer_append_string(out, "{\"matches\":[");
    found_write(&search->found, out);
    if (search->goes_on)
        (void)snprintf(after, sizeof after, ",\"after\":\"%" PRId64 ".%s\"", search->seen_ms,
                       search->seen);
    buffer_append_byte(out, ']');
    buffer_append_string(out, after);
    buffer_append_byte(out, '}');
}

/* ---- rows */

static void note_seen(struct search *search, const struct archive_row *row)
{
    search->seen_ms = row->at_ms;
    memcpy(search->seen, row->room, sizeof search->seen);
}

/* False: the answer is full, and the row is of the next one. */
static bool take_row(struct search *search, const struct archive_row *row)
{
    const bool is_same = strcmp(search->room, row->room) == 0;
    if (!is_same) {
        search->room[0] = '\0';
        if (search->found.matches == ARCHIVE_MATCHES || search->pages > ARCHIVE_PAGES)
            return false;
    }
    note_seen(search, row);
    if (!archive_asked_fits(&search->asked, row))
        return true;
    if (!is_same) {
        found_begin_match(&search->found, row);
        memcpy(search->room, row->room, sizeof search->room);
    }
    found_add_seat(&search->found, row, search->called[0] ? search->called : row->handle);
    return true;
}

/* True: more rows are asked for. One match that has begun is taken to its end. */
static bool take_rows(struct search *search, const struct store_query *done)
{
    search->pages++;
    for (size_t at = 0; at < done->count; at++) {
        const struct archive_row *row = store_query_row(done, at);
        if (row->at_ms < search->asked.since_ms)
            return false;
        if (!take_row(search, row)) {
            search->goes_on = true;
            return false;
        }
    }
    if (done->more && (search->pages < ARCHIVE_PAGES || search->room[0]))
        return true;
    search->goes_on = done->more;
    return false;
}

/* ---- the steps */

/* False: nobody has ever had the handle. */
static bool find_session(struct search *search, const struct store_query *done)
{
    if (done->count == 0)
        return false;
    search->session = ((const struct account_row *)store_query_row(done, 0))->session;
    search->stage = STAGE_CALLED;
    return true;
}

static void note_called(struct search *search, const struct store_query *done)
{
    const struct account_row *row = done->count ? store_query_row(done, 0) : NULL;
    if (row)
        memcpy(search->called, row->handle, sizeof search->called);
    search->stage = STAGE_SHOWN;
}

/* Of a search by handle it is known that they show it. False: that is known of all. */
static bool ask_hidden(struct search *search, struct kernel_query *query, void *from)
{
    search->stage = STAGE_HIDDEN;
    return !search->session && found_ask_hidden(&search->found, query, from);
}

bool archive_ask_next(struct hub *hub, unsigned step, const struct store_query *done,
                      struct kernel_query *query, void *from, struct buffer *out)
{
    struct search *search = (struct search *)(void *)query->kept;
    bool waits = false;
    (void)hub, (void)step;
    switch (search->stage) {
    case STAGE_WHOSE:
        if (!find_session(search, done))
            return false;
        ask_called(search, query, from);
        return true;
    case STAGE_CALLED:
        note_called(search, done);
        profile_ask_of(search->session, query, from);
        return true;
    case STAGE_SHOWN:
        if (profile_is_hidden(done)) {
            buffer_append_string(out, "{\"matches\":[],\"hidden\":true}");
            return false;
        }
        ask_rows(search, query, from);
        return true;
    case STAGE_ROWS:
        waits = take_rows(search, done);
        if (waits)
            ask_more_rows(search, done, query, from);
        else
            waits = ask_hidden(search, query, from);
        break;
    case STAGE_HIDDEN:
        found_note_hidden(&search->found, done);
        waits = found_ask_hidden(&search->found, query, from);
        break;
    }
    if (!waits)
        write_answer(search, out);
    return waits;
}
