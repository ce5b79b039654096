/* A PostgreSQL store for one test, and what it holds as text. The database is the one that
 * tests/support/postgres.py has started; each test begins without our schema. */
#ifndef TESTS_UNIT_POSTGRES_FIXTURE_H
#define TESTS_UNIT_POSTGRES_FIXTURE_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>

enum { FIXTURE_URL = 512 };

const char *fixture_url(void);
/* The same at another host and port, and another database. */
void fixture_url_at(char url[FIXTURE_URL], const char *host, int port, const char *database);
int fixture_port(void);

void fixture_begin(void);
/* How long stores that are opened from now on wait for an answer, for a lock, and until a batch in
 * doubt is given up; 0: the usual of the tests. */
void fixture_patience(int64_t answer_ms);
void fixture_lock(int64_t lock_ms);
void fixture_settle(int64_t settle_ms);
void fixture_set_aside(bool sets_aside); /* postgres_options, from now on */

/* Runs SQL behind the store's back, or a file of it; one number. */
void fixture_sql(const char *sql);
void fixture_sql_file(const char *name);
long long fixture_number(const char *sql);

/* A connection of that name which is stopped in the middle of a transaction, after `sql`. */
void fixture_hold(const char *sql, const char *name);
void fixture_let_go(void);      /* nothing of it is done */
void fixture_let_through(void); /* it is committed */

/* As a server opens it, with short timeouts. */
enum store_result fixture_open_at(const char *url, struct store **store,
                                  char message[STORE_MESSAGE_MAX]);
struct store *fixture_open(void); /* that works */
/* Divides the site; opens a part of it. */
void fixture_divide(unsigned parts);
enum store_result fixture_open_part(unsigned part, unsigned parts, struct store **store,
                                    char message[STORE_MESSAGE_MAX]);
void fixture_close(struct store *store);
uint64_t fixture_epoch(void); /* of the last that was opened */

/* What was handed out by the last opening, or is by one more; for free(). */
char *fixture_rows(struct store *store);

/* Under the epoch of the last opening; the results of the ops stay in `results`. */
enum store_result fixture_commit_as(struct store *store, const struct store_batch *batch,
                                    uint64_t epoch, enum store_result *results);
enum store_result fixture_commit(struct store *store, const struct store_op *ops, size_t count);

/* What is read when it has been read. */
void fixture_read(struct store *store, struct store_read *read, const char *room_id);
void fixture_query(struct store *store, struct store_query *query);
void fixture_trim(struct store *store, struct store_trim *trim);

/* What the store has warned of since the beginning: "event:result " each. */
void fixture_warn(const char *event, const char *message, enum store_result result);
const char *fixture_warnings(void);
void fixture_forget_warnings(void);
void fixture_until_warned(const char *text); /* fails if that takes too long */
const char *fixture_said(void);              /* the last sentence */

#endif
