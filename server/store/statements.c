/* What stands in statements.sql, prepared once when the store is opened; of described rows that is
 * only looked at then. */
#include "database.h"
#include "statements.sql.h"
#include <assert.h>

/* Another row of the same statement. */
#define AND_ROW    ", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#define AND_ROWS_2 AND_ROW AND_ROW

static const char *const statement_sql[STATEMENTS] = {
    [BEGIN] = SQL_BEGIN,
    [COMMIT] = SQL_COMMIT,
    [ROLLBACK] = SQL_ROLLBACK,
    [READ_EPOCH] = SQL_READ_EPOCH,
    [TAKE_EPOCH] = SQL_TAKE_EPOCH,
    [PROBE] = SQL_PROBE,
    [PUT_SESSION] = SQL_PUT_SESSION,
    [DROP_SESSION] = SQL_DROP_SESSION,
    [PUT_ROOM] = SQL_PUT_ROOM,
    [APPEND_1] = SQL_APPEND,
    [APPEND_2] = SQL_APPEND AND_ROW,
    [APPEND_4] = SQL_APPEND AND_ROW AND_ROWS_2,
    [APPEND_8] = SQL_APPEND AND_ROW AND_ROWS_2 AND_ROWS_2 AND_ROWS_2,
    [PUT_END] = SQL_PUT_END,
    [READ_ROOM_HASH] = SQL_READ_ROOM_HASH,
    [ARCHIVE_ROOM] = SQL_ARCHIVE_ROOM,
    [ARCHIVE_LOG] = SQL_ARCHIVE_LOG,
    [DROP_LOG] = SQL_DROP_LOG,
    [DROP_ROOM] = SQL_DROP_ROOM,
    [LET_IN] = SQL_LET_IN,
    [LET_OUT] = SQL_LET_OUT,
    [READ_GUESTS] = SQL_READ_GUESTS,
    [COUNT_LETTERS] = SQL_COUNT_LETTERS,
    [COUNT_LETTERS_TO] = SQL_COUNT_LETTERS_TO,
    [LOOK_AT_ROOMS] = SQL_LOOK_AT_ROOMS,
    [END_OF_LOG] = SQL_END_OF_LOG,
    [DROP_ARCHIVED] = SQL_DROP_ARCHIVED,
    [REWRITE_EVENT] = SQL_REWRITE_EVENT,
    [REWRITE_ROOM] = SQL_REWRITE_ROOM,
    [HANDED_ROOM] = SQL_HANDED_ROOM,
    [SESSION_IS_THERE] = SQL_SESSION_IS_THERE,
    [HANDED_LOG] = SQL_HANDED_LOG,
    [HAND_EVENT] = SQL_HAND_EVENT,
    [HAND_ARCHIVED_EVENT] = SQL_HAND_ARCHIVED_EVENT,
    [HAND_ROW] = SQL_HAND_ROW,
    [FIND_ROOM] = SQL_FIND_ROOM,
    [READ_LOG] = SQL_READ_LOG,
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
        int code = row_table_check(store->db, store_tables[at]);
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
    for (size_t at = 0; at < PAGE_STATEMENTS; at++)
        sqlite3_finalize(store->pages[at].stmt);
}

sqlite3_stmt *statement(struct sqlite_store *store, enum statement which)
{
    return store->statements[which];
}
