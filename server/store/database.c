#include "database.h"

#include "files.h"
#include "schema.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { BUSY_MS = 5000, WAL_HEADER = 32 };

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
    [FIND_ROOM] =
        "SELECT key, id, code, secret, host, created_ms, archived, hash FROM room WHERE id = ?1",
    [READ_LOG] =
        "SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash FROM "
        "archived_event"
        " WHERE room = ?1 ORDER BY seq",
};

enum { URI_SIZE = 3 * FILES_PATH_SIZE + 32 };

/* Of a file that nobody changes while it is open. */
static void immutable_uri(char uri[URI_SIZE], const char *path)
{
    static const char digits[] = "0123456789abcdef";
    char encoded[3 * FILES_PATH_SIZE], *at = encoded;
    for (; *path; path++) {
        const unsigned char byte = (unsigned char)*path;
        if (isalnum(byte) || strchr("/._-", byte)) {
            *at++ = (char)byte;
        } else {
            *at++ = '%';
            *at++ = digits[byte >> 4];
            *at++ = digits[byte & 15];
        }
    }
    snprintf(uri, URI_SIZE, "file:%.*s?immutable=1", (int)(at - encoded), encoded);
}

int database_open(const char *path, int flags, sqlite3 **db)
{
    char resolved[FILES_PATH_SIZE];
    *db = NULL;
    if (!files_resolve(resolved, path))
        return SQLITE_CANTOPEN;
    char name[URI_SIZE];
    if (flags & SQLITE_OPEN_READONLY) {
        flags |= SQLITE_OPEN_URI;
        immutable_uri(name, resolved);
    } else {
        memcpy(name, resolved, sizeof resolved);
    }
    flags |= SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(name, db, flags, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_busy_timeout(*db, BUSY_MS);
    return database_run(*db, "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;"
                             "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;");
}

int database_run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

int database_read_int(sqlite3 *db, const char *sql, int64_t *value)
{
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *value = sqlite3_column_int64(stmt, 0);
    int end = sqlite3_finalize(stmt);
    if (end != SQLITE_OK)
        return end; /* the row of a statement that writes is worth nothing before this */
    return code == SQLITE_ROW ? SQLITE_OK : SQLITE_CORRUPT;
}

int database_copy(sqlite3 *target, sqlite3 *source)
{
    sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
    if (!backup)
        return sqlite3_errcode(target);
    int code = sqlite3_backup_step(backup, -1);
    int end = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? SQLITE_OK : end != SQLITE_OK ? end : code;
}

enum store_result database_identify(sqlite3 *db, int64_t *version, char message[STORE_MESSAGE_MAX])
{
    int64_t application = 0, tables = 0;
    int code = database_read_int(db, "PRAGMA user_version", version);
    if (code == SQLITE_OK)
        code = database_read_int(db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK)
        code = database_read_int(db, "SELECT count(*) FROM sqlite_schema", &tables);
    if (code != SQLITE_OK)
        return database_fail_schema(db, code, "reading the store", message);
    if (*version == 0 && application == 0 && tables == 0)
        return STORE_OK;
    if (application != STORE_APPLICATION_ID || *version < 1) {
        snprintf(message, STORE_MESSAGE_MAX, "the file is not a store of this program");
        return STORE_CORRUPT;
    }
    if (*version > STORE_VERSION) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "the store has version %lld, and this program knows up to %d: use a newer one",
                 (long long)*version, STORE_VERSION);
        return STORE_NEWER;
    }
    return STORE_OK;
}

enum store_result database_result(sqlite3 *db, int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return STORE_OK;
    case SQLITE_FULL:
        return STORE_FULL;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return STORE_CORRUPT;
    case SQLITE_IOERR:
        return files_out_of_space(sqlite3_system_errno(db)) ? STORE_FULL : STORE_FAILED;
    default:
        return STORE_FAILED;
    }
}

enum store_result database_fail(sqlite3 *db, int code, const char *what,
                                char message[STORE_MESSAGE_MAX])
{
    enum store_result result = database_result(db, code);
    int system_errno = sqlite3_system_errno(db);
    snprintf(message, STORE_MESSAGE_MAX, "%s: %s (%d%s%s)", what, sqlite3_errstr(code), code,
             system_errno ? ", " : "", system_errno ? strerror(system_errno) : "");
    return result;
}

enum store_result database_fail_schema(sqlite3 *db, int code, const char *what,
                                       char message[STORE_MESSAGE_MAX])
{
    enum store_result result = database_fail(db, code, what, message);
    return (code & 0xff) == SQLITE_ERROR ? STORE_CORRUPT : result;
}

int64_t database_log_bytes(const struct sqlite_store *store)
{
    return store->log_frames > 0 ? WAL_HEADER + store->log_frames * store->frame_bytes : 0;
}

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

int statement_run(sqlite3_stmt *stmt)
{
    int code = sqlite3_step(stmt);
    assert(code != SQLITE_ROW);
    sqlite3_reset(stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Nothing here is copied or converted, so only a wrong `at` could fail. */
void bind_int(sqlite3_stmt *stmt, int at, int64_t value)
{
    int code = sqlite3_bind_int64(stmt, at, value);
    assert(code == SQLITE_OK);
    (void)code;
}

void bind_text(sqlite3_stmt *stmt, int at, const char *text, size_t len)
{
    int code = sqlite3_bind_text64(stmt, at, text ? text : "", len, SQLITE_STATIC, SQLITE_UTF8);
    assert(code == SQLITE_OK);
    (void)code;
}

void bind_blob(sqlite3_stmt *stmt, int at, const void *bytes, size_t len)
{
    int code = sqlite3_bind_blob64(stmt, at, bytes, len, SQLITE_STATIC);
    assert(code == SQLITE_OK);
    (void)code;
}

bool column_bytes(sqlite3_stmt *stmt, int at, void *bytes, size_t len)
{
    const void *from = sqlite3_column_blob(stmt, at);
    if (!from || (size_t)sqlite3_column_bytes(stmt, at) != len)
        return false;
    memcpy(bytes, from, len);
    return true;
}

bool column_string(sqlite3_stmt *stmt, int at, char *string, size_t size)
{
    const unsigned char *from = sqlite3_column_text(stmt, at);
    size_t len = from ? (size_t)sqlite3_column_bytes(stmt, at) : size;
    if (len >= size || memchr(from, 0, len))
        return false;
    memcpy(string, from, len);
    string[len] = 0;
    return true;
}
