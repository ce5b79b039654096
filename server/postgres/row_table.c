#include "row_table.h"

#include <hub/part.h>
#include <sql/table_sql.h>
#include <string.h>

/* ---- SQL */

static const struct sql_dialect dialect = {
    .schema = "taluva.",
    .number = "bigint",
    .bytes = "bytea",
    .string = "text",
    .collation = " COLLATE \"C\"",
    .mark = '$',
    .casts = true,
    .options = "",
};

void pg_row_sql(const struct store_table *table, enum row_statement which, struct sql *sql)
{
    switch (which) {
    case ROW_PUT:
        sql_write_put(sql, &dialect, table);
        return;
    case ROW_DROP:
        sql_write_drop(sql, &dialect, table);
        return;
    case ROW_TRIM:
        sql_write_trim(sql, &dialect, table);
        return;
    }
}

void pg_row_sql_make(const struct store_table *table, struct sql *sql)
{
    sql_write_make(sql, &dialect, table);
}

void pg_row_sql_lacks(const struct store_table *table, struct sql *sql)
{
    sql_add(sql, "SELECT to_regclass('taluva.%s') IS NULL", table->name);
}

static void add_written(struct sql *sql, const struct store_table *table)
{
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_REVISION)
            sql_add(sql, " AND %s > 0", table->columns[at].name);
    }
}

void pg_row_sql_count(const struct store_table *table, struct sql *sql)
{
    sql_add(sql, "SELECT count(*) FROM taluva.%s WHERE true", table->name);
    add_written(sql, table);
}

/* The first parameter is the part, the second how many there are. */
void pg_row_sql_load(const struct store_table *table, struct sql *sql)
{
    sql_add_selection(sql, &dialect, table);
    sql_add(sql, " WHERE ");
    if (table->owner == STORE_OF_SESSION || table->owner == STORE_ADDRESSED)
        sql_add(sql, "taluva.session_part(%s, $2::bigint) = $1::bigint",
                table->columns[table->owner_at].name);
    else
        sql_add(sql, "$1::bigint = 0 AND $2::bigint %s",
                table->owner == STORE_OF_SITE ? "= 1" : "> 0");
    add_written(sql, table);
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_SECRET)
            sql_add(sql, " OR taluva.secret_part(%s, $2::bigint) = $1::bigint",
                    table->columns[at].name);
    }
    sql_add_order(sql, table);
}

void pg_row_sql_let_go(const struct store_table *table, struct sql *sql)
{
    sql_write_let_go(sql, &dialect, table, "SELECT session FROM acted");
}

void pg_row_sql_rooms_of(struct sql *sql)
{
    sql_write_rooms_of(sql, &dialect);
}

static void add_part(struct sql *sql, const struct store_table *table, unsigned part,
                     unsigned parts)
{
    if (table->owner == STORE_OF_DESK || table->owner == STORE_OF_SITE)
        sql_add(sql, " AND %u = 0", part);
    else
        sql_add(sql, " AND taluva.session_part(%s, %u) = %u", table->columns[table->owner_at].name,
                parts, part);
}

void pg_row_sql_query(const struct store_query *query, struct sql *sql)
{
    sql_begin_query(sql, &dialect, query);
    if (query->parts > 0)
        add_part(sql, query->table, query->part, query->parts);
    sql_end_query(sql, query);
}

/* ---- values */

static void add_param(struct params *params, const struct store_column *column, const void *row)
{
    size_t len;
    if (column->type == STORE_NUMBER) {
        params_add_number(params, store_number(column, row));
        return;
    }
    const void *bytes = store_bytes(column, row, &len);
    params_add_bytes(params, bytes, len);
}

void pg_row_params(const struct store_table *table, enum row_statement which, const void *row,
                   struct params *params)
{
    const size_t count = which == ROW_PUT ? table->count : which == ROW_TRIM ? 1U : table->keys;
    for (size_t at = 0; at < count; at++)
        add_param(params, &table->columns[at], row);
}

void pg_row_query_params(const struct store_query *query, struct params *params)
{
    uint8_t columns[STORE_GIVEN_MAX];
    const size_t count = store_query_given(query, columns);
    for (size_t at = 0; at < count; at++)
        add_param(params, &query->table->columns[columns[at]], query->from);
}

bool pg_row_take(const struct store_table *table, const PGresult *rows, int at, void *row)
{
    memset(row, 0, table->size);
    for (int of = 0; of < table->count; of++) {
        const struct store_column *column = &table->columns[of];
        const bool taken = column->type == STORE_NUMBER
                               ? store_set_number(column, row, cell_number(rows, at, of))
                               : store_set_bytes(column, row, PQgetvalue(rows, at, of),
                                                 (size_t)PQgetlength(rows, at, of));
        if (!taken)
            return false;
    }
    return true;
}

unsigned pg_row_part(const struct store_table *table, const void *row, unsigned parts)
{
    return part_of_session(store_home_of(table, row), parts);
}
