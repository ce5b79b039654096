#include "row_table.h"

#include <assert.h>
#include <hub/part.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- SQL */

struct sql {
    char *text;
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct sql *sql, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(sql->text + sql->len, ROW_SQL_SIZE - sql->len, format, args);
    va_end(args);
    assert(len >= 0 && (size_t)len < ROW_SQL_SIZE - sql->len);
    sql->len += (size_t)len;
}

static void add_columns(struct sql *sql, const struct store_table *table, size_t count)
{
    for (size_t at = 0; at < count; at++)
        add(sql, "%s%s", at > 0 ? ", " : "", table->columns[at].name);
}

static const char *type_of(const struct store_column *column)
{
    switch (column->type) {
    case STORE_NUMBER:
        return "bigint";
    case STORE_BYTES:
        return "bytea";
    case STORE_STRING:
    case STORE_LENT:
    case STORE_TEXT:
        break;
    }
    return "text";
}

static void write_put(struct sql *sql, const struct store_table *table)
{
    add(sql, "INSERT INTO taluva.%s (", table->name);
    add_columns(sql, table, table->count);
    add(sql, ") VALUES (");
    for (unsigned at = 0; at < table->count; at++)
        add(sql, "%s$%u::%s", at > 0 ? ", " : "", at + 1, type_of(&table->columns[at]));
    add(sql, ") ON CONFLICT (");
    add_columns(sql, table, table->keys);
    add(sql, ") DO UPDATE SET ");
    for (size_t at = table->keys; at < table->count; at++)
        add(sql, "%s%s = EXCLUDED.%s", at > table->keys ? ", " : "", table->columns[at].name,
            table->columns[at].name);
}

static void write_drop(struct sql *sql, const struct store_table *table)
{
    add(sql, "DELETE FROM taluva.%s WHERE ", table->name);
    for (unsigned at = 0; at < table->keys; at++)
        add(sql, "%s%s = $%u::%s", at > 0 ? " AND " : "", table->columns[at].name, at + 1,
            type_of(&table->columns[at]));
}

void pg_row_sql(const struct store_table *table, enum row_statement which,
                char sql[static ROW_SQL_SIZE])
{
    struct sql written = {.text = sql};
    switch (which) {
    case ROW_PUT:
        write_put(&written, table);
        return;
    case ROW_DROP:
        write_drop(&written, table);
        return;
    }
}

static void write_column(struct sql *sql, const struct store_table *table, size_t at)
{
    const struct store_column *column = &table->columns[at];
    add(sql, "%s %s%s NOT NULL", column->name, type_of(column),
        column->type == STORE_NUMBER || column->type == STORE_BYTES ? "" : " COLLATE \"C\"");
    if (column->type == STORE_BYTES)
        add(sql, " CHECK (length(%s) = %u)", column->name, column->size);
    if (table->owner == STORE_OF_SESSION && at == table->owner_at)
        add(sql, " REFERENCES taluva.session (id) ON DELETE CASCADE");
    add(sql, ", ");
}

static void write_index(struct sql *sql, const struct store_table *table,
                        const struct store_index *index)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    add(sql, " CREATE INDEX %s_%s ON taluva.%s (", table->name, index->name, table->name);
    for (size_t at = 0; at < count; at++)
        add(sql, "%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name);
    add(sql, ");");
}

void pg_row_sql_make(const struct store_table *table, char sql[static ROW_SQL_SIZE])
{
    struct sql make = {.text = sql};
    add(&make, "CREATE TABLE taluva.%s (", table->name);
    for (size_t at = 0; at < table->count; at++)
        write_column(&make, table, at);
    add(&make, "PRIMARY KEY (");
    add_columns(&make, table, table->keys);
    add(&make, "));");
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        if (column->flags & STORE_CLAIM)
            add(&make, " CREATE UNIQUE INDEX %s_%s ON taluva.%s (%s) WHERE %s <> %s;", table->name,
                column->name, table->name, column->name, column->name,
                column->type == STORE_NUMBER ? "0" : "''");
    }
    for (size_t at = 0; at < STORE_INDEXES_MAX && table->indexes[at].name; at++)
        write_index(&make, table, &table->indexes[at]);
}

void pg_row_sql_lacks(const struct store_table *table, char sql[static ROW_SQL_SIZE])
{
    snprintf(sql, ROW_SQL_SIZE, "SELECT to_regclass('taluva.%s') IS NULL", table->name);
}

static void add_written(struct sql *sql, const struct store_table *table)
{
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_REVISION)
            add(sql, " AND %s > 0", table->columns[at].name);
    }
}

void pg_row_sql_count(const struct store_table *table, char sql[static ROW_SQL_SIZE])
{
    struct sql count = {.text = sql};
    add(&count, "SELECT count(*) FROM taluva.%s WHERE true", table->name);
    add_written(&count, table);
}

/* The first parameter is the part, the second how many there are. */
void pg_row_sql_load(const struct store_table *table, char sql[static ROW_SQL_SIZE])
{
    struct sql load = {.text = sql};
    add(&load, "SELECT ");
    add_columns(&load, table, table->count);
    add(&load, " FROM taluva.%s WHERE ", table->name);
    if (table->owner == STORE_OF_SESSION)
        add(&load, "taluva.session_part(%s, $2::bigint) = $1::bigint",
            table->columns[table->owner_at].name);
    else
        add(&load, "$1::bigint = 0 AND $2::bigint %s",
            table->owner == STORE_OF_SITE ? "= 1" : "> 0");
    add_written(&load, table);
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_SECRET)
            add(&load, " OR taluva.secret_part(%s, $2::bigint) = $1::bigint",
                table->columns[at].name);
    }
    add(&load, " ORDER BY ");
    if (table->order)
        add(&load, "%s", table->order);
    else
        add_columns(&load, table, table->keys);
}

/* Behind the values that are given for the index's first columns. */
static void add_behind(struct sql *sql, const struct store_table *table,
                       const struct store_index *index, const uint8_t *columns, size_t count)
{
    add(sql, " AND (");
    for (size_t at = index->same; at < count; at++)
        add(sql, "%s%s", at > index->same ? ", " : "", table->columns[columns[at]].name);
    add(sql, ") %c (", index->descending ? '<' : '>');
    for (size_t at = index->same; at < count; at++)
        add(sql, "%s$%u::%s", at > index->same ? ", " : "", (unsigned)at + 1,
            type_of(&table->columns[columns[at]]));
    add(sql, ")");
}

static void add_part(struct sql *sql, const struct store_table *table, unsigned part,
                     unsigned parts)
{
    if (table->owner == STORE_OF_DESK || table->owner == STORE_OF_SITE)
        add(sql, " AND %u = 0", part);
    else
        add(sql, " AND taluva.session_part(%s, %u) = %u", table->columns[table->owner_at].name,
            parts, part);
}

void pg_row_sql_query(const struct store_query *query, char sql[static ROW_SQL_SIZE])
{
    const struct store_table *table = query->table;
    const struct store_index *index = query->index;
    struct sql asked = {.text = sql};
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    add(&asked, "SELECT ");
    add_columns(&asked, table, table->count);
    add(&asked, " FROM taluva.%s WHERE TRUE", table->name);
    for (unsigned at = 0; at < index->same; at++)
        add(&asked, " AND %s = $%u::%s", table->columns[columns[at]].name, at + 1,
            type_of(&table->columns[columns[at]]));
    if (query->behind)
        add_behind(&asked, table, index, columns, count);
    if (query->parts > 0)
        add_part(&asked, table, query->part, query->parts);
    add(&asked, " ORDER BY ");
    for (size_t at = 0; at < count; at++)
        add(&asked, "%s%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name,
            index->descending ? " DESC" : "");
    add(&asked, " LIMIT %u", (unsigned)query->limit + 1);
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
    const size_t count = which == ROW_PUT ? table->count : table->keys;
    for (size_t at = 0; at < count; at++)
        add_param(params, &table->columns[at], row);
}

void pg_row_query_params(const struct store_query *query, struct params *params)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t order = store_index_order(query->table, query->index, columns);
    const size_t count = query->behind ? order : query->index->same;
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
