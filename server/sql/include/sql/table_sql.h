/*
 * Described tables (hub/store_row.h) in SQL: what both engines say of one, each in its dialect.
 *
 * Texts are made for the tables of the program alone, so one that does not fit is our own mistake.
 * Knows no engine: values are bound and read by whose database it is.
 */
#ifndef SQL_TABLE_SQL_H
#define SQL_TABLE_SQL_H

#include <hub/store.h>
#include <stddef.h>

enum { SQL_SIZE = 4096 };

struct sql {
    char text[SQL_SIZE]; /* 0-terminated */
    size_t len;
};

struct sql_dialect {
    const char *schema;                  /* before the name of each table, with its dot */
    const char *number, *bytes, *string; /* types */
    const char *collation;               /* behind the type of a string's column */
    char mark;                           /* before the number of a parameter */
    bool casts;                          /* behind that, the type of its column */
    const char *hash;                    /* a last column for the hash of the row; NULL: none */
    const char *options;                 /* behind a table's columns */
};

__attribute__((format(printf, 2, 3))) void sql_add(struct sql *sql, const char *format, ...);
/* All that is loaded, with the hash behind the columns. */
void sql_add_selection(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_table *table);
/* By which they are handed out at the opening. */
void sql_add_order(struct sql *sql, const struct store_table *table);

/* Statements: parameters are the columns and the hash, or the columns of the key. */
void sql_write_put(struct sql *sql, const struct sql_dialect *dialect,
                   const struct store_table *table);
void sql_write_drop(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table);
/*
 * Of a table that is bounded, of the session that is the first parameter: selects the rest of the
 * key of the last row that is too much, when as many stay as the second parameter says; and drops
 * that one and those before it. `sql_write_trim` has the one in the other.
 */
void sql_write_excess(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table);
void sql_write_drop_upto(struct sql *sql, const struct sql_dialect *dialect,
                         const struct store_table *table);
void sql_write_trim(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table);
/* Drops the rows of a room, of the sessions that `acted` selects, for which the room's id is the
 * second parameter (store_table.room_at). */
void sql_write_let_go(struct sql *sql, const struct sql_dialect *dialect,
                      const struct store_table *table, const char *acted);

/* Selects the rooms of which a session's lists have rows: the tables with a room
 * (store_table.room_at). It is the first parameter. */
void sql_write_rooms_of(struct sql *sql, const struct sql_dialect *dialect);
/* Selects the rows of one of these tables; the session and the room are the parameters. */
void sql_write_of_room(struct sql *sql, const struct sql_dialect *dialect,
                       const struct store_table *table);

/* Makes the table, with what its claims and its queries need; several statements. */
void sql_write_make(struct sql *sql, const struct sql_dialect *dialect,
                    const struct store_table *table);

/*
 * A page of rows: parameters are the values that the index has from who asks, and with `behind`
 * those of the rest of the order, or the one by which that row is looked up (store_query_given).
 * Further conditions (" AND ...") may be added between the two. One more row than the limit says
 * that there are more.
 */
void sql_begin_query(struct sql *sql, const struct sql_dialect *dialect,
                     const struct store_query *query);
void sql_end_query(struct sql *sql, const struct store_query *query);

#endif
