/* Reading: everything live at start, one archived room on demand. Rows that are not loaded are only
 * looked at, for a check: others read them when they are asked for. */
#include "database.h"
#include "queries.sql.h"
#include "rows.h"
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum store_result fail_corrupt(struct sqlite_store *store, const char *what)
{
    snprintf(store->message, sizeof store->message, "%s", what);
    return STORE_CORRUPT;
}

static enum store_result corrupt_event(struct sqlite_store *store, const char *what, uint64_t seq)
{
    snprintf(store->message, sizeof store->message, "%s at event %" PRIu64, what, seq);
    return STORE_CORRUPT;
}

static enum store_result no_memory(struct sqlite_store *store)
{
    snprintf(store->message, sizeof store->message, "out of memory");
    return STORE_FAILED;
}

/* `events` is the whole live log by room; it stands at the first event that is not handed over yet.
 */
struct loading {
    struct sqlite_store *store;
    const struct store_sink *sink;
    const struct store_table *table; /* of the row */
    sqlite3_stmt *row, *events;
    int events_code;
    /* Of the room whose events come now: */
    bool damaged; /* they are skipped */
    uint64_t end_seq;
    struct row_hash end_hash; /* both as in its row (schema.sql) */
};

static enum store_result handed_over(struct sqlite_store *store, int answer)
{
    if (answer >= 0)
        return STORE_OK;
    snprintf(store->message, sizeof store->message, "what the store holds is not usable (%d)",
             answer);
    return answer < STORE_NEWER ? STORE_FAILED : (enum store_result)answer;
}

/* It is left out, and the rest is served. */
enum store_result left_out_row(struct sqlite_store *store, const char *what)
{
    store->left_out++;
    snprintf(store->message, sizeof store->message,
             "the store is damaged: %s was left out, %zu rows in all", what, store->left_out);
    if (store->check) {
        char finding[96];
        snprintf(finding, sizeof finding, "left out: %s", what);
        store->check->finding(store->check->ctx, finding);
    }
    return STORE_OK;
}

/* The room stays as it is, and nothing can be appended to it. */
static enum store_result room_damaged(struct loading *loading, const char *room_id, const char *why)
{
    struct sqlite_store *store = loading->store;
    loading->damaged = true;
    log_ends_remove(&store->log_ends, log_ends_id(room_id));
    return handed_over(store, loading->sink->damaged(loading->sink->ctx, room_id, why));
}

static enum store_result event_damaged(struct loading *loading, const char *room_id,
                                       const char *why, uint64_t seq)
{
    char where[96];
    snprintf(where, sizeof where, "%s at event %" PRIu64, why, seq);
    return room_damaged(loading, room_id, where);
}

static enum store_result load_session(struct loading *loading)
{
    struct store_session session;
    if (!session_of_row(loading->row, 0, &session))
        return left_out_row(loading->store, "a session");
    struct row_hash hash = hash_session(&session);
    if (!hash_is(loading->row, 4, &hash))
        return left_out_row(loading->store, "a session");
    return handed_over(loading->store, loading->sink->session(loading->sink->ctx, &session));
}

static enum store_result load_described(struct loading *loading)
{
    alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
    if (!row_take(loading->row, loading->table, row))
        return left_out_row(loading->store, loading->table->what);
    return handed_over(loading->store, loading->sink->row(loading->sink->ctx, loading->table, row));
}

static bool is_other_end(const struct loading *loading, const struct log_end *log_end)
{
    return log_end->seq == loading->end_seq &&
           memcmp(log_end->hash.bytes, loading->end_hash.bytes, sizeof log_end->hash.bytes) != 0;
}

/* room, n, prev, then the event and its hash. */
static enum store_result load_event(struct loading *loading, const char *room_id)
{
    struct sqlite_store *store = loading->store;
    struct room_event event;
    struct log_end *log_end = log_ends_find(&store->log_ends, log_ends_id(room_id));
    if (!event_of_row(loading->events, 3, &event))
        return event_damaged(loading, room_id, "its log is not readable", log_end->seq + 1);
    if (event.seq != log_end->seq + 1 ||
        sqlite3_column_int64(loading->events, 2) != log_end->last_n)
        return event_damaged(loading, room_id, "its log has a gap", log_end->seq + 1);
    struct row_hash hash = hash_event(&log_end->hash, &event);
    if (!hash_is(loading->events, 12, &hash))
        return event_damaged(loading, room_id, "its log was changed", event.seq);
    log_end->hash = hash;
    log_end->seq = event.seq;
    log_end->last_n = sqlite3_column_int64(loading->events, 1);
    if (is_other_end(loading, log_end))
        return event_damaged(loading, room_id, "its log is not the one that its row tells of",
                             event.seq);
    return handed_over(store, loading->sink->event(loading->sink->ctx, room_id, &event));
}

/* Rooms and events come in the order of their keys, so a room's events are the next ones. */
static enum store_result load_log(struct loading *loading, const char *room_id, int64_t key)
{
    enum store_result result = STORE_OK;
    while (result == STORE_OK && loading->events_code == SQLITE_ROW &&
           sqlite3_column_int64(loading->events, 0) <= key) {
        if (sqlite3_column_int64(loading->events, 0) < key)
            result = left_out_row(loading->store, "an event of no live room");
        else if (!loading->damaged)
            result = load_event(loading, room_id);
        if (result == STORE_OK)
            loading->events_code = sqlite3_step(loading->events);
    }
    return result;
}

/* After its log. */
static enum store_result check_end(struct loading *loading, const char *room_id)
{
    const struct log_end *log_end = log_ends_find(&loading->store->log_ends, log_ends_id(room_id));
    if (loading->damaged || log_end->seq >= loading->end_seq)
        return STORE_OK;
    return event_damaged(loading, room_id, "its log has lost its end", log_end->seq + 1);
}

static enum store_result load_damaged_room(struct loading *loading, int64_t key, const char *why)
{
    char id[9];
    enum store_result result = column_string(loading->row, 1, id, sizeof id)
                                   ? room_damaged(loading, id, why)
                                   : left_out_row(loading->store, "a room without a readable id");
    loading->damaged = true;
    return result == STORE_OK ? load_log(loading, "", key) : result;
}

static enum store_result load_room(struct loading *loading)
{
    struct sqlite_store *store = loading->store;
    struct store_room room;
    int64_t key = sqlite3_column_int64(loading->row, 0);
    loading->damaged = false;
    loading->end_seq = (uint64_t)sqlite3_column_int64(loading->row, 7);
    if (!room_of_row(loading->row, 1, &room) ||
        !column_bytes(loading->row, 8, loading->end_hash.bytes, sizeof loading->end_hash.bytes))
        return load_damaged_room(loading, key, "its row is not readable");
    struct row_hash hash = hash_room(&room);
    if (!hash_is(loading->row, 6, &hash))
        return load_damaged_room(loading, key, "its row was changed");
    if (!log_ends_reserve(&store->log_ends, 1))
        return no_memory(store);
    struct log_end log_end = {log_ends_id(room.seed.id), key, 0, 0, loading->end_seq, hash};
    if (is_other_end(loading, &log_end))
        return load_damaged_room(loading, key, "its row was changed");
    log_ends_put(&store->log_ends, &log_end);
    enum store_result result = handed_over(store, loading->sink->room(loading->sink->ctx, &room));
    if (result == STORE_OK)
        result = load_log(loading, room.seed.id, key);
    return result == STORE_OK ? check_end(loading, room.seed.id) : result;
}

static enum store_result load_rows(struct loading *loading, const char *sql,
                                   enum store_result (*each)(struct loading *))
{
    struct sqlite_store *store = loading->store;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &loading->row, NULL);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "reading the store", store->message);
    enum store_result result = STORE_OK;
    while (result == STORE_OK && (code = sqlite3_step(loading->row)) == SQLITE_ROW)
        result = each(loading);
    if (result == STORE_OK && code != SQLITE_DONE)
        result = database_fail(store->db, code, "reading the store", store->message);
    sqlite3_finalize(loading->row);
    return result;
}

static enum store_result load_rooms(struct loading *loading)
{
    struct sqlite_store *store = loading->store;
    int code = sqlite3_prepare_v2(store->db, SQL_LOAD_EVENTS, -1, &loading->events, NULL);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "reading the store", store->message);
    loading->events_code = sqlite3_step(loading->events);
    enum store_result result = load_rows(loading, SQL_LOAD_ROOMS, load_room);
    if (result == STORE_OK)
        result = load_log(loading, "", INT64_MAX);
    if (result == STORE_OK && loading->events_code != SQLITE_DONE)
        result =
            database_fail(store->db, loading->events_code, "reading the store", store->message);
    sqlite3_finalize(loading->events);
    return result;
}

static enum store_result load_guest(struct loading *loading)
{
    char room_id[9];
    if (!column_string(loading->row, 0, room_id, sizeof room_id))
        return left_out_row(loading->store, "a guest");
    uint64_t session = (uint64_t)sqlite3_column_int64(loading->row, 1);
    struct row_hash hash = hash_guest(room_id, session);
    if (!hash_is(loading->row, 2, &hash))
        return left_out_row(loading->store, "a guest");
    return handed_over(loading->store, loading->sink->guest(loading->sink->ctx, room_id, session));
}

static enum store_result load_tables(struct loading *loading)
{
    enum store_result result = STORE_OK;
    for (size_t at = 0; store_tables[at] && result == STORE_OK; at++) {
        struct sql sql = {.len = 0};
        loading->table = store_tables[at];
        if (loading->table->unloaded && !loading->store->check)
            continue;
        row_sql_load(loading->table, &sql);
        result = load_rows(loading, sql.text, load_described);
    }
    return result;
}

enum store_result sqlite_store_load(struct sqlite_store *store, const struct store_sink *sink)
{
    assert(!store->loaded);
    struct loading loading = {.store = store, .sink = sink};
    enum store_result result = handed_over(store, sink->opened(sink->ctx, (uint64_t)store->epoch));
    if (result == STORE_OK)
        result = load_rows(&loading, SQL_LOAD_SESSIONS, load_session);
    if (result == STORE_OK)
        result = load_tables(&loading);
    if (result == STORE_OK)
        result = load_rooms(&loading);
    if (result == STORE_OK)
        result = load_rows(&loading, SQL_LOAD_GUESTS, load_guest);
    store->loaded = result == STORE_OK;
    (void)sqlite3_db_release_memory(store->db); /* the pages of rows that are read once */
    return result;
}

/* Appends to the arrays of the reading; texts are put one behind the other and pointed to at the
 * end, as they may move until then. */
struct collecting {
    struct sqlite_reading *reading;
    size_t events_size, text_len, text_size;
};

static bool grow_array(void **array, size_t *size, size_t need, size_t each)
{
    if (need <= *size)
        return true;
    size_t grown = *size ? *size * 2 : 64;
    while (grown < need)
        grown *= 2;
    void *moved = realloc(*array, grown * each);
    if (!moved)
        return false;
    *array = moved;
    *size = grown;
    return true;
}

/* The text is one byte longer than what is in it: there is one, also if no event has any. */
static bool collect_event(struct collecting *to, const struct room_event *event)
{
    struct sqlite_reading *reading = to->reading;
    void *events = reading->events, *text = reading->text;
    bool grown =
        grow_array(&events, &to->events_size, reading->rows.count + 1, sizeof *reading->events) &&
        grow_array(&text, &to->text_size, to->text_len + event->text_len + 1, 1);
    reading->events = events;
    reading->text = text;
    if (!grown)
        return false;
    memcpy(reading->text + to->text_len, event->text, event->text_len);
    reading->events[reading->rows.count++] = *event;
    to->text_len += event->text_len;
    return true;
}

static void point_at_texts(struct sqlite_reading *reading)
{
    size_t at = 0;
    for (size_t i = 0; i < reading->rows.count; i++) {
        reading->events[i].text = reading->text + at;
        at += reading->events[i].text_len;
    }
    reading->rows.room = &reading->room;
    reading->rows.events = reading->events;
}

/* *last is the hash of the room, and then that of its last event. */
static enum store_result read_log(struct sqlite_store *store, int64_t key,
                                  struct sqlite_reading *reading, struct row_hash *last)
{
    struct collecting to = {reading, 0, 0, 0};
    sqlite3_stmt *stmt = statement(store, READ_LOG);
    bind_int(stmt, 1, key);
    enum store_result result = STORE_OK;
    int code;
    while (result == STORE_OK && (code = sqlite3_step(stmt)) != SQLITE_DONE) {
        struct room_event event;
        if (code != SQLITE_ROW)
            result = database_fail(store->db, code, "reading a room", store->message);
        else if (!event_of_row(stmt, 0, &event))
            result = corrupt_event(store, "its log is not readable", reading->rows.count + 1);
        else if (event.seq != reading->rows.count + 1)
            result = corrupt_event(store, "its log has a gap", reading->rows.count + 1);
        else if (*last = hash_event(last, &event), !hash_is(stmt, 9, last))
            result = corrupt_event(store, "its log was changed", event.seq);
        else if (!collect_event(&to, &event))
            result = no_memory(store);
    }
    sqlite3_reset(stmt);
    if (result == STORE_OK)
        point_at_texts(reading);
    return result;
}

/* One that is damaged is left out. */
static enum store_result read_guests(struct sqlite_store *store, int64_t key,
                                     struct sqlite_reading *reading)
{
    sqlite3_stmt *stmt = statement(store, READ_GUESTS);
    int code;
    bind_int(stmt, 1, key);
    bind_int(stmt, 2, STORE_GUESTS_MAX);
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        const uint64_t session = (uint64_t)sqlite3_column_int64(stmt, 0);
        const struct row_hash hash = hash_guest(reading->room.seed.id, session);
        if (hash_is(stmt, 1, &hash))
            reading->guests[reading->rows.guest_count++] = session;
        else
            (void)left_out_row(store, "a guest");
    }
    sqlite3_reset(stmt);
    reading->rows.guests = reading->guests;
    return code == SQLITE_DONE ? STORE_OK
                               : database_fail(store->db, code, "reading a room", store->message);
}

struct found_room {
    int64_t key;          /* 0: there is no archived room of that id */
    struct row_hash hash; /* of its row, and of the end of its log */
};

static enum store_result find_room(struct sqlite_store *store, const char *room_id,
                                   struct found_room *found, struct store_room *room)
{
    sqlite3_stmt *stmt = statement(store, FIND_ROOM);
    bind_text(stmt, 1, room_id, strlen(room_id));
    int code = sqlite3_step(stmt);
    enum store_result result = STORE_OK;
    found->key = 0;
    if (code == SQLITE_ROW && sqlite3_column_int64(stmt, 6) == 1) {
        found->key = sqlite3_column_int64(stmt, 0);
        if (!room_of_row(stmt, 1, room) ||
            !column_bytes(stmt, 7, found->hash.bytes, sizeof found->hash.bytes))
            result = fail_corrupt(store, "its row is not readable");
    } else if (code != SQLITE_ROW && code != SQLITE_DONE) {
        result = database_fail(store->db, code, "reading a room", store->message);
    }
    sqlite3_reset(stmt);
    return result;
}

static enum store_result read_archived(struct sqlite_store *store, const char *room_id,
                                       struct sqlite_reading *reading)
{
    struct found_room found;
    enum store_result result = find_room(store, room_id, &found, &reading->room);
    if (result != STORE_OK || found.key == 0)
        return result;
    struct row_hash room = hash_room(&reading->room), last = room;
    result = read_log(store, found.key, reading, &last);
    if (result != STORE_OK)
        return result;
    struct row_hash whole = hash_archived(&room, &last, reading->rows.count);
    return memcmp(whole.bytes, found.hash.bytes, sizeof whole.bytes) == 0
               ? read_guests(store, found.key, reading)
               : fail_corrupt(store, "its row was changed, or its log was cut");
}

enum store_result sqlite_store_read(struct sqlite_store *store, const char *room_id,
                                    struct sqlite_reading **out)
{
    *out = NULL;
    struct sqlite_reading *reading = calloc(1, sizeof *reading);
    if (!reading)
        return no_memory(store);
    enum store_result result = read_archived(store, room_id, reading);
    if (result == STORE_OK)
        *out = reading;
    else
        sqlite_reading_destroy(reading);
    return result;
}

void sqlite_reading_destroy(struct sqlite_reading *reading)
{
    if (!reading)
        return;
    free(reading->events);
    free(reading->text);
    free(reading);
}
