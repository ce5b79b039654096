/*
 * Described rows (hub/store_row.h) in SQLite: the statements of each table (sql/table_sql.h), and
 * values from a struct to a statement and back.
 */
#ifndef STORE_ROW_TABLE_H
#define STORE_ROW_TABLE_H

#include "hashes.h"
#include <hub/store.h>
#include <hub/store_row.h>
#include <sqlite3.h>
#include <stdbool.h>

struct sql;
struct sqlite_store;

/* Prepared when they are first used: most stores use a few of them, and each takes some kB. */
struct row_statements {
    sqlite3_stmt *put, *drop, *let_go, *excess, *drop_upto; /* NULL: not used yet */
};

/* Can its statements be prepared? SQLite's code: SQLITE_ERROR, if a column is not there. */
int row_table_check(sqlite3 *db, const struct store_table *table);
void row_statements_finalize(struct row_statements *statements);

/* All rows in the order of the table, each with its hash behind its columns. */
void row_sql_load(const struct store_table *table, struct sql *sql);

/* A page of them, the same; and its values. One more row than the limit says that there are more.
 */
void row_sql_query(const struct store_query *query, struct sql *sql);
void row_bind_query(sqlite3_stmt *stmt, const struct store_query *query);

/*
 * Of a row as it is loaded; what it borrows is SQLite's, until the next step. False: it is not
 * valid, or its hash is that of another row.
 */
bool row_take(sqlite3_stmt *stmt, const struct store_table *table, void *row);

/* Makes the tables that are missing; SQLite's code. */
int row_tables_make(sqlite3 *db);
/* Is one missing? */
int row_tables_lack(sqlite3 *db, bool *lack);

/* Has a table that is there not all columns of this program's? Then `message` names it, and says
 * what can be done. */
bool row_tables_differ(sqlite3 *db, char message[static STORE_MESSAGE_MAX]);

/* In the transaction that is under way. STORE_TAKEN: another has its claim; STORE_REFUSED: it
 * belongs to a session that is not there.
 */
enum store_result row_put(struct sqlite_store *store, const struct store_row *put);
enum store_result row_drop(struct sqlite_store *store, const struct store_table *table,
                           const void *row);

/* Of all tables the rows that go with the archived room of that key and id; SQLite's code. */
int rows_let_go(struct sqlite_store *store, int64_t key, const char *room_id);
/* Of all tables the session's own rows of that room; SQLite's code. */
int rows_let_go_of(struct sqlite_store *store, uint64_t session, const char *room_id);
/* The rows of a table with rooms; the session and the room are the parameters. */
void row_sql_of_room(const struct store_table *table, struct sql *sql);
/* The rooms of which the lists of a session have rows; it is the first parameter. */
void row_sql_rooms_of(struct sql *sql);

#endif
