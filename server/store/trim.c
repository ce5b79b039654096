/* Finished rooms that are not kept any longer: looked at one by one, and dropped in one
 * transaction. */
#include "database.h"
#include "row_table.h"
#include <assert.h>
#include <string.h>

struct looked_at {
    int64_t key;
    char room_id[9]; /* "": it is not readable */
    bool archived;
};

struct dropping {
    size_t count;
    struct looked_at rooms[STORE_TRIM_DROPS];
};

static enum store_result fail_trim(struct sqlite_store *store, int code)
{
    return database_fail(store->db, code, "dropping finished rooms", store->message);
}

static enum store_result look_at_rooms(struct sqlite_store *store, int64_t after,
                                       struct looked_at rooms[STORE_TRIM_LOOKS], size_t *count)
{
    sqlite3_stmt *stmt = statement(store, LOOK_AT_ROOMS);
    int code;
    *count = 0;
    bind_int(stmt, 1, after);
    bind_int(stmt, 2, STORE_TRIM_LOOKS);
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct looked_at *room = &rooms[(*count)++];
        room->key = sqlite3_column_int64(stmt, 0);
        room->archived = sqlite3_column_int64(stmt, 2) == 1;
        if (!column_string(stmt, 1, room->room_id, sizeof room->room_id))
            room->room_id[0] = '\0';
    }
    sqlite3_reset(stmt);
    return code == SQLITE_DONE ? STORE_OK : fail_trim(store, code);
}

/* A log that has lost all its events is of an unknown time, and stays. */
static enum store_result look_at_log(struct sqlite_store *store, const struct looked_at *room,
                                     struct store_trim *trim, bool *goes)
{
    sqlite3_stmt *stmt = statement(store, END_OF_LOG);
    bind_int(stmt, 1, room->key);
    const int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW && sqlite3_column_type(stmt, 0) == SQLITE_INTEGER)
        *goes =
            store_trim_takes(trim, sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1));
    sqlite3_reset(stmt);
    return code == SQLITE_ROW ? STORE_OK : fail_trim(store, code);
}

static enum store_result look_for_old(struct sqlite_store *store, struct store_trim *trim,
                                      struct dropping *dropping)
{
    struct looked_at rooms[STORE_TRIM_LOOKS];
    size_t count, at;
    enum store_result result = look_at_rooms(store, trim->after, rooms, &count);
    for (at = 0; at < count && result == STORE_OK && !store_trim_is_full(trim); at++) {
        bool goes = false;
        if (rooms[at].archived && rooms[at].room_id[0])
            result = look_at_log(store, &rooms[at], trim, &goes);
        if (goes)
            dropping->rooms[dropping->count++] = rooms[at];
        trim->after = rooms[at].key;
    }
    trim->end = at == count && count < STORE_TRIM_LOOKS;
    return result;
}

/* An archived log goes with its room (ON DELETE CASCADE). */
static int drop_room(struct sqlite_store *store, const struct looked_at *room)
{
    const int code = rows_let_go(store, room->key, room->room_id);
    if (code != SQLITE_OK)
        return code;
    bind_int(statement(store, DROP_ARCHIVED), 1, room->key);
    return statement_run(statement(store, DROP_ARCHIVED));
}

static enum store_result drop_match(struct sqlite_store *store, void *ctx)
{
    const struct dropping *dropping = ctx;
    int code = SQLITE_OK;
    for (size_t at = 0; at < dropping->count && code == SQLITE_OK; at++)
        code = drop_room(store, &dropping->rooms[at]);
    return code == SQLITE_OK ? STORE_OK : fail_trim(store, code);
}

static enum store_result look_for_named(struct sqlite_store *store, struct store_trim *trim,
                                        struct dropping *dropping)
{
    struct looked_at room;
    sqlite3_stmt *stmt = statement(store, FIND_ROOM);
    bind_text(stmt, 1, trim->room_id, sizeof trim->room_id - 1);
    const int code = sqlite3_step(stmt);
    const bool found = code == SQLITE_ROW && sqlite3_column_int64(stmt, 6) == 1;
    room.key = found ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    memcpy(room.room_id, trim->room_id, sizeof room.room_id);
    if (found) {
        dropping->rooms[dropping->count++] = room;
        trim->dropped[STORE_MATCH_SOLO]++;
    }
    return found || code == SQLITE_DONE || code == SQLITE_ROW ? STORE_OK : fail_trim(store, code);
}

enum store_result sqlite_store_trim(struct sqlite_store *store, struct store_trim *trim)
{
    struct dropping dropping = {.count = 0};
    assert(store->loaded);
    store_trim_begin(trim);
    const enum store_result result = trim->room_id[0] ? look_for_named(store, trim, &dropping)
                                                      : look_for_old(store, trim, &dropping);
    return result == STORE_OK && dropping.count > 0 ? commit_alone(store, drop_match, &dropping)
                                                    : result;
}
