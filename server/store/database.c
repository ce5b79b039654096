#include "database.h"

#include "files.h"
#include "queries.sql.h"
#include "schema.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 5000, WAL_HEADER = 32 };

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
    return database_run(*db, SQL_FILE_SETTINGS);
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

/* The copy has no log beside it, and SQLite has checked it. */
static int finish_copy(sqlite3 *target)
{
    int64_t ignored;
    int code = database_read_int(target, "PRAGMA journal_mode = DELETE", &ignored);
    if (code == SQLITE_OK)
        code = database_read_int(target, SQL_IS_WHOLE, &ignored);
    return code;
}

enum store_result database_copy_into(const char *path, sqlite3 *source,
                                     char message[STORE_MESSAGE_MAX])
{
    sqlite3 *target = NULL;
    int code = database_open(path, SQLITE_OPEN_READWRITE, &target);
    if (code == SQLITE_OK)
        code = database_copy(target, source);
    if (code == SQLITE_OK)
        code = finish_copy(target);
    enum store_result result =
        code == SQLITE_OK ? STORE_OK : database_fail(target, code, "copying the store", message);
    sqlite3_close(target);
    return result;
}

enum store_result database_open_unchanged(const char *path, sqlite3 **db,
                                          char message[STORE_MESSAGE_MAX])
{
    bool log = files_has_log(path);
    if (access(path, R_OK) != 0)
        return files_fail("reading", path, message);
    int code = database_open(path, log ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, db);
    if (code == SQLITE_OK && log) {
        sqlite3_db_config(*db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        code = database_run(*db, SQL_READER_SETTINGS);
    }
    return code == SQLITE_OK ? STORE_OK : database_fail(*db, code, "opening the store", message);
}

enum store_result database_identify(sqlite3 *db, int64_t *version, char message[STORE_MESSAGE_MAX])
{
    int64_t application = 0, tables = 0;
    int code = database_read_int(db, "PRAGMA user_version", version);
    if (code == SQLITE_OK)
        code = database_read_int(db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK)
        code = database_read_int(db, SQL_COUNT_SCHEMA, &tables);
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
