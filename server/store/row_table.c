#include "row_table.h"

#include "database.h"
#include "queries.sql.h"
#include "rows.h"
#include <assert.h>
#include <sql/table_sql.h>
#include <stdio.h>
#include <string.h>

/* ---- SQL */

static const struct sql_dialect dialect = {
    .schema = "",
    .number = "INTEGER",
    .bytes = "BLOB",
    .string = "TEXT",
    .collation = "",
    .mark = '?',
    .hash = "BLOB",
    .options = " STRICT, WITHOUT ROWID",
};

void row_sql_load(const struct store_table *table, struct sql *sql)
{
    sql_add_selection(sql, &dialect, table);
    sql_add_order(sql, table);
}

void row_sql_query(const struct store_query *query, struct sql *sql)
{
    sql_begin_query(sql, &dialect, query);
    sql_end_query(sql, query);
}

static int prepare_statement(sqlite3 *db, const struct sql *sql, sqlite3_stmt **stmt)
{
    return sqlite3_prepare_v3(db, sql->text, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
}

static int prepare_put(sqlite3 *db, const struct store_table *table, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    sql_write_put(&sql, &dialect, table);
    return prepare_statement(db, &sql, stmt);
}

static int prepare_drop(sqlite3 *db, const struct store_table *table, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    sql_write_drop(&sql, &dialect, table);
    return prepare_statement(db, &sql, stmt);
}

/* What puts a row names all columns, what drops one some of them. */
int row_table_check(sqlite3 *db, const struct store_table *table)
{
    sqlite3_stmt *stmt = NULL;
    const int code = prepare_put(db, table, &stmt);
    sqlite3_finalize(stmt);
    return code;
}

static int prepare_excess(sqlite3 *db, const struct store_table *table, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    sql_write_excess(&sql, &dialect, table);
    return prepare_statement(db, &sql, stmt);
}

static int prepare_drop_upto(sqlite3 *db, const struct store_table *table, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    sql_write_drop_upto(&sql, &dialect, table);
    return prepare_statement(db, &sql, stmt);
}

void row_statements_finalize(struct row_statements *statements)
{
    sqlite3_finalize(statements->excess);
    sqlite3_finalize(statements->drop_upto);
    sqlite3_finalize(statements->put);
    sqlite3_finalize(statements->drop);
    sqlite3_finalize(statements->let_go);
    *statements = (struct row_statements){0};
}

/* ---- tables that are not there yet */

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
        sql_add(&sql, "BEGIN EXCLUSIVE; ");
        sql_write_make(&sql, &dialect, store_tables[at]);
        sql_add(&sql, " COMMIT");
        code = database_run(db, sql.text);
    }
    return code;
}

/* ---- tables that are other ones */

static bool lacks_column(sqlite3 *db, const char *table, const char *column)
{
    char sql[160];
    int64_t there = 1;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'",
             table, column);
    return database_read_int(db, sql, &there) == SQLITE_OK && there == 0;
}

/* NULL: it has them all. */
static const char *find_lacking(sqlite3 *db, const struct store_table *table)
{
    for (size_t at = 0; at < table->count; at++) {
        if (lacks_column(db, table->name, table->columns[at].name))
            return table->columns[at].name;
    }
    return lacks_column(db, table->name, "hash") ? "hash" : NULL;
}

bool row_tables_differ(sqlite3 *db, char message[static STORE_MESSAGE_MAX])
{
    const char *lacking = NULL;
    size_t at = 0;
    while (store_tables[at] && !(lacking = find_lacking(db, store_tables[at])))
        at++;
    if (lacking)
        snprintf(
            message, STORE_MESSAGE_MAX,
            "its table %s has no column %s: it was made by a program that is no version of this "
            "one, and that program alone can use it",
            store_tables[at]->name, lacking);
    return lacking != NULL;
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
    uint8_t columns[STORE_GIVEN_MAX];
    const size_t count = store_query_given(query, columns);
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

static enum store_result put_row(struct sqlite_store *store, const struct store_table *table,
                                 const void *row)
{
    struct row_statements *const statements = statements_of(store, table);
    int code = statements->put ? SQLITE_OK : prepare_put(store->db, table, &statements->put);
    if (code != SQLITE_OK)
        return fail_row(store, table, code, "storing");
    const struct row_hash hash = hash_row(table, row);
    bind_columns(statements->put, table, table->count, row);
    bind_blob(statements->put, table->count + 1, hash.bytes, sizeof hash.bytes);
    code = statement_run(statements->put);
    if (code == SQLITE_CONSTRAINT_UNIQUE) {
        snprintf(store->message, sizeof store->message, "%s claims what is taken", table->what);
        return STORE_TAKEN;
    }
    if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
        return refuse_row(store, table, "that is not there");
    return code == SQLITE_OK ? STORE_OK : fail_row(store, table, code, "storing");
}

/* A text is copied, and there may be no memory for that. */
static int bind_upto(sqlite3_stmt *drop, const struct store_table *table, sqlite3_stmt *excess)
{
    int code = SQLITE_OK;
    for (int at = 1; at < table->keys && code == SQLITE_OK; at++)
        code = sqlite3_bind_value(drop, at + 1, sqlite3_column_value(excess, at - 1));
    return code;
}

static int drop_excess(const struct row_statements *statements, const struct store_table *table,
                       const struct store_row *put)
{
    const int64_t owner = store_number(&table->columns[0], put->row);
    bind_int(statements->excess, 1, owner);
    bind_int(statements->excess, 2, put->keep);
    int code = sqlite3_step(statements->excess);
    const bool found = code == SQLITE_ROW;
    bind_int(statements->drop_upto, 1, owner);
    if (found)
        code = bind_upto(statements->drop_upto, table, statements->excess);
    sqlite3_reset(statements->excess);
    if (found && code == SQLITE_OK)
        code = statement_run(statements->drop_upto);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/*
 * The last of those that are too many is looked for first, as most sessions have fewer: to delete
 * what a query finds, SQLite makes a table of its own each time, which costs more than the put.
 */
static enum store_result trim_rows(struct sqlite_store *store, const struct store_row *put)
{
    const struct store_table *table = put->table;
    struct row_statements *const statements = statements_of(store, table);
    int code = SQLITE_OK;
    if (!statements->excess)
        code = prepare_excess(store->db, table, &statements->excess);
    if (code == SQLITE_OK && !statements->drop_upto)
        code = prepare_drop_upto(store->db, table, &statements->drop_upto);
    if (code == SQLITE_OK)
        code = drop_excess(statements, table, put);
    return code == SQLITE_OK ? STORE_OK : fail_row(store, table, code, "dropping the oldest of");
}

enum store_result row_put(struct sqlite_store *store, const struct store_row *put)
{
    const enum store_result result = put_row(store, put->table, put->row);
    return result == STORE_OK && put->keep > 0 ? trim_rows(store, put) : result;
}

enum store_result row_drop(struct sqlite_store *store, const struct store_table *table,
                           const void *row)
{
    struct row_statements *const statements = statements_of(store, table);
    int code = statements->drop ? SQLITE_OK : prepare_drop(store->db, table, &statements->drop);
    if (code == SQLITE_OK) {
        bind_columns(statements->drop, table, table->keys, row);
        code = statement_run(statements->drop);
    }
    return code == SQLITE_OK ? STORE_OK : fail_row(store, table, code, "dropping");
}

/* ---- with their rooms */

static int prepare_let_go(sqlite3 *db, const struct store_table *table, sqlite3_stmt **stmt)
{
    struct sql sql = {.len = 0};
    sql_write_let_go(&sql, &dialect, table, SQL_ACTED);
    return prepare_statement(db, &sql, stmt);
}

static int let_go(struct sqlite_store *store, const struct store_table *table, int64_t key,
                  const char *room_id)
{
    struct row_statements *const statements = statements_of(store, table);
    int code = SQLITE_OK;
    if (!statements->let_go)
        code = prepare_let_go(store->db, table, &statements->let_go);
    if (code != SQLITE_OK)
        return code;
    bind_int(statements->let_go, 1, key);
    bind_text(statements->let_go, 2, room_id, strlen(room_id));
    return statement_run(statements->let_go);
}

int rows_let_go(struct sqlite_store *store, int64_t key, const char *room_id)
{
    int code = SQLITE_OK;
    for (size_t at = 0; store_tables[at] && code == SQLITE_OK; at++) {
        if (store_tables[at]->room_at)
            code = let_go(store, store_tables[at], key, room_id);
    }
    return code;
}

void row_sql_of_room(const struct store_table *table, struct sql *sql)
{
    sql_write_of_room(sql, &dialect, table);
}

void row_sql_rooms_of(struct sql *sql)
{
    sql_write_rooms_of(sql, &dialect);
}

/* Seldom, so it is not kept prepared. */
static int let_go_of(struct sqlite_store *store, const struct store_table *table, uint64_t session,
                     const char *room_id)
{
    struct sql sql = {.len = 0};
    sqlite3_stmt *stmt = NULL;
    sql_write_let_go(&sql, &dialect, table, "?1");
    int code = sqlite3_prepare_v2(store->db, sql.text, -1, &stmt, NULL);
    if (code == SQLITE_OK) {
        bind_int(stmt, 1, (int64_t)session);
        bind_text(stmt, 2, room_id, strlen(room_id));
        code = statement_run(stmt);
    }
    sqlite3_finalize(stmt);
    return code;
}

int rows_let_go_of(struct sqlite_store *store, uint64_t session, const char *room_id)
{
    int code = SQLITE_OK;
    for (size_t at = 0; store_tables[at] && code == SQLITE_OK; at++) {
        if (store_tables[at]->room_at)
            code = let_go_of(store, store_tables[at], session, room_id);
    }
    return code;
}
