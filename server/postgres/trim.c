#include "trim.h"

#include "queries.sql.h"
#include "row_table.h"
#include <sql/table_sql.h>

static void write_drop_match(struct sql *sql)
{
    sql_add(sql, "%s", SQL_DROP_LOG);
    for (size_t at = 0; store_tables[at]; at++) {
        if (!store_tables[at]->room_at)
            continue;
        sql_add(sql, ", rows%zu AS (", at);
        pg_row_sql_let_go(store_tables[at], sql);
        sql_add(sql, ")");
    }
    sql_add(sql, " %s", SQL_DROP_ROOM);
}

static enum db_result drop_match(struct db *db, int64_t key, const char *room_id)
{
    struct sql sql = {.len = 0};
    struct params params = {0};
    PGresult *rows;
    write_drop_match(&sql);
    params_add_number(&params, key);
    params_add_text(&params, room_id);
    const enum db_result result = db_ask(db, sql.text, &params, &rows);
    PQclear(rows);
    return result;
}

/* A log that has lost all its events is of an unknown time, and stays. */
static enum db_result look_at(struct db *db, const PGresult *rows, int row, struct store_trim *trim)
{
    char room_id[9];
    trim->after = cell_number(rows, row, 0);
    if (PQgetisnull(rows, row, 2) || !cell_string(rows, row, 1, room_id, sizeof room_id) ||
        !store_trim_takes(trim, cell_number(rows, row, 2), cell_number(rows, row, 3)))
        return DB_OK;
    return drop_match(db, trim->after, room_id);
}

static enum db_result trim_named(struct db *db, struct part part, struct store_trim *trim)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, trim->room_id);
    params_add_number(&params, part.number);
    params_add_number(&params, part.count);
    enum db_result result = db_ask(db, SQL_LOOK_AT_ROOM, &params, &rows);
    if (result == DB_OK && PQntuples(rows) > 0) {
        trim->dropped[STORE_MATCH_SOLO]++;
        result = drop_match(db, cell_number(rows, 0, 0), trim->room_id);
    }
    PQclear(rows);
    return result;
}

static enum db_result trim_by_bounds(struct db *db, struct part part, struct store_trim *trim)
{
    const int looks = STORE_TRIM_LOOKS * (int)part.count;
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, trim->after);
    params_add_number(&params, looks);
    params_add_number(&params, part.number);
    params_add_number(&params, part.count);
    enum db_result result = db_ask(db, SQL_LOOK_AT_ROOMS, &params, &rows);
    if (result != DB_OK)
        return result;
    int row;
    for (row = 0; row < PQntuples(rows) && result == DB_OK && !store_trim_is_full(trim); row++)
        result = look_at(db, rows, row, trim);
    trim->end = row == PQntuples(rows) && row < looks;
    PQclear(rows);
    return result;
}

enum db_result trim_rooms(struct db *db, struct part part, struct store_trim *trim)
{
    store_trim_begin(trim);
    const enum db_result result = db_run(db, SQL_COMMIT_WITHOUT_WAITING);
    if (result != DB_OK)
        return result;
    return trim->room_id[0] ? trim_named(db, part, trim) : trim_by_bounds(db, part, trim);
}
