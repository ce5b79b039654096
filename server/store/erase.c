/* Of each room the log is written anew, with its hashes, and then the line of it in lists. */
#include "erase.h"

#include <room/erased.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

struct erased_room {
    int64_t key;
    char id[9];
};

static enum store_result fail_erasing(struct sqlite_store *store, int code)
{
    return database_fail(store->db, code, "erasing a name", store->message);
}

/* ---- which rooms */

static enum store_result take_rooms(struct sqlite_store *store, sqlite3_stmt *stmt,
                                    uint64_t session, struct erased_room *rooms, size_t *count)
{
    int code;
    bind_int(stmt, 1, (int64_t)session);
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct erased_room *room = &rooms[*count];
        room->key = sqlite3_column_int64(stmt, 0);
        if (column_string(stmt, 1, room->id, sizeof room->id))
            ++*count;
    }
    return code == SQLITE_DONE ? STORE_OK : fail_erasing(store, code);
}

/* It is seldom asked, and not kept prepared. */
static enum store_result find_rooms(struct sqlite_store *store, uint64_t session,
                                    struct erased_room rooms[STORE_ERASE_ROOMS], size_t *count)
{
    struct sql sql = {.len = 0};
    sqlite3_stmt *stmt = NULL;
    *count = 0;
    sql_add(&sql, "SELECT key, id FROM room WHERE archived = 1 AND id IN (");
    row_sql_rooms_of(&sql);
    sql_add(&sql, ") ORDER BY key LIMIT %d", STORE_ERASE_ROOMS);
    const int code = sqlite3_prepare_v2(store->db, sql.text, -1, &stmt, NULL);
    enum store_result result = code == SQLITE_OK ? take_rooms(store, stmt, session, rooms, count)
                                                 : fail_erasing(store, code);
    sqlite3_finalize(stmt);
    return result;
}

/* ---- the log */

static enum store_result put_event(struct sqlite_store *store, int64_t key,
                                   const struct room_event *event, const struct row_hash *hash)
{
    sqlite3_stmt *stmt = statement(store, REWRITE_EVENT);
    bind_int(stmt, 1, key);
    bind_int(stmt, 2, (int64_t)event->seq);
    bind_text(stmt, 3, event->text, event->text_len);
    bind_blob(stmt, 4, hash->bytes, sizeof hash->bytes);
    const int code = statement_run(stmt);
    return code == SQLITE_OK ? STORE_OK : fail_erasing(store, code);
}

static enum store_result put_end(struct sqlite_store *store, int64_t key,
                                 const struct row_hash *room, const struct row_hash *last,
                                 uint64_t seq)
{
    sqlite3_stmt *stmt = statement(store, REWRITE_ROOM);
    const struct row_hash whole = hash_archived(room, last, seq);
    bind_int(stmt, 1, key);
    bind_blob(stmt, 2, whole.bytes, sizeof whole.bytes);
    const int code = statement_run(stmt);
    return code == SQLITE_OK ? STORE_OK : fail_erasing(store, code);
}

/* From the first event on that changes each has another hash. */
static enum store_result rewrite_log(struct sqlite_store *store, int64_t key,
                                     const struct sqlite_reading *reading, uint64_t session)
{
    const struct row_hash room = hash_room(&reading->room);
    struct row_hash hash = room;
    enum store_result result = STORE_OK;
    bool changes = false;
    for (size_t at = 0; at < reading->rows.count && result == STORE_OK; at++) {
        char text[ROOM_EVENT_TEXT_MAX];
        struct room_event event = reading->events[at];
        const size_t len = room_erase_event(&event, session, text);
        changes |= len > 0;
        if (len > 0) {
            event.text = text;
            event.text_len = (uint16_t)len;
        }
        hash = hash_event(&hash, &event);
        if (changes)
            result = put_event(store, key, &event, &hash);
    }
    return result == STORE_OK && changes ? put_end(store, key, &room, &hash, reading->rows.count)
                                         : result;
}

/* ---- lists */

static bool has_acted_before(const struct sqlite_reading *reading, size_t at)
{
    size_t before = 0;
    while (reading->events[before].origin.session != reading->events[at].origin.session)
        before++;
    return before < at;
}

/* Of a table that has one; NULL: it has none. */
static const struct store_column *line_of(const struct store_table *table)
{
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_LINE)
            return &table->columns[at];
    }
    return NULL;
}

/* The row as it is to be; false: it stays, as one does that was changed, which is left out when it
 * is shown. */
static bool erase_in_row(const struct store_table *table, const struct store_column *column,
                         uint8_t seat, void *row, char text[STORE_TEXT_MAX])
{
    size_t len;
    const char *line = store_bytes(column, row, &len);
    len = room_erase_ended(line, len, seat, text, column->max);
    return len > 0 && store_set_bytes(column, row, text, len) && store_row_is_valid(table, row);
}

static enum store_result erase_line(struct sqlite_store *store, const struct store_table *table,
                                    const struct store_column *column, sqlite3_stmt *stmt,
                                    uint8_t seat)
{
    alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
    char text[STORE_TEXT_MAX];
    const struct store_row put = {.table = table, .row = row};
    const int code = sqlite3_step(stmt);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return fail_erasing(store, code);
    if (code == SQLITE_DONE || !row_take(stmt, table, row) ||
        !erase_in_row(table, column, seat, row, text))
        return STORE_OK;
    sqlite3_reset(stmt);
    return row_put(store, &put);
}

/* Seldom, so it is not kept prepared. */
static enum store_result erase_line_of(struct sqlite_store *store, const struct store_table *table,
                                       uint64_t session, const char *room_id, uint8_t seat)
{
    struct sql sql = {.len = 0};
    sqlite3_stmt *stmt = NULL;
    row_sql_of_room(table, &sql);
    const int code = sqlite3_prepare_v2(store->db, sql.text, -1, &stmt, NULL);
    if (code != SQLITE_OK)
        return fail_erasing(store, code);
    bind_int(stmt, 1, (int64_t)session);
    bind_text(stmt, 2, room_id, strlen(room_id));
    const enum store_result result = erase_line(store, table, line_of(table), stmt, seat);
    sqlite3_finalize(stmt);
    return result;
}

static enum store_result erase_lines(struct sqlite_store *store, uint64_t session,
                                     const char *room_id, uint8_t seat)
{
    enum store_result result = STORE_OK;
    for (size_t at = 0; store_tables[at] && result == STORE_OK; at++) {
        if (line_of(store_tables[at]))
            result = erase_line_of(store, store_tables[at], session, room_id, seat);
    }
    return result;
}

/* Once for each who has acted there. */
static enum store_result rewrite_lists(struct sqlite_store *store, const char *room_id,
                                       const struct sqlite_reading *reading, uint64_t session)
{
    const uint8_t seat = room_erased_seat(reading->events, reading->rows.count, session);
    enum store_result result = STORE_OK;
    for (size_t at = 0; at < reading->rows.count && result == STORE_OK; at++) {
        const uint64_t other = reading->events[at].origin.session;
        if (seat != ROOM_NO_SEAT && other != 0 && other != session &&
            !has_acted_before(reading, at))
            result = erase_lines(store, other, room_id, seat);
    }
    return result;
}

static enum store_result drop_from_lists(struct sqlite_store *store, uint64_t session,
                                         const char *room_id)
{
    const int code = rows_let_go_of(store, session, room_id);
    return code == SQLITE_OK ? STORE_OK : fail_erasing(store, code);
}

/* ---- one room after the other */

static enum store_result rewrite_room(struct sqlite_store *store, const struct erased_room *room,
                                      const struct sqlite_reading *reading, uint64_t session)
{
    if (!reading->rows.room)
        return STORE_OK;
    const enum store_result result = rewrite_log(store, room->key, reading, session);
    return result == STORE_OK ? rewrite_lists(store, room->id, reading, session) : result;
}

/* What is found damaged as it is read stays so; of damage that is met in writing, nothing is kept.
 */
static enum store_result erase_in_room(struct sqlite_store *store, const struct erased_room *room,
                                       uint64_t session)
{
    struct sqlite_reading *reading = NULL;
    enum store_result result = sqlite_store_read(store, room->id, &reading);
    if (result == STORE_CORRUPT)
        return drop_from_lists(store, session, room->id);
    if (result == STORE_OK)
        result = rewrite_room(store, room, reading, session);
    sqlite_reading_destroy(reading);
    return result == STORE_OK ? drop_from_lists(store, session, room->id) : result;
}

enum store_result names_erase(struct sqlite_store *store, uint64_t session)
{
    struct erased_room rooms[STORE_ERASE_ROOMS];
    size_t count;
    enum store_result result = find_rooms(store, session, rooms, &count);
    for (size_t at = 0; at < count && result == STORE_OK; at++)
        result = erase_in_room(store, &rooms[at], session);
    return result;
}
