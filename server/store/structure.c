#include "structure.h"

#include "database.h"
#include "queries.sql.h"
#include <stdio.h>
#include <string.h>

/* `text` is "*** in database main ***", and in the next line what is wrong. */
static enum store_result fail_structure(const char *text, char message[STORE_MESSAGE_MAX])
{
    const char *line = strchr(text, '\n');
    snprintf(message, STORE_MESSAGE_MAX, "the structure of the file is damaged: %.300s",
             line ? line + 1 : text);
    /* Of a page that the disk does not give SQLite says "failed to get page N", or "unable to get
     * the page": another try may read it. */
    return strstr(message, "get page") || strstr(message, "get the page") ? STORE_FAILED
                                                                          : STORE_CORRUPT;
}

enum store_result structure_check(sqlite3 *db, char message[STORE_MESSAGE_MAX])
{
    sqlite3_stmt *stmt = NULL;
    enum store_result result = STORE_OK;
    int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    /* One row: a fault of the structure, else one of single rows, else "ok". */
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    if (text && strncmp(text, "***", 3) == 0)
        result = fail_structure(text, message);
    else if (!text)
        result = database_fail_schema(db, code == SQLITE_ROW ? SQLITE_NOMEM : code,
                                      "checking the file", message);
    sqlite3_finalize(stmt);
    return result;
}

enum store_result structure_check_init(struct structure_check *check, const char *path,
                                       char message[STORE_MESSAGE_MAX])
{
    int code = database_open(path, SQLITE_OPEN_READWRITE, &check->db);
    if (code == SQLITE_OK)
        code = database_run(check->db, SQL_CHECKER_SETTINGS);
    if (code == SQLITE_OK)
        return STORE_OK;
    enum store_result result = database_fail(check->db, code, "opening the store twice", message);
    structure_check_release(check);
    return result;
}

void structure_check_release(struct structure_check *check)
{
    sqlite3_close(check->db);
    check->db = NULL;
}

/*
 * SQLite forgets an interruption when a statement begins while no other one is running. So one is
 * held open, and `stopped` is looked at after it has begun: a later interruption reaches the check.
 */
static enum store_result run_held(struct structure_check *check, sqlite3_stmt *held,
                                  char message[STORE_MESSAGE_MAX])
{
    int code = sqlite3_step(held);
    if (code != SQLITE_ROW)
        return database_fail_schema(check->db, code == SQLITE_DONE ? SQLITE_CORRUPT : code,
                                    "checking the file", message);
    if (!atomic_load(&check->stopped)) {
        enum store_result result = structure_check(check->db, message);
        /* Of an interrupted check SQLite may say that pages are missing. */
        if (!atomic_load(&check->stopped))
            return result;
    }
    snprintf(message, STORE_MESSAGE_MAX, "checking the file: stopped");
    return STORE_FAILED;
}

/*
 * All of the file in one snapshot: table by table, pages that two tables share and those of the
 * free list would not be checked, and nearly all of a large store is in one table anyway.
 */
enum store_result structure_check_run(struct structure_check *check,
                                      char message[STORE_MESSAGE_MAX])
{
    sqlite3_stmt *held = NULL;
    int code = sqlite3_prepare_v2(check->db, SQL_ANY_OF_SCHEMA, -1, &held, NULL);
    enum store_result result =
        code == SQLITE_OK ? run_held(check, held, message)
                          : database_fail_schema(check->db, code, "checking the file", message);
    sqlite3_finalize(held);
    return result;
}

void structure_check_stop(struct structure_check *check)
{
    atomic_store(&check->stopped, true);
    sqlite3_interrupt(check->db);
}
