/* For copying another store into this one: what it holds, and that it is whole. */
#include "commit.h"
#include "queries.sql.h"
#include "row_table.h"
#include <sql/table_sql.h>
#include <stdio.h>

/* Beside the connection of the commits, which is in pipeline mode. */
static enum store_result ask_store(const struct store *store, const char *sql,
                                   const struct params *params, PGresult **rows,
                                   char message[static STORE_MESSAGE_MAX])
{
    const struct engine *engine = (const struct engine *)store;
    struct db db = {.url = &engine->url, .timeouts = engine->timeouts};
    db.timeouts.answer_ms = POSTGRES_LOAD_MS;
    enum db_result result = db_connect(&db, "taluvad, copying");
    *rows = NULL;
    if (result == DB_OK)
        result = db_ask(&db, sql, params, rows);
    if (result != DB_OK)
        snprintf(message, STORE_MESSAGE_MAX, "%s", db.message);
    db_disconnect(&db);
    return result == DB_OK ? STORE_OK : STORE_FAILED;
}

static enum store_result count_table(const struct store *store, const struct store_table *table,
                                     int64_t *count, char message[static STORE_MESSAGE_MAX])
{
    struct sql sql = {.len = 0};
    PGresult *rows;
    pg_row_sql_count(table, &sql);
    const enum store_result result = ask_store(store, sql.text, NULL, &rows, message);
    if (result == STORE_OK)
        *count += cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

enum store_result postgres_store_count(const struct store *store, struct postgres_counts *counts,
                                       char message[static STORE_MESSAGE_MAX])
{
    PGresult *rows;
    enum store_result result = ask_store(store, SQL_COUNT_ALL, NULL, &rows, message);
    if (result == STORE_OK)
        *counts = (struct postgres_counts){
            .sessions = cell_number(rows, 0, 0),
            .rooms = cell_number(rows, 0, 1),
            .archived = cell_number(rows, 0, 2),
            .events = cell_number(rows, 0, 3),
            .guests = cell_number(rows, 0, 4),
        };
    PQclear(rows);
    for (size_t at = 0; store_tables[at] && result == STORE_OK; at++)
        result = count_table(store, store_tables[at], &counts->described, message);
    return result;
}

enum store_result postgres_store_set_whole(const struct store *store, bool whole,
                                           char message[static STORE_MESSAGE_MAX])
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, whole);
    const enum store_result result = ask_store(store, SQL_SET_WHOLE, &params, &rows, message);
    PQclear(rows);
    return result;
}
