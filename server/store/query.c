/* Pages of described rows that are asked for. */
#include "database.h"
#include "row_table.h"
#include <assert.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>

static enum store_result no_memory(struct sqlite_store *store)
{
    snprintf(store->message, sizeof store->message, "out of memory");
    return STORE_FAILED;
}

static enum store_result read_page(struct sqlite_store *store, sqlite3_stmt *stmt,
                                   struct store_query *query)
{
    int code;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
        if (!row_take(stmt, query->table, row))
            (void)left_out_row(store, query->table->what);
        else if (!store_query_add(query, row))
            return no_memory(store);
    }
    return code == SQLITE_DONE
               ? STORE_OK
               : database_fail(store->db, code, "reading a page of rows", store->message);
}

enum store_result sqlite_store_query(struct sqlite_store *store, struct store_query *query)
{
    struct sql sql = {.len = 0};
    sqlite3_stmt *stmt = NULL;
    assert(query->parts <= 1 && "it has all parts there are");
    if (!store_query_begin(query))
        return no_memory(store);
    row_sql_query(query, &sql);
    const int code = sqlite3_prepare_v2(store->db, sql.text, -1, &stmt, NULL);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "asking for a page of rows", store->message);
    row_bind_query(stmt, query);
    const enum store_result result = read_page(store, stmt, query);
    sqlite3_finalize(stmt);
    return result;
}
