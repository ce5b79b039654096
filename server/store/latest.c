#include "queries.sql.h"
#include <sqlite3.h>
#include <stdio.h>
#include <store/store.h>

static int ask_latest(sqlite3 *database, int64_t *latest_ms)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database, SQL_LATEST, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *latest_ms = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code;
}

enum store_result sqlite_store_latest(const char *path, int64_t *latest_ms,
                                      char message[static STORE_MESSAGE_MAX])
{
    sqlite3 *database = NULL;
    *latest_ms = 0;
    int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        code = ask_latest(database, latest_ms);
    if (code != SQLITE_ROW)
        snprintf(message, STORE_MESSAGE_MAX, "%.300s: %s", path,
                 database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
    sqlite3_close(database);
    return code == SQLITE_ROW ? STORE_OK : STORE_FAILED;
}
