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
        if (!row_take(stmt, query->table, row)) {
            (void)left_out_row(store, query->table->what);
            store_query_leave_out(query);
        } else if (!store_query_add(query, row)) {
            return no_memory(store);
        }
    }
    return code == SQLITE_DONE
               ? STORE_OK
               : database_fail(store->db, code, "reading a page of rows", store->message);
}

/* ---- prepared ones */

static struct page_statement *find_page(struct sqlite_store *store, const struct store_query *query)
{
    for (size_t at = 0; at < PAGE_STATEMENTS; at++) {
        struct page_statement *page = &store->pages[at];
        if (page->index == query->index && page->limit == query->limit &&
            page->behind == query->behind && page->behind_by == query->behind_by)
            return page;
    }
    return NULL;
}

/* NULL: SQLite says why with *code. */
static struct page_statement *prepare_page(struct sqlite_store *store,
                                           const struct store_query *query, int *code)
{
    struct page_statement *page = &store->pages[store->next_page++ % PAGE_STATEMENTS];
    struct sql sql = {.len = 0};
    sqlite3_finalize(page->stmt);
    *page = (struct page_statement){0};
    row_sql_query(query, &sql);
    *code =
        sqlite3_prepare_v3(store->db, sql.text, -1, SQLITE_PREPARE_PERSISTENT, &page->stmt, NULL);
    if (*code != SQLITE_OK)
        return NULL;
    *page = (struct page_statement){query->index, query->limit, query->behind, query->behind_by,
                                    page->stmt};
    return page;
}

enum store_result sqlite_store_query(struct sqlite_store *store, struct store_query *query)
{
    int code = SQLITE_OK;
    assert(query->parts <= 1 && "it has all parts there are");
    if (!store_query_begin(query))
        return no_memory(store);
    struct page_statement *page = find_page(store, query);
    if (!page)
        page = prepare_page(store, query, &code);
    if (!page)
        return database_fail(store->db, code, "asking for a page of rows", store->message);
    row_bind_query(page->stmt, query);
    const enum store_result result = read_page(store, page->stmt, query);
    sqlite3_reset(page->stmt); /* else what is read stays as it is for the log */
    return result;
}
