/* As the hash of each row of a log is that of all before it, all of them are written anew. */
#include "hand.h"

#include "rows.h"
#include <room/hand.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static enum store_result fail_handing(struct sqlite_store *store, int code)
{
    return database_fail(store->db, code, "handing a match over", store->message);
}

static enum store_result run_hand(struct sqlite_store *store, enum statement which)
{
    const int code = statement_run(statement(store, which));
    return code == SQLITE_OK ? STORE_OK : fail_handing(store, code);
}

static enum store_result refuse_damaged(struct sqlite_store *store, const char *room_id)
{
    (void)snprintf(store->message, sizeof store->message, "the log was changed of room %s",
                   room_id);
    return STORE_REFUSED;
}

/* ---- who was let in by its code */

static enum store_result hand_guest(struct sqlite_store *store, const char *room_id,
                                    const struct store_hand *hand)
{
    const struct row_hash hash = hash_guest(room_id, hand->to);
    sqlite3_stmt *in = statement(store, LET_IN);
    bind_text(statement(store, LET_OUT), 1, room_id, strlen(room_id));
    bind_int(statement(store, LET_OUT), 2, (int64_t)hand->from);
    const enum store_result result = run_hand(store, LET_OUT);
    if (result != STORE_OK || sqlite3_changes64(store->db) == 0)
        return result;
    bind_text(in, 1, room_id, strlen(room_id));
    bind_int(in, 2, (int64_t)hand->to);
    bind_blob(in, 3, hash.bytes, sizeof hash.bytes);
    return run_hand(store, LET_IN);
}

/* ---- a room that is live */

/* What it was, and is from now on: the room's first, and then of each event. */
struct two_hashes {
    struct row_hash before, after;
};

static enum store_result find_live(struct sqlite_store *store, const char *room_id,
                                   struct store_room *room)
{
    sqlite3_stmt *stmt = statement(store, FIND_ROOM);
    bind_text(stmt, 1, room_id, strlen(room_id));
    const int code = sqlite3_step(stmt);
    bool whole = code == SQLITE_ROW && room_of_row(stmt, 1, room);
    if (whole) {
        const struct row_hash hash = hash_room(room);
        whole = hash_is(stmt, 7, &hash);
    }
    sqlite3_reset(stmt);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return fail_handing(store, code);
    return whole ? STORE_OK : refuse_damaged(store, room_id);
}

/* False: the row was changed. */
static bool follow_event(sqlite3_stmt *row, const struct store_hand *hand,
                         struct two_hashes *hashes, struct room_event *event)
{
    if (!event_of_row(row, 0, event))
        return false;
    hashes->before = hash_event(&hashes->before, event);
    if (!hash_is(row, 9, &hashes->before))
        return false;
    event->origin = room_hand_origin(&event->origin, hand->from, hand->to);
    hashes->after = hash_event(&hashes->after, event);
    return true;
}

static enum store_result put_event(struct sqlite_store *store, int64_t n,
                                   const struct room_event *event, const struct row_hash *hash)
{
    sqlite3_stmt *stmt = statement(store, HAND_EVENT);
    bind_int(stmt, 1, n);
    bind_int(stmt, 2, (int64_t)event->origin.session);
    bind_int(stmt, 3, event->origin.request_id);
    bind_int(stmt, 4, (int64_t)event->origin.digest);
    bind_blob(stmt, 5, hash->bytes, sizeof hash->bytes);
    return run_hand(store, HAND_EVENT);
}

static enum store_result hand_log(struct sqlite_store *store, const char *room_id, int64_t last_n,
                                  const struct store_hand *hand, struct two_hashes *hashes)
{
    sqlite3_stmt *row = statement(store, HANDED_LOG);
    enum store_result result = STORE_OK;
    int code = SQLITE_DONE;
    bind_int(row, 1, last_n);
    while (result == STORE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct room_event event;
        result = follow_event(row, hand, hashes, &event)
                     ? put_event(store, sqlite3_column_int64(row, 10), &event, &hashes->after)
                     : refuse_damaged(store, room_id);
    }
    sqlite3_reset(row);
    return result == STORE_OK && code != SQLITE_DONE ? fail_handing(store, code) : result;
}

static enum store_result put_row(struct sqlite_store *store, const struct log_end *log_end,
                                 uint64_t host, const struct row_hash *room)
{
    sqlite3_stmt *stmt = statement(store, HAND_ROW);
    bind_int(stmt, 1, log_end->key);
    bind_int(stmt, 2, (int64_t)host);
    bind_blob(stmt, 3, room->bytes, sizeof room->bytes);
    bind_int(stmt, 4, (int64_t)log_end->seq);
    bind_blob(stmt, 5, log_end->hash.bytes, sizeof log_end->hash.bytes);
    return run_hand(store, HAND_ROW);
}

enum store_result room_row_hand(struct sqlite_store *store, const char *room_id,
                                struct log_end *log_end, const struct store_hand *hand)
{
    struct store_room room;
    enum store_result result = find_live(store, room_id, &room);
    if (result != STORE_OK)
        return result;
    struct two_hashes hashes = {.before = hash_room(&room)};
    if (room.seed.host == hand->from)
        room.seed.host = hand->to;
    const struct row_hash row = hash_room(&room);
    hashes.after = row;
    result = hand_log(store, room_id, log_end->last_n, hand, &hashes);
    if (result == STORE_OK && memcmp(&hashes.before, &log_end->hash, sizeof hashes.before) != 0)
        result = refuse_damaged(store, room_id);
    if (result != STORE_OK)
        return result;
    log_end->hash = hashes.after;
    log_end->end_seq = log_end->seq;
    result = put_row(store, log_end, room.seed.host, &row);
    return result == STORE_OK ? hand_guest(store, room_id, hand) : result;
}

/* ---- one that is archived */

static bool has_acted(const struct sqlite_reading *reading, uint64_t session)
{
    size_t at = 0;
    while (at < reading->rows.count && reading->events[at].origin.session != session)
        at++;
    return at < reading->rows.count;
}

static enum store_result put_archived_event(struct sqlite_store *store, int64_t key,
                                            const struct room_event *event,
                                            const struct row_hash *hash)
{
    sqlite3_stmt *stmt = statement(store, HAND_ARCHIVED_EVENT);
    bind_int(stmt, 1, key);
    bind_int(stmt, 2, (int64_t)event->seq);
    bind_int(stmt, 3, (int64_t)event->origin.session);
    bind_int(stmt, 4, event->origin.request_id);
    bind_int(stmt, 5, (int64_t)event->origin.digest);
    bind_blob(stmt, 6, hash->bytes, sizeof hash->bytes);
    return run_hand(store, HAND_ARCHIVED_EVENT);
}

static enum store_result hand_archived(struct sqlite_store *store, int64_t key,
                                       struct sqlite_reading *reading,
                                       const struct store_hand *hand)
{
    if (reading->room.seed.host == hand->from)
        reading->room.seed.host = hand->to;
    const struct row_hash room = hash_room(&reading->room);
    struct row_hash hash = room;
    enum store_result result = STORE_OK;
    for (size_t at = 0; at < reading->rows.count && result == STORE_OK; at++) {
        struct room_event *event = &reading->events[at];
        event->origin = room_hand_origin(&event->origin, hand->from, hand->to);
        hash = hash_event(&hash, event);
        result = put_archived_event(store, key, event, &hash);
    }
    if (result != STORE_OK)
        return result;
    const struct log_end end = {.key = key, .seq = reading->rows.count, .hash = hash};
    const struct row_hash whole = hash_archived(&room, &hash, reading->rows.count);
    result = put_row(store, &end, reading->room.seed.host, &whole);
    return result == STORE_OK ? hand_guest(store, reading->room.seed.id, hand) : result;
}

/* ---- the rows in its lists */

static int prepare_rows(struct sqlite_store *store, const struct store_table *table,
                        uint64_t session, const char *room_id, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    row_sql_of_room(table, &sql);
    const int code = sqlite3_prepare_v2(store->db, sql.text, -1, stmt, NULL);
    if (code == SQLITE_OK) {
        bind_int(*stmt, 1, (int64_t)session);
        bind_text(*stmt, 2, room_id, strlen(room_id));
    }
    return code;
}

static enum store_result look_for_row(struct sqlite_store *store, const struct store_table *table,
                                      uint64_t session, const char *room_id, bool *there)
{
    sqlite3_stmt *stmt = NULL;
    int code = prepare_rows(store, table, session, room_id, &stmt);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    *there = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? STORE_OK : fail_handing(store, code);
}

/* One that is damaged stays, and goes with the rest. */
static enum store_result hand_row(struct sqlite_store *store, const struct store_table *table,
                                  sqlite3_stmt *stmt, uint64_t to)
{
    alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
    const struct store_row put = {.table = table, .row = row};
    if (!row_take(stmt, table, row) ||
        !store_set_number(&table->columns[table->owner_at], row, (int64_t)to))
        return STORE_OK;
    return row_put(store, &put);
}

static enum store_result hand_rows(struct sqlite_store *store, const struct store_table *table,
                                   const char *room_id, const struct store_hand *hand)
{
    sqlite3_stmt *stmt = NULL;
    bool has_one;
    enum store_result result = look_for_row(store, table, hand->to, room_id, &has_one);
    if (result != STORE_OK || has_one)
        return result;
    int code = prepare_rows(store, table, hand->from, room_id, &stmt);
    while (code == SQLITE_OK && result == STORE_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        result = hand_row(store, table, stmt, hand->to);
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return result == STORE_OK && code != SQLITE_DONE ? fail_handing(store, code) : result;
}

static enum store_result hand_lists(struct sqlite_store *store, const char *room_id,
                                    const struct store_hand *hand)
{
    enum store_result result = STORE_OK;
    for (size_t at = 0; store_tables[at] && result == STORE_OK; at++) {
        if (store_tables[at]->room_at)
            result = hand_rows(store, store_tables[at], room_id, hand);
    }
    if (result != STORE_OK)
        return result;
    const int code = rows_let_go_of(store, hand->from, room_id); /* what is left */
    return code == SQLITE_OK ? STORE_OK : fail_handing(store, code);
}

/* ---- one match after the other */

/* 0: it is not archived. */
static enum store_result find_archived(struct sqlite_store *store, const char *room_id,
                                       int64_t *key)
{
    sqlite3_stmt *stmt = statement(store, HANDED_ROOM);
    bind_text(stmt, 1, room_id, strlen(room_id));
    const int code = sqlite3_step(stmt);
    *key = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    return code == SQLITE_ROW || code == SQLITE_DONE ? STORE_OK : fail_handing(store, code);
}

/* What is found damaged as it is read stays so; of damage that is met in writing, nothing is kept.
 */
static enum store_result hand_room(struct sqlite_store *store, const char *room_id, int64_t key,
                                   const struct store_hand *hand)
{
    struct sqlite_reading *reading = NULL;
    enum store_result result = sqlite_store_read(store, room_id, &reading);
    if (result == STORE_CORRUPT)
        return STORE_OK;
    if (result == STORE_OK && reading->rows.room && !has_acted(reading, hand->to))
        result = hand_archived(store, key, reading, hand);
    sqlite_reading_destroy(reading);
    return result;
}

static enum store_result hand_match(struct sqlite_store *store, const char *room_id,
                                    const struct store_hand *hand)
{
    int64_t key;
    enum store_result result = find_archived(store, room_id, &key);
    if (result == STORE_OK && key != 0)
        result = hand_room(store, room_id, key, hand);
    return result == STORE_OK ? hand_lists(store, room_id, hand) : result;
}

/* ---- those of its lists */

struct handed_rooms {
    char id[STORE_HAND_ROOMS][9];
    size_t count;
};

/* It is seldom asked, and not kept prepared. */
static enum store_result find_rooms(struct sqlite_store *store, uint64_t session,
                                    struct handed_rooms *rooms)
{
    struct sql sql = {.len = 0};
    sqlite3_stmt *stmt = NULL;
    rooms->count = 0;
    row_sql_rooms_of(&sql);
    sql_add(&sql, " ORDER BY 1 LIMIT %d", STORE_HAND_ROOMS);
    int code = sqlite3_prepare_v2(store->db, sql.text, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        bind_int(stmt, 1, (int64_t)session);
    while (code == SQLITE_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        rooms->count += column_string(stmt, 0, rooms->id[rooms->count], sizeof rooms->id[0]);
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? STORE_OK : fail_handing(store, code);
}

static enum store_result look_for(struct sqlite_store *store, uint64_t session, bool *there)
{
    sqlite3_stmt *stmt = statement(store, SESSION_IS_THERE);
    bind_int(stmt, 1, (int64_t)session);
    const int code = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    *there = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? STORE_OK : fail_handing(store, code);
}

enum store_result matches_hand(struct sqlite_store *store, const struct store_hand *hand)
{
    struct handed_rooms rooms = {.count = 0};
    bool there;
    enum store_result result = look_for(store, hand->to, &there);
    if (result == STORE_OK && there)
        result = find_rooms(store, hand->from, &rooms);
    for (size_t at = 0; at < rooms.count && result == STORE_OK; at++)
        result = hand_match(store, rooms.id[at], hand);
    return result;
}
