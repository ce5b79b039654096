/*
 * Described rows (hub/store_row.h) in PostgreSQL: the statements of each table (sql/table_sql.h),
 * and values from a struct to a statement and back.
 */
#ifndef POSTGRES_ROW_TABLE_H
#define POSTGRES_ROW_TABLE_H

#include "values.h"
#include <hub/store.h>

struct sql;

enum row_statement { ROW_PUT, ROW_DROP, ROW_TRIM /* of a table that is bounded */ };
enum { ROW_STATEMENTS = ROW_TRIM + 1 };

void pg_row_sql(const struct store_table *table, enum row_statement which, struct sql *sql);
/* Makes the table, and what its claims need. */
void pg_row_sql_make(const struct store_table *table, struct sql *sql);
/* Whether it is missing. */
void pg_row_sql_lacks(const struct store_table *table, struct sql *sql);
/* All of a part, whose number and count are its parameters, in the order of the table. */
void pg_row_sql_load(const struct store_table *table, struct sql *sql);
/* How many there are of all parts, as they are loaded: what was never written is none. */
void pg_row_sql_count(const struct store_table *table, struct sql *sql);

/* The rooms of which the lists of a session have rows; it is the first parameter. */
void pg_row_sql_rooms_of(struct sql *sql);
/* Drops those of a room, whose id is the second parameter, of the sessions in the table `acted`. */
void pg_row_sql_let_go(const struct store_table *table, struct sql *sql);

/* A page of them. One more row than the limit says that there are more. */
void pg_row_sql_query(const struct store_query *query, struct sql *sql);
void pg_row_query_params(const struct store_query *query, struct params *params);

/* What the statement needs of the row; borrowed from it. Of ROW_TRIM how many stay comes last. */
void pg_row_params(const struct store_table *table, enum row_statement which, const void *row,
                   struct params *params);

/* Columns as they are loaded. What it borrows is of `rows`. False: it is not valid. */
bool pg_row_take(const struct store_table *table, const PGresult *rows, int at, void *row);

/* The part whose row it is. */
unsigned pg_row_part(const struct store_table *table, const void *row, unsigned parts);

#endif
