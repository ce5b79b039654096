/*
 * Looks at all of a store's file and writes nothing, neither into it nor beside it.
 *
 * A file without a write-ahead log is opened as one that nobody changes, so SQLite makes no files
 * beside it. A log that a crash has left is part of the store: then the file is opened in exclusive
 * mode, where SQLite keeps the index of the log in memory, and the log stays as it is. A store of
 * an older version is migrated in a temporary copy.
 */
#include "database.h"
#include "files.h"
#include "queries.sql.h"
#include "restore.h"
#include "schema.h"
#include <assert.h>
#include <stdio.h>
#include <store/store.h>
#include <string.h>
#include <unistd.h>

static void say_finding(const struct store_check *check, const char *what)
{
    check->finding(check->ctx, what);
}

/* ---- opening */

/* *db becomes a copy in a temporary file, of this program's version. */
static enum store_result migrate_copy(sqlite3 **db, int64_t version,
                                      char message[STORE_MESSAGE_MAX])
{
    sqlite3 *copy = NULL;
    int code = sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK)
        code = database_copy(copy, *db);
    if (code == SQLITE_OK)
        code = database_migrate(copy, version);
    enum store_result result =
        code == SQLITE_OK ? STORE_OK : database_fail(copy, code, "migrating a copy", message);
    sqlite3_close(*db);
    *db = copy;
    return result;
}

/* ---- the file's structure */

static enum store_result check_structure(sqlite3 *db, const struct store_check *check,
                                         char message[STORE_MESSAGE_MAX])
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        char what[STORE_MESSAGE_MAX];
        const char *line = (const char *)sqlite3_column_text(stmt, 0);
        code = SQLITE_OK;
        if (!line || strcmp(line, "ok") == 0)
            continue;
        snprintf(what, sizeof what, "the file: %.400s", line);
        for (char *end = what; (end = strchr(end, '\n'));)
            *end = ' '; /* a finding is a line */
        say_finding(check, what);
    }
    sqlite3_finalize(stmt);
    if (code == SQLITE_DONE || code == SQLITE_OK)
        return STORE_OK;
    enum store_result result = database_fail(db, code, "checking the file", message);
    if (result != STORE_CORRUPT)
        return result;
    say_finding(check, message);
    return STORE_OK;
}

/* ---- the rows */

static void check_live(struct sqlite_store *store, const struct store_check *check)
{
    if (sqlite_store_load(store, &check->live) != STORE_OK)
        say_finding(check, sqlite_store_message(store));
}

static enum store_result hand_over(const struct store_sink *sink,
                                   const struct store_room_read *rows)
{
    int answer = sink->room(sink->ctx, rows->room);
    for (size_t at = 0; at < rows->count && answer >= 0; at++)
        answer = sink->event(sink->ctx, rows->room->seed.id, &rows->events[at]);
    for (size_t at = 0; at < rows->guest_count && answer >= 0; at++)
        answer = sink->guest(sink->ctx, rows->room->seed.id, rows->guests[at]);
    return answer < 0 ? STORE_FAILED : STORE_OK;
}

static enum store_result check_archived_room(struct sqlite_store *store, const char *room_id,
                                             const struct store_sink *sink)
{
    struct sqlite_reading *reading;
    enum store_result result = sqlite_store_read(store, room_id, &reading);
    if (result == STORE_OK && reading->rows.room)
        result = hand_over(sink, &reading->rows);
    sqlite_reading_destroy(reading);
    if (result != STORE_CORRUPT)
        return result;
    return sink->damaged(sink->ctx, room_id, sqlite_store_message(store)) < 0 ? STORE_FAILED
                                                                              : STORE_OK;
}

static void check_archived(struct sqlite_store *store, const struct store_check *check)
{
    sqlite3_stmt *stmt = NULL;
    enum store_result result = STORE_OK;
    int code = sqlite3_prepare_v2(store->db, SQL_ARCHIVED_ROOMS, -1, &stmt, NULL);
    while (code == SQLITE_OK && result == STORE_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        char room_id[9];
        code = SQLITE_OK;
        if (column_string(stmt, 0, room_id, sizeof room_id))
            result = check_archived_room(store, room_id, &check->archived);
        else
            say_finding(check, "the store is damaged: an archived room without a readable id");
    }
    if (code != SQLITE_OK && code != SQLITE_DONE)
        result = database_fail(store->db, code, "reading the archived rooms", store->message);
    sqlite3_finalize(stmt);
    if (result != STORE_OK)
        say_finding(check, sqlite_store_message(store));
}

static void check_orphans(sqlite3 *db, const struct store_check *check)
{
    char what[96];
    int64_t count = 0;
    int code = database_read_int(db, SQL_COUNT_ORPHANS, &count);
    snprintf(what, sizeof what, "the store is damaged: %lld archived events of no archived room",
             (long long)count);
    if (code != SQLITE_OK)
        say_finding(check, "the store is damaged: the archived events cannot be read");
    else if (count > 0)
        say_finding(check, what);
}

/* ---- all of it */

/* Findings in the rows end nothing; without tables, or a copy, there are no rows to look at. */
static void check_rows(sqlite3 **db, int64_t version, const struct store_check *check)
{
    char message[STORE_MESSAGE_MAX];
    struct sqlite_store store = {.lock_fd = -1, .check = check};
    bool lack = version < STORE_VERSION;
    if (!lack && row_tables_lack(*db, &lack) != SQLITE_OK)
        lack = false; /* what cannot be read is said when it is read */
    if (lack && migrate_copy(db, version, message) != STORE_OK) {
        say_finding(check, message);
        return;
    }
    store.db = *db;
    log_ends_init(&store.log_ends);
    int code = database_read_int(store.db, SQL_EPOCH, &store.epoch);
    if (code == SQLITE_OK)
        code = statements_prepare(&store);
    if (code == SQLITE_OK) {
        check_live(&store, check);
        check_archived(&store, check);
        check_orphans(store.db, check);
    } else {
        if ((code & 0xff) != SQLITE_ERROR || !row_tables_differ(store.db, message))
            database_fail(store.db, code, "reading the tables", message);
        say_finding(check, message);
    }
    statements_finalize(&store);
    log_ends_release(&store.log_ends);
}

static enum store_result check_database(sqlite3 **db, const char *path,
                                        const struct store_check *check,
                                        char message[STORE_MESSAGE_MAX])
{
    int64_t version = 0;
    enum store_result result = database_open_unchanged(path, db, message);
    if (result == STORE_OK)
        result = database_identify(*db, &version, message);
    if (result == STORE_OK && version == 0) {
        snprintf(message, STORE_MESSAGE_MAX, "there is no store in %.300s: it is empty", path);
        result = STORE_CORRUPT;
    }
    if (result == STORE_OK)
        result = check_structure(*db, check, message);
    if (result == STORE_OK)
        check_rows(db, version, check);
    return result;
}

enum store_result sqlite_store_check(const char *path, const struct store_check *check,
                                     char message[static STORE_MESSAGE_MAX])
{
    sqlite3 *db = NULL;
    int lock_fd = -1;
    enum store_result result = files_keep_out(path, &lock_fd, message);
    if (result == STORE_OK)
        result = restore_check_done(path, message);
    if (result == STORE_OK)
        result = files_check_whole(path, message);
    if (result == STORE_OK)
        result = check_database(&db, path, check, message);
    int code = sqlite3_close(db);
    assert(code == SQLITE_OK);
    (void)code;
    if (lock_fd >= 0)
        close(lock_fd);
    return result;
}

bool sqlite_store_path(const char *directory, char *path, size_t size)
{
    int len = snprintf(path, size, "%s/%s", directory, STORE_FILE);
    return len > 0 && (size_t)len < size;
}
