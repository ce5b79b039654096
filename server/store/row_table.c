#include "row_table.h"

#include "database.h"
#include "rows.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- SQL */

struct sql {
    char text[ROW_SQL_SIZE];
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct sql *sql, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(sql->text + sql->len, sizeof sql->text - sql->len, format, args);
    va_end(args);
    assert(len >= 0 && (size_t)len < sizeof sql->text - sql->len);
    sql->len += (size_t)len;
}

static void add_columns(struct sql *sql, const struct store_table *table, size_t count)
{
    for (size_t at = 0; at < count; at++)
        add(sql, "%s%s", at > 0 ? ", " : "", table->columns[at].name);
}

static void write_put(struct sql *sql, const struct store_table *table)
{
    add(sql, "INSERT INTO %s (", table->name);
    add_columns(sql, table, table->count);
    add(sql, ", hash) VALUES (?1");
    for (unsigned at = 1; at <= table->count; at++)
        add(sql, ", ?%u", at + 1);
    add(sql, ") ON CONFLICT (");
    add_columns(sql, table, table->keys);
    add(sql, ") DO UPDATE SET ");
    for (size_t at = table->keys; at < table->count; at++)
        add(sql, "%s = excluded.%s, ", table->columns[at].name, table->columns[at].name);
    add(sql, "hash = excluded.hash");
}

static void write_drop(struct sql *sql, const struct store_table *table)
{
    add(sql, "DELETE FROM %s WHERE ", table->name);
    for (unsigned at = 0; at < table->keys; at++)
        add(sql, "%s%s = ?%u", at > 0 ? " AND " : "", table->columns[at].name, at + 1);
}

void row_sql_load(const struct store_table *table, char sql[static ROW_SQL_SIZE])
{
    struct sql load = {.len = 0};
    add(&load, "SELECT ");
    add_columns(&load, table, table->count);
    add(&load, ", hash FROM %s ORDER BY ", table->name);
    if (table->order)
        add(&load, "%s", table->order);
    else
        add_columns(&load, table, table->keys);
    memcpy(sql, load.text, load.len + 1);
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
        add(sql, "%s?%u", at > index->same ? ", " : "", (unsigned)at + 1);
    add(sql, ")");
}

void row_sql_query(const struct store_query *query, char sql[static ROW_SQL_SIZE])
{
    const struct store_table *table = query->table;
    const struct store_index *index = query->index;
    struct sql asked = {.len = 0};
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    add(&asked, "SELECT ");
    add_columns(&asked, table, table->count);
    add(&asked, ", hash FROM %s WHERE TRUE", table->name);
    for (unsigned at = 0; at < index->same; at++)
        add(&asked, " AND %s = ?%u", table->columns[columns[at]].name, at + 1);
    if (query->behind)
        add_behind(&asked, table, index, columns, count);
    add(&asked, " ORDER BY ");
    for (size_t at = 0; at < count; at++)
        add(&asked, "%s%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name,
            index->descending ? " DESC" : "");
    add(&asked, " LIMIT %u", (unsigned)query->limit + 1);
    memcpy(sql, asked.text, asked.len + 1);
}

static int prepare(sqlite3 *db, const struct store_table *table,
                   void (*write)(struct sql *, const struct store_table *), sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    write(&sql, table);
    return sqlite3_prepare_v3(db, sql.text, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
}

int row_statements_prepare(sqlite3 *db, const struct store_table *table,
                           struct row_statements *statements)
{
    int code = prepare(db, table, write_put, &statements->put);
    return code == SQLITE_OK ? prepare(db, table, write_drop, &statements->drop) : code;
}

void row_statements_finalize(struct row_statements *statements)
{
    sqlite3_finalize(statements->put);
    sqlite3_finalize(statements->drop);
    *statements = (struct row_statements){0};
}

/* ---- tables that are not there yet */

static void write_column(struct sql *sql, const struct store_table *table, size_t at)
{
    const struct store_column *column = &table->columns[at];
    const char *type = column->type == STORE_NUMBER  ? "INTEGER"
                       : column->type == STORE_BYTES ? "BLOB"
                                                     : "TEXT";
    add(sql, "%s %s NOT NULL", column->name, type);
    if (column->type == STORE_BYTES)
        add(sql, " CHECK (length(%s) = %u)", column->name, column->size);
    if (table->owner == STORE_OF_SESSION && at == table->owner_at)
        add(sql, " REFERENCES session (id) ON DELETE CASCADE");
    add(sql, ", ");
}

static void write_index(struct sql *sql, const struct store_table *table,
                        const struct store_index *index)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    add(sql, " CREATE INDEX %s_%s ON %s (", table->name, index->name, table->name);
    for (size_t at = 0; at < count; at++)
        add(sql, "%s%s", at > 0 ? ", " : "", table->columns[columns[at]].name);
    add(sql, ");");
}

static void write_make(struct sql *sql, const struct store_table *table)
{
    add(sql, "BEGIN EXCLUSIVE; CREATE TABLE %s (", table->name);
    for (size_t at = 0; at < table->count; at++)
        write_column(sql, table, at);
    add(sql, "hash BLOB NOT NULL, PRIMARY KEY (");
    add_columns(sql, table, table->keys);
    add(sql, ")) STRICT, WITHOUT ROWID;");
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        if (column->flags & STORE_CLAIM)
            add(sql, " CREATE UNIQUE INDEX %s_%s ON %s (%s) WHERE %s <> %s;", table->name,
                column->name, table->name, column->name, column->name,
                column->type == STORE_NUMBER ? "0" : "''");
    }
    for (size_t at = 0; at < STORE_INDEXES_MAX && table->indexes[at].name; at++)
        write_index(sql, table, &table->indexes[at]);
    add(sql, " COMMIT");
}

static int is_missing(sqlite3 *db, const struct store_table *table, bool *missing)
{
    char sql[128];
    int64_t count = 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", table->name);
    const int code = database_read_int(db, sql, &count);
    *missing = count == 0;
    return code;
}

int row_tables_lack(sqlite3 *db, bool *lack)
{
    int code = SQLITE_OK;
    *lack = false;
    for (size_t at = 0; store_tables[at] && code == SQLITE_OK && !*lack; at++)
        code = is_missing(db, store_tables[at], lack);
    return code;
}

int row_tables_make(sqlite3 *db)
{
    int code = SQLITE_OK;
    for (size_t at = 0; store_tables[at] && code == SQLITE_OK; at++) {
        struct sql sql = {.len = 0};
        bool missing = false;
        code = is_missing(db, store_tables[at], &missing);
        if (code != SQLITE_OK || !missing)
            continue;
        write_make(&sql, store_tables[at]);
        code = database_run(db, sql.text);
    }
    return code;
}

/* ---- values */

static void bind_column(sqlite3_stmt *stmt, int at, const struct store_column *column,
                        const void *row)
{
    size_t len;
    if (column->type == STORE_NUMBER) {
        bind_int(stmt, at, store_number(column, row));
        return;
    }
    const void *bytes = store_bytes(column, row, &len);
    if (column->type == STORE_BYTES)
        bind_blob(stmt, at, bytes, len);
    else
        bind_text(stmt, at, bytes, len);
}

static void bind_columns(sqlite3_stmt *stmt, const struct store_table *table, size_t count,
                         const void *row)
{
    for (size_t at = 0; at < count; at++)
        bind_column(stmt, (int)at + 1, &table->columns[at], row);
}

void row_bind_query(sqlite3_stmt *stmt, const struct store_query *query)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t order = store_index_order(query->table, query->index, columns);
    const size_t count = query->behind ? order : query->index->same;
    for (size_t at = 0; at < count; at++)
        bind_column(stmt, (int)at + 1, &query->table->columns[columns[at]], query->from);
}

static bool take_column(sqlite3_stmt *stmt, int at, const struct store_column *column, void *row)
{
    if (column->type == STORE_NUMBER)
        return store_set_number(column, row, sqlite3_column_int64(stmt, at));
    const void *bytes =
        column->type == STORE_BYTES ? sqlite3_column_blob(stmt, at) : sqlite3_column_text(stmt, at);
    return bytes && store_set_bytes(column, row, bytes, (size_t)sqlite3_column_bytes(stmt, at));
}

bool row_take(sqlite3_stmt *stmt, const struct store_table *table, void *row)
{
    memset(row, 0, table->size);
    for (int at = 0; at < table->count; at++) {
        if (!take_column(stmt, at, &table->columns[at], row))
            return false;
    }
    const struct row_hash hash = hash_row(table, row);
    return hash_is(stmt, table->count, &hash);
}

/* ---- in a batch */

static struct row_statements *statements_of(struct sqlite_store *store,
                                            const struct store_table *table)
{
    size_t at = 0;
    while (store_tables[at] != table)
        at++;
    return &store->rows[at];
}

static enum store_result refuse_row(struct sqlite_store *store, const struct store_table *table,
                                    const char *why)
{
    snprintf(store->message, sizeof store->message, "%s %s", table->what, why);
    return STORE_REFUSED;
}

static enum store_result fail_row(struct sqlite_store *store, const struct store_table *table,
                                  int code, const char *doing)
{
    char what[96];
    snprintf(what, sizeof what, "%s %s", doing, table->what);
    return database_fail(store->db, code, what, store->message);
}

enum store_result row_put(struct sqlite_store *store, const struct store_table *table,
                          const void *row)
{
    sqlite3_stmt *stmt = statements_of(store, table)->put;
    const struct row_hash hash = hash_row(table, row);
    bind_columns(stmt, table, table->count, row);
    bind_blob(stmt, table->count + 1, hash.bytes, sizeof hash.bytes);
    const int code = statement_run(stmt);
    if (code == SQLITE_CONSTRAINT_UNIQUE) {
        snprintf(store->message, sizeof store->message, "%s claims what is taken", table->what);
        return STORE_TAKEN;
    }
    if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
        return refuse_row(store, table, "that is not there");
    return code == SQLITE_OK ? STORE_OK : fail_row(store, table, code, "storing");
}

enum store_result row_drop(struct sqlite_store *store, const struct store_table *table,
                           const void *row)
{
    sqlite3_stmt *stmt = statements_of(store, table)->drop;
    bind_columns(stmt, table, table->keys, row);
    const int code = statement_run(stmt);
    return code == SQLITE_OK ? STORE_OK : fail_row(store, table, code, "dropping");
}
