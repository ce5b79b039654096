/* Ops of described rows, for tests: what they borrow is kept for as many ops as a test has. */
#ifndef STORE_ROW_OPS_H
#define STORE_ROW_OPS_H

#include <history/game_table.h>
#include <hub/store.h>
#include <stdio.h>

/* The described tables of most of these tests, NULL at the end. */
extern const struct store_table *const store_test_tables[];

enum { ROW_OPS_KEPT = 1024 };

/* A copy of the row, as an op. */
struct store_op op_put_row(const struct store_table *table, const void *row);
struct store_op op_drop_row(const struct store_table *table, const void *row);

/* A finished match, of whose session so many stay; and a page of a session's, behind that of a room
 * ("": from the newest on). */
struct store_op op_put_game(const struct game_row *row, uint32_t keep);
struct store_query games_page(uint64_t session, const char *after);

/* The row of an op made so, to be changed. */
void *op_row(const struct store_op *op);

/* A line of the row: the name of its table, and its values. */
void dump_row(FILE *out, const struct store_table *table, const void *row);

#endif
