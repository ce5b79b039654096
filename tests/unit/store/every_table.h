/*
 * Two rows of each described table there is, made of its description alone: one with a value in
 * each column, and one with none but its key. `versionN-every.sql` of both engines are stores that
 * hold them (every.py); so a table whose rows an earlier program has stored is read by this one.
 */
#ifndef TESTS_UNIT_STORE_EVERY_TABLE_H
#define TESTS_UNIT_STORE_EVERY_TABLE_H

#include <hub/store.h>

enum every_which { EVERY_FULL, EVERY_BARE };
enum { EVERY_ROWS = 2 };

/* What an opened store has of them. */
struct every_table {
    unsigned char loaded[STORE_TABLES_MAX][EVERY_ROWS];
};

/* For the opening of the store: notes which of them are handed out. A row of the same key with
 * another value is none of them. */
struct store_sink every_table_sink(struct every_table *every);

/* Is there such a row of the table? A bare one with a revision is as none, nor is there another one
 * of a table with a single row. */
bool every_table_makes(const struct store_table *table, enum every_which which);
/* Has the store it? What is not handed out it is asked for. */
bool every_table_has(const struct every_table *every, struct store *store, size_t table,
                     enum every_which which);
/* Puts it, with its session. */
enum store_result every_table_put(struct store *store, const struct store_table *table,
                                  enum every_which which);

#endif
