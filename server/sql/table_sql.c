#include <sql/table_sql.h>

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- pieces */

void sql_add(struct sql *sql, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(sql->text + sql->len, sizeof sql->text - sql->len, format, args);
    va_end(args);
    assert(len >= 0 && (size_t)len < sizeof sql->text - sql->len);
    sql->len += (size_t)len;
}

/* The first of them, with commas. */
static void add_columns(struct sql *sql, const struct store_table *table, size_t count)
{
    for (size_t at = 0; at < count; at++)
        sql_add(sql, "%s%s", at > 0 ? ", " : "", table->columns[at].name);
}

void sql_add_selection(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_table *table)
{
    sql_add(sql, "SELECT ");
    add_columns(sql, table, table->count);
    sql_add(sql, "%s FROM %s%s", dialect->hash ? ", hash" : "", dialect->schema, table->name);
}

void sql_add_order(struct sql *sql, const struct store_table *table)
{
    sql_add(sql, " ORDER BY ");
    if (table->order)
        sql_add(sql, "%s", table->order);
    else
        add_columns(sql, table, table->keys);
}

static const char *type_of(const struct sql_dialect *dialect, const struct store_column *column)
{
    switch (column->type) {
    case STORE_NUMBER:
        return dialect->number;
    case STORE_BYTES:
        return dialect->bytes;
    case STORE_STRING:
    case STORE_LENT:
    case STORE_TEXT:
        break;
    }
    return dialect->string;
}

/* `at` from 0 on. */
static void add_parameter(struct sql *sql, const struct sql_dialect *dialect, size_t at,
                          const struct store_column *column)
{
    sql_add(sql, "%c%zu", dialect->mark, at + 1);
    if (dialect->casts)
        sql_add(sql, "::%s", type_of(dialect, column));
}

/* ---- statements */

void sql_write_put(struct sql *sql, const struct sql_dialect *dialect,
                   const struct store_table *table)
{
    sql_add(sql, "INSERT INTO %s%s (", dialect->schema, table->name);
    add_columns(sql, table, table->count);
    sql_add(sql, "%s) VALUES (", dialect->hash ? ", hash" : "");
    for (size_t at = 0; at < table->count; at++) {
        sql_add(sql, at > 0 ? ", " : "");
        add_parameter(sql, dialect, at, &table->columns[at]);
    }
    if (dialect->hash)
        sql_add(sql, ", %c%u", dialect->mark, table->count + 1);
    sql_add(sql, ") ON CONFLICT (");
    add_columns(sql, table, table->keys);
    sql_add(sql, ") DO UPDATE SET ");
    for (size_t at = table->keys; at < table->count; at++)
        sql_add(sql, "%s%s = excluded.%s", at > table->keys ? ", " : "", table->columns[at].name,
                table->columns[at].name);
    if (dialect->hash)
        sql_add(sql, "%shash = excluded.hash", table->count > table->keys ? ", " : "");
}

void sql_write_drop(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table)
{
    sql_add(sql, "DELETE FROM %s%s WHERE ", dialect->schema, table->name);
    for (size_t at = 0; at < table->keys; at++) {
        sql_add(sql, "%s%s = ", at > 0 ? " AND " : "", table->columns[at].name);
        add_parameter(sql, dialect, at, &table->columns[at]);
    }
}

/* ---- of a session so many */

static void add_rest_of_key(struct sql *sql, const struct store_table *table, const char *behind)
{
    for (size_t at = 1; at < table->keys; at++)
        sql_add(sql, "%s%s%s", at > 1 ? ", " : "", table->columns[at].name, behind);
}

/* The session is the first parameter. */
static void add_session_is(struct sql *sql, const struct sql_dialect *dialect,
                           const struct store_table *table)
{
    sql_add(sql, " FROM %s%s WHERE %s = ", dialect->schema, table->name, table->columns[0].name);
    add_parameter(sql, dialect, 0, &table->columns[0]);
}

void sql_write_excess(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table)
{
    sql_add(sql, "SELECT ");
    add_rest_of_key(sql, table, "");
    add_session_is(sql, dialect, table);
    sql_add(sql, " ORDER BY ");
    add_rest_of_key(sql, table, " DESC");
    sql_add(sql, " LIMIT 1 OFFSET %c2", dialect->mark);
    if (dialect->casts)
        sql_add(sql, "::%s", dialect->number);
}

static void add_drop_upto(struct sql *sql, const struct sql_dialect *dialect,
                          const struct store_table *table)
{
    sql_add(sql, "DELETE");
    add_session_is(sql, dialect, table);
    sql_add(sql, " AND (");
    add_rest_of_key(sql, table, "");
    sql_add(sql, ") <= (");
}

void sql_write_drop_upto(struct sql *sql, const struct sql_dialect *dialect,
                         const struct store_table *table)
{
    add_drop_upto(sql, dialect, table);
    for (size_t at = 1; at < table->keys; at++) {
        sql_add(sql, at > 1 ? ", " : "");
        add_parameter(sql, dialect, at, &table->columns[at]);
    }
    sql_add(sql, ")");
}

void sql_write_trim(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table)
{
    add_drop_upto(sql, dialect, table);
    sql_write_excess(sql, dialect, table);
    sql_add(sql, ")");
}

/* ---- with their rooms */

void sql_write_let_go(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table, const char *acted)
{
    sql_add(sql, "DELETE FROM %s%s WHERE %s = ", dialect->schema, table->name,
            table->columns[table->room_at].name);
    add_parameter(sql, dialect, 1, &table->columns[table->room_at]);
    sql_add(sql, " AND %s IN (%s)", table->columns[table->owner_at].name, acted);
}

static void add_rooms_of(struct sql *sql, const struct sql_dialect *dialect,
                         const struct store_table *table)
{
    sql_add(sql, "SELECT %s AS room FROM %s%s WHERE %s = %c1", table->columns[table->room_at].name,
            dialect->schema, table->name, table->columns[table->owner_at].name, dialect->mark);
    if (dialect->casts)
        sql_add(sql, "::%s", dialect->number);
}

void sql_write_rooms_of(struct sql *sql, const struct sql_dialect *dialect)
{
    bool any = false;
    for (size_t at = 0; store_tables[at]; at++) {
        if (!store_tables[at]->room_at)
            continue;
        sql_add(sql, any ? " UNION " : "");
        add_rooms_of(sql, dialect, store_tables[at]);
        any = true;
    }
    if (!any)
        sql_add(sql, "SELECT '' AS room WHERE %c1 < 0", dialect->mark);
}

void sql_write_of_room(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_table *table)
{
    sql_add_selection(sql, dialect, table);
    sql_add(sql, " WHERE %s = ", table->columns[table->owner_at].name);
    add_parameter(sql, dialect, 0, &table->columns[table->owner_at]);
    sql_add(sql, " AND %s = ", table->columns[table->room_at].name);
    add_parameter(sql, dialect, 1, &table->columns[table->room_at]);
}

/* ---- tables */

static void add_column(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_table *table, size_t at)
{
    const struct store_column *column = &table->columns[at];
    const bool is_string = column->type != STORE_NUMBER && column->type != STORE_BYTES;
    sql_add(sql, "%s %s%s NOT NULL", column->name, type_of(dialect, column),
            is_string ? dialect->collation : "");
    if (column->type == STORE_BYTES)
        sql_add(sql, " CHECK (length(%s) = %u)", column->name, column->size);
    if (table->owner == STORE_OF_SESSION && at == table->owner_at)
        sql_add(sql, " REFERENCES %ssession (id) ON DELETE CASCADE", dialect->schema);
    sql_add(sql, ", ");
}

static void add_claim(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table, const struct store_column *column)
{
    sql_add(sql, " CREATE UNIQUE INDEX %s_%s ON %s%s (%s) WHERE %s <> %s;", table->name,
            column->name, dialect->schema, table->name, column->name, column->name,
            column->type == STORE_NUMBER ? "0" : "''");
}

static void add_index(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table, const struct store_index *index)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    sql_add(sql, " CREATE INDEX %s_%s ON %s%s (", table->name, index->name, dialect->schema,
            table->name);
    for (size_t at = 0; at < count; at++)
        sql_add(sql, "%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name);
    sql_add(sql, ");");
}

void sql_write_make(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table)
{
    sql_add(sql, "CREATE TABLE %s%s (", dialect->schema, table->name);
    for (size_t at = 0; at < table->count; at++)
        add_column(sql, dialect, table, at);
    if (dialect->hash)
        sql_add(sql, "hash %s NOT NULL, ", dialect->hash);
    sql_add(sql, "PRIMARY KEY (");
    add_columns(sql, table, table->keys);
    sql_add(sql, "))%s;", dialect->options);
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_CLAIM)
            add_claim(sql, dialect, table, &table->columns[at]);
    }
    for (size_t at = 0; at < STORE_INDEXES_MAX && table->indexes[at].name; at++) {
        if (!store_index_is_key(table, &table->indexes[at]))
            add_index(sql, dialect, table, &table->indexes[at]);
    }
}

/* ---- pages */

/* The values that are given for the index's first columns. */
static void add_same(struct sql *sql, const struct sql_dialect *dialect,
                     const struct store_query *query, const uint8_t *columns)
{
    for (size_t at = 0; at < query->index->same; at++) {
        const struct store_column *column = &query->table->columns[columns[at]];
        sql_add(sql, " AND %s = ", column->name);
        add_parameter(sql, dialect, at, column);
    }
}

/* The columns of the order behind those. */
static void add_rest(struct sql *sql, const struct store_query *query, const uint8_t *columns,
                     size_t count)
{
    const size_t from = query->index->same;
    for (size_t at = from; at < count; at++)
        sql_add(sql, "%s%s", at > from ? ", " : "", query->table->columns[columns[at]].name);
}

/* ... of the row of which one column alone is known. */
static void add_looked_up(struct sql *sql, const struct sql_dialect *dialect,
                          const struct store_query *query, const uint8_t *columns, size_t count)
{
    const struct store_column *by = &query->table->columns[query->behind_by];
    sql_add(sql, "SELECT ");
    add_rest(sql, query, columns, count);
    sql_add(sql, " FROM %s%s WHERE TRUE", dialect->schema, query->table->name);
    add_same(sql, dialect, query, columns);
    sql_add(sql, " AND %s = ", by->name);
    add_parameter(sql, dialect, query->index->same, by);
    sql_add(sql, " LIMIT 1");
}

static void add_behind(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_query *query, const uint8_t *columns, size_t count)
{
    const size_t from = query->index->same;
    sql_add(sql, " AND (");
    add_rest(sql, query, columns, count);
    sql_add(sql, ") %c (", query->index->descending ? '<' : '>');
    if (query->behind_by)
        add_looked_up(sql, dialect, query, columns, count);
    for (size_t at = from; at < count && !query->behind_by; at++) {
        sql_add(sql, "%s", at > from ? ", " : "");
        add_parameter(sql, dialect, at, &query->table->columns[columns[at]]);
    }
    sql_add(sql, ")");
}

void sql_begin_query(struct sql *sql, const struct sql_dialect *dialect,
                     const struct store_query *query)
{
    const struct store_table *table = query->table;
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, query->index, columns);
    sql_add_selection(sql, dialect, table);
    sql_add(sql, " WHERE TRUE");
    add_same(sql, dialect, query, columns);
    if (query->behind)
        add_behind(sql, dialect, query, columns, count);
}

void sql_end_query(struct sql *sql, const struct store_query *query)
{
    const struct store_table *table = query->table;
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, query->index, columns);
    sql_add(sql, " ORDER BY ");
    for (size_t at = 0; at < count; at++)
        sql_add(sql, "%s%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name,
                query->index->descending ? " DESC" : "");
    sql_add(sql, " LIMIT %u", (unsigned)query->limit + 1);
}
