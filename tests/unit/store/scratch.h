/* A folder for one test, and what a store holds as text, so that two states are compared as
 * strings. */
#ifndef TESTS_UNIT_STORE_SCRATCH_H
#define TESTS_UNIT_STORE_SCRATCH_H

#include "../../support/scratch_path.h"
#include <sqlite_store.h>
#include <stddef.h>
#include <stdio.h>

struct scratch {
    char root[SCRATCH_BYTES]; /* made by us, removed at the end */
    char folder[80];          /* root/data: the store's, not made yet */
    char file[96];            /* folder/taluva.db */
};

void scratch_init(struct scratch *scratch);
void scratch_release(struct scratch *scratch);

/* Fail the test unless it works. */
struct sqlite_store *scratch_open(const struct scratch *scratch);
struct sqlite_store *scratch_open_loaded(const struct scratch *scratch);

/* Under the store's epoch. STORE_REFUSED if anything of it is refused. */
enum store_result commit_batch(struct sqlite_store *store, const struct store_batch *batch);

/* The finished matches of a session, page by page, as lines. */
void dump_games(struct sqlite_store *store, uint64_t session, FILE *out);
void dump_games_page(FILE *out, const struct store_query *page);
/* A line for each row that the store hands out; to be freed. The store is not loaded yet. */
char *dump(struct sqlite_store *store);
/* Of a closed store: opens, loads, closes; and with the finished matches of session 7 and the last.
 */
char *dump_folder(const struct scratch *scratch);
char *dump_folder_and_games(const struct scratch *scratch);

struct store_sink dump_sink(FILE *out);                             /* writes the lines */
enum store_result dump_into(struct sqlite_store *store, FILE *out); /* that may fail */
void dump_rows(FILE *out, const struct store_room_read *rows);      /* of an archived room */

/* Runs SQL behind the store's back; and ends the process without closing anything. */
void scratch_sql(const struct scratch *scratch, const char *sql);
void scratch_sql_and_die(const struct scratch *scratch, const char *sql);
long long scratch_number(const struct scratch *scratch, const char *sql);
void scratch_text(const struct scratch *scratch, const char *sql, char *text, size_t size);

/* The whole file; to be freed. */
unsigned char *slurp(const char *path, size_t *len);
void spit(const char *path, const void *bytes, size_t len);

#endif
