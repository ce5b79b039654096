#include "load.h"

#include "queries.sql.h"
#include "row_table.h"
#include "rows.h"
#include <inttypes.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS_A_SLICE = 256 };

struct loading {
    struct db *db;
    struct part part;
    bool sets_aside;
    const struct store_sink *sink;
    struct pg_log_ends *log_ends;
    struct loaded *loaded;
    const struct store_table *table; /* of the rows that come now */
    struct array keys;               /* of the rooms whose events were asked for last */
    /* The room whose events come now. */
    int64_t key; /* 0: none yet */
    uint64_t seq;
    char room_id[9];
    bool damaged; /* its events are skipped */
};

static enum store_result handed_over(struct loading *loading, int answer)
{
    if (answer >= 0)
        return STORE_OK;
    snprintf(loading->db->message, sizeof loading->db->message,
             "what the store holds is not usable (%d)", answer);
    return answer < STORE_NEWER ? STORE_FAILED : (enum store_result)answer;
}

static enum store_result left_out(struct loading *loading, const char *what)
{
    loading->loaded->left_out++;
    snprintf(loading->loaded->why, sizeof loading->loaded->why, "%s", what);
    return STORE_OK;
}

/* A row that is no use to anybody keeps nobody from the others. */
static enum store_result taken_or_left_out(struct loading *loading, int answer, const char *what)
{
    return answer == STORE_CORRUPT ? left_out(loading, what) : handed_over(loading, answer);
}

static enum store_result load_session(struct loading *loading, const PGresult *row)
{
    struct store_session session;
    if (!session_of(row, 0, 0, &session))
        return left_out(loading, "a session");
    return taken_or_left_out(loading, loading->sink->session(loading->sink->ctx, &session),
                             "a session");
}

static enum store_result load_described(struct loading *loading, const PGresult *rows)
{
    alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
    const struct store_sink *sink = loading->sink;
    if (!pg_row_take(loading->table, rows, 0, row))
        return left_out(loading, loading->table->what);
    return taken_or_left_out(loading, sink->row(sink->ctx, loading->table, row),
                             loading->table->what);
}

/* ---- rooms, each followed by its events */

static void put_tail(struct loading *loading)
{
    const uint64_t id = pg_log_ends_id(loading->room_id);
    if (loading->key != 0 && !loading->damaged && id != 0)
        pg_log_ends_put(loading->log_ends, &(struct pg_log_end){id, loading->key, loading->seq});
    pg_log_ends_keep(loading->log_ends);
}

static enum store_result fail_damaged(struct loading *loading, const char *why)
{
    loading->damaged = true;
    return loading->room_id[0] ? handed_over(loading, loading->sink->damaged(loading->sink->ctx,
                                                                             loading->room_id, why))
                               : left_out(loading, "a room without a readable id");
}

/* key, then the room. */
static enum store_result begin_room(struct loading *loading, const PGresult *rooms, int at)
{
    struct store_room room;
    loading->key = cell_number(rooms, at, 0);
    loading->seq = 0;
    loading->damaged = false;
    if (!pg_log_ends_reserve(loading->log_ends, 1)) {
        snprintf(loading->db->message, sizeof loading->db->message, "out of memory");
        return STORE_FAILED;
    }
    if (!cell_string(rooms, at, 1, loading->room_id, sizeof loading->room_id))
        loading->room_id[0] = '\0';
    if (!room_of(rooms, at, 1, &room))
        return fail_damaged(loading, "its row is not readable");
    return handed_over(loading, loading->sink->room(loading->sink->ctx, &room));
}

/* Who knows what follows from it has to open the part; if there is nobody, the other rooms are not
 * to wait for one. */
static enum store_result refuse_newer(struct loading *loading)
{
    char why[64];
    snprintf(why, sizeof why, "event %" PRIu64 " is of a later version of this program",
             loading->seq + 1);
    if (loading->sets_aside)
        return fail_damaged(loading, why);
    loading->db->problem = POSTGRES_NEWER;
    snprintf(loading->db->message, sizeof loading->db->message,
             "room %s: event %" PRIu64 " is of a later version of this program, which has to open "
             "it",
             loading->room_id, loading->seq + 1);
    return STORE_NEWER;
}

/* The key of its room, then the event. */
static enum store_result load_event(struct loading *loading, const PGresult *events, int at)
{
    struct room_event event;
    char why[64];
    const char *wrong = NULL;
    if (event_is_newer(events, at, 1))
        return refuse_newer(loading);
    if (!event_of(events, at, 1, &event))
        wrong = "its log is not readable";
    else if (event.seq != loading->seq + 1)
        wrong = "its log has a gap";
    if (wrong) {
        snprintf(why, sizeof why, "%s at event %" PRIu64, wrong, loading->seq + 1);
        return fail_damaged(loading, why);
    }
    const int answer = loading->sink->event(loading->sink->ctx, loading->room_id, &event);
    if (answer == STORE_NEWER)
        return refuse_newer(loading);
    loading->seq++;
    return handed_over(loading, answer);
}

/* With its events from *event on, which becomes the next one that is not of it. */
static enum store_result load_room(struct loading *loading, const PGresult *rooms, int at,
                                   const PGresult *events, int *event)
{
    const int count = PQntuples(events);
    enum store_result result = begin_room(loading, rooms, at);
    for (; *event < count && cell_number(events, *event, 0) == loading->key; ++*event) {
        if (result == STORE_OK && !loading->damaged)
            result = load_event(loading, events, *event);
    }
    put_tail(loading);
    return result;
}

/* The events of the rooms from `at` on; the keys are borrowed until then. */
static bool ask_slice(struct loading *loading, const PGresult *rooms, int at)
{
    struct params params = {0};
    const int count = PQntuples(rooms);
    array_clear(&loading->keys);
    for (int room = at; room < count && room < at + ROOMS_A_SLICE; room++) {
        if (!array_add_number(&loading->keys, cell_number(rooms, room, 0), 8)) {
            snprintf(loading->db->message, sizeof loading->db->message, "out of memory");
            return false;
        }
    }
    params_add_array(&params, &loading->keys, ARRAY_OF_INT8);
    return db_begin(loading->db, SQL_LOAD_EVENTS, &params) == DB_OK;
}

/* While one slice becomes rooms, the database reads the next one. */
static enum store_result load_slices(struct loading *loading, const PGresult *rooms)
{
    const int count = PQntuples(rooms);
    enum store_result result = STORE_OK;
    PGresult *events;
    bool asked = count > 0 && ask_slice(loading, rooms, 0);
    for (int at = 0, event = 0; at < count; at += ROOMS_A_SLICE, event = 0) {
        if (!asked || db_end(loading->db, &events) != DB_OK)
            return STORE_FAILED;
        asked = at + ROOMS_A_SLICE < count && ask_slice(loading, rooms, at + ROOMS_A_SLICE);
        for (int room = at; room < count && room < at + ROOMS_A_SLICE && result == STORE_OK; room++)
            result = load_room(loading, rooms, room, events, &event);
        PQclear(events);
        if (result == STORE_OK)
            continue;
        db_end_rows(loading->db);
        return result;
    }
    return STORE_OK;
}

static enum store_result load_guest(struct loading *loading, const PGresult *row)
{
    char room_id[9];
    if (!cell_string(row, 0, 0, room_id, sizeof room_id))
        return left_out(loading, "a guest");
    const uint64_t session = (uint64_t)cell_number(row, 0, 1);
    return taken_or_left_out(loading, loading->sink->guest(loading->sink->ctx, room_id, session),
                             "a guest");
}

static enum store_result load_each(struct loading *loading, const char *sql,
                                   enum store_result (*each)(struct loading *, const PGresult *))
{
    enum store_result result = STORE_OK;
    struct params params = {0};
    PGresult *row = NULL;
    params_add_number(&params, loading->part.number);
    params_add_number(&params, loading->part.count);
    enum db_result next = db_begin_rows(loading->db, sql, &params);
    while (next == DB_OK && result == STORE_OK) {
        next = db_next(loading->db, &row);
        if (next != DB_OK || !row)
            break;
        result = each(loading, row);
        PQclear(row);
    }
    if (result != STORE_OK)
        db_end_rows(loading->db);
    return next == DB_OK ? result : STORE_FAILED;
}

static enum store_result load_rooms(struct loading *loading)
{
    struct db *db = loading->db;
    struct params params = {0};
    PGresult *rooms;
    params_add_number(&params, loading->part.number);
    params_add_number(&params, loading->part.count);
    if (db_ask(db, SQL_LOAD_ROOMS, &params, &rooms) != DB_OK)
        return STORE_FAILED;
    enum store_result result = STORE_FAILED;
    if (db_run(db, SQL_PLAN_BY_INDEX) == DB_OK)
        result = load_slices(loading, rooms);
    if (result == STORE_OK && db_run(db, SQL_PLAN_AS_USUAL) != DB_OK)
        result = STORE_FAILED;
    PQclear(rooms);
    array_release(&loading->keys);
    return result;
}

static enum store_result load_tables(struct loading *loading)
{
    enum store_result result = STORE_OK;
    for (size_t at = 0; store_tables[at] && result == STORE_OK; at++) {
        struct sql sql = {.len = 0};
        loading->table = store_tables[at];
        if (loading->table->unloaded)
            continue;
        pg_row_sql_load(loading->table, &sql);
        result = load_each(loading, sql.text, load_described);
    }
    return result;
}

enum store_result load_rows(struct db *db, struct part part, bool sets_aside,
                            const struct store_sink *sink, struct pg_log_ends *log_ends,
                            struct loaded *loaded)
{
    struct loading loading = {.db = db,
                              .part = part,
                              .sets_aside = sets_aside,
                              .sink = sink,
                              .log_ends = log_ends,
                              .loaded = loaded};
    enum store_result result = load_each(&loading, SQL_LOAD_SESSIONS, load_session);
    if (result == STORE_OK)
        result = load_tables(&loading);
    if (result == STORE_OK)
        result = load_rooms(&loading);
    if (result == STORE_OK)
        result = load_each(&loading, SQL_LOAD_GUESTS, load_guest);
    return result;
}
