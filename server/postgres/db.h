/*
 * A connection to the database: every wait has an end, every failure a sentence and a kind. What
 * cannot be said after a failure, because the connection is gone, is DB_LOST.
 */
#ifndef POSTGRES_DB_H
#define POSTGRES_DB_H

#include "url.h"
#include "values.h"
#include <postgres/store.h>

enum db_result {
    DB_OK,
    DB_FAILED, /* the database has refused, and the connection goes on */
    DB_LOST,   /* the connection is closed */
};

enum { POSTGRES_LOAD_MS = 600000 }; /* for the first row of a large table in order */

struct db {
    PGconn *pg; /* NULL: not connected */
    const struct url *url;
    struct postgres_timeouts timeouts;
    enum postgres_problem problem;
    bool warned;   /* the database has warned of something; reset by who wants to know */
    char state[6]; /* SQLSTATE of the last refusal */
    char message[STORE_MESSAGE_MAX];
};

int64_t db_now_ms(void);

/* Connected, with the settings that we rely on; seen by others as `name`. */
enum db_result db_connect(struct db *db, const char *name);
/* From now on whoever waits for a lock in it gives up after so long; a statement, after so long. */
enum db_result db_bound_waits(struct db *db, int64_t lock_ms, int64_t statement_ms);
enum db_result db_name(struct db *db, const char *name); /* another name, from now on */
void db_disconnect(struct db *db);

/* Has the other side closed the connection while nothing was under way? Then it is DB_LOST. */
enum db_result db_look(struct db *db);

/* Statements without rows, one after the other in one transaction. */
enum db_result db_run(struct db *db, const char *sql);
/* One statement; with DB_OK *rows is for PQclear, in binary. `params` may be NULL. */
enum db_result db_ask(struct db *db, const char *sql, const struct params *params, PGresult **rows);

/* The same in two: the database works while the caller does something else. What was begun is to be
 * ended. */
enum db_result db_begin(struct db *db, const char *sql, const struct params *params);
enum db_result db_end(struct db *db, PGresult **rows);

/* Row by row: db_next until *row is NULL. After anything but DB_OK nothing is left to be read. */
enum db_result db_begin_rows(struct db *db, const char *sql, const struct params *params);
enum db_result db_next(struct db *db, PGresult **row);
/* When not all are wanted. */
void db_end_rows(struct db *db);

/* In pipeline mode: sends what libpq has gathered, and waits for the next result (NULL: the end of
 * one statement's). */
enum db_result db_flush(struct db *db);
enum db_result db_result(struct db *db, PGresult **result);

/* Says why, and closes the connection. */
enum db_result db_lost(struct db *db, const char *what);
/* The refusal of a statement, into state and message; of a connection that is going, DB_LOST. */
enum db_result db_refused(struct db *db, const PGresult *result);

#endif
