/* What a batch, and what is read of the store, is made of in SQL: prepared once when it is opened.
 */
#include "database.h"
#include <assert.h>

/* If a row cannot be stored the whole commit is taken back, so the statement need not take back the
 * rows before it: that saves SQLite a copy of each page. */
#define INTO_EVENT                                                                                 \
    "INSERT OR FAIL INTO event (prev, room, seq, at_ms, held_ms, session, request_id, digest,"     \
    " kind, seat, text, hash) VALUES "
#define EVENT_ROW    "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#define EVENT_ROWS_2 EVENT_ROW ", " EVENT_ROW
#define EVENT_ROWS_4 EVENT_ROWS_2 ", " EVENT_ROWS_2

static const char *const statement_sql[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [READ_EPOCH] = "SELECT epoch FROM engine WHERE one = 1",
    [TAKE_EPOCH] = "UPDATE engine SET epoch = ?1 WHERE one = 1",
    [PROBE] = "UPDATE engine SET probes = probes + 1 WHERE one = 1",
    [PUT_SESSION] = "INSERT INTO session (id, name, created_ms, seen_ms, hash)"
                    " VALUES (?1, ?2, ?3, ?4, ?5)"
                    " ON CONFLICT (id) DO UPDATE SET name = ?2, created_ms = ?3, seen_ms = ?4,"
                    " hash = ?5",
    [DROP_SESSION] = "DELETE FROM session WHERE id = ?1",
    [PUT_ROOM] = "INSERT INTO room (id, code, secret, host, created_ms, hash, end_hash)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
    [APPEND_1] = INTO_EVENT EVENT_ROW,
    [APPEND_2] = INTO_EVENT EVENT_ROWS_2,
    [APPEND_4] = INTO_EVENT EVENT_ROWS_4,
    [APPEND_8] = INTO_EVENT EVENT_ROWS_4 ", " EVENT_ROWS_4,
    [PUT_END] = "UPDATE room SET end_seq = ?2, end_hash = ?3 WHERE key = ?1",
    [READ_ROOM_HASH] = "SELECT hash FROM room WHERE key = ?1",
    [ARCHIVE_ROOM] = "UPDATE room SET archived = 1, hash = ?2 WHERE key = ?1",
#define LOG_FROM_LAST                                                                              \
    "WITH RECURSIVE log (n) AS (VALUES (?1) UNION ALL"                                             \
    " SELECT event.prev FROM log JOIN event ON event.n = log.n WHERE event.prev <> 0) "
    [ARCHIVE_LOG] = LOG_FROM_LAST
    "INSERT INTO archived_event (room, seq, at_ms, held_ms, session, request_id, digest, kind,"
    " seat, text, hash)"
    " SELECT room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash"
    " FROM log CROSS JOIN event ON event.n = log.n",
    [DROP_LOG] = LOG_FROM_LAST "DELETE FROM event WHERE n IN log",
#undef LOG_FROM_LAST
    [DROP_ROOM] = "DELETE FROM room WHERE id = ?1",
    [LET_IN] = "INSERT OR IGNORE INTO guest (room, session, hash) VALUES (?1, ?2, ?3)",
    [LET_OUT] = "DELETE FROM guest WHERE room = ?1 AND session = ?2",
    [LET_ALL_OUT] = "DELETE FROM guest WHERE room = ?1",
    [PUT_GAME] = "INSERT OR REPLACE INTO game (session, at_ms, room, seat, text, hash)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [NEWEST_TO_TRIM] = "SELECT at_ms, room FROM game WHERE session = ?1"
                       " ORDER BY at_ms DESC, room DESC LIMIT 1 OFFSET ?2",
    [TRIM_GAMES] = "DELETE FROM game WHERE session = ?1 AND (at_ms, room) <= (?2, ?3)",
    [LIST_GAMES] = "SELECT session, at_ms, room, seat, text, hash FROM game WHERE session = ?1"
                   " AND (?2 = '' OR (at_ms, room) <"
                   " (SELECT at_ms, room FROM game WHERE session = ?1 AND room = ?2))"
                   " ORDER BY at_ms DESC, room DESC LIMIT ?3",
    [LOOK_AT_ROOMS] = "SELECT key, id, archived FROM room WHERE key > ?1 ORDER BY key LIMIT ?2",
    [END_OF_LOG] = "SELECT max(at_ms), count(DISTINCT nullif(session, 0)) FROM archived_event"
                   " WHERE room = ?1",
    [DROP_GAMES_OF_ROOM] = "DELETE FROM game WHERE room = ?2 AND session IN"
                           " (SELECT session FROM archived_event WHERE room = ?1 AND session <> 0)",
    [DROP_ARCHIVED] = "DELETE FROM room WHERE key = ?1 AND archived = 1",
    [FIND_ROOM] =
        "SELECT key, id, code, secret, host, created_ms, archived, hash FROM room WHERE id = ?1",
    [READ_LOG] =
        "SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash FROM "
        "archived_event"
        " WHERE room = ?1 ORDER BY seq",
};

int statements_prepare(struct sqlite_store *store)
{
    for (int at = 0; at < STATEMENTS; at++) {
        int code = sqlite3_prepare_v3(store->db, statement_sql[at], -1, SQLITE_PREPARE_PERSISTENT,
                                      &store->statements[at], NULL);
        if (code != SQLITE_OK)
            return code;
    }
    for (size_t at = 0; store_tables[at]; at++) {
        assert(at < STORE_TABLES_MAX);
        int code = row_statements_prepare(store->db, store_tables[at], &store->rows[at]);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

void statements_finalize(struct sqlite_store *store)
{
    for (int at = 0; at < STATEMENTS; at++)
        sqlite3_finalize(store->statements[at]);
    for (size_t at = 0; at < STORE_TABLES_MAX; at++)
        row_statements_finalize(&store->rows[at]);
}

sqlite3_stmt *statement(struct sqlite_store *store, enum statement which)
{
    return store->statements[which];
}
