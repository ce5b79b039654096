#include "db.h"

#include "queries.sql.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char LOCKED[] = "55P03";   /* lock_not_available */
static const char CANCELED[] = "57014"; /* query_canceled */

int64_t db_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* libpq ends its sentences with a line feed, and says some things on a second line. */
static void set_message(struct db *db, const char *text)
{
    snprintf(db->message, sizeof db->message, "%s", text);
    size_t len = strlen(db->message);
    while (len > 0 && db->message[len - 1] == '\n')
        db->message[--len] = '\0';
    for (char *at = db->message; *at; at++) {
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    }
}

enum db_result db_lost(struct db *db, const char *what)
{
    set_message(db, what);
    db->problem = POSTGRES_UNREACHABLE;
    db_disconnect(db);
    return DB_LOST;
}

void db_disconnect(struct db *db)
{
    if (db->pg) /* or libpq may not be there */
        PQfinish(db->pg);
    db->pg = NULL;
}

static bool is_of(const char *state, const char *const states[])
{
    for (; *states; states++) {
        if (strncmp(state, *states, strlen(*states)) == 0)
            return true;
    }
    return false;
}

enum db_result db_refused(struct db *db, const PGresult *result)
{
    static const char *const denied[] = {"28", "3D000", "42501", NULL};
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(db->state, sizeof db->state, "%s", state ? state : "");
    if (PQstatus(db->pg) == CONNECTION_BAD || !state)
        return db_lost(db, primary ? primary : PQresultErrorMessage(result));
    set_message(db, primary ? primary : PQresultErrorMessage(result));
    if (strcmp(db->state, LOCKED) == 0)
        set_message(db, "somebody else has locked what is asked for, for longer than is waited: see"
                        " pg_locks and pg_stat_activity");
    db->problem = is_of(db->state, denied) ? POSTGRES_DENIED : POSTGRES_FAILED;
    return DB_FAILED;
}

/* ---- waiting */

static enum db_result wait_for(struct db *db, short events, int64_t until_ms)
{
    struct pollfd fd = {.fd = PQsocket(db->pg), .events = events};
    for (;;) {
        const int64_t left_ms = until_ms - db_now_ms();
        const int ready = poll(&fd, 1, left_ms > 0 ? (int)left_ms : 0);
        if (ready > 0)
            return DB_OK;
        if (ready == 0)
            return db_lost(db, "the database does not answer");
        if (errno != EINTR)
            return db_lost(db, strerror(errno));
    }
}

enum db_result db_flush(struct db *db)
{
    const int64_t until_ms = db_now_ms() + db->timeouts.answer_ms;
    int left;
    while ((left = PQflush(db->pg)) != 0) {
        if (left < 0)
            return db_lost(db, PQerrorMessage(db->pg));
        if (wait_for(db, POLLIN | POLLOUT, until_ms) != DB_OK)
            return DB_LOST;
        /* What the database says is read too, or both sides would wait for each other. */
        if (!PQconsumeInput(db->pg))
            return db_lost(db, PQerrorMessage(db->pg));
    }
    return DB_OK;
}

enum db_result db_result(struct db *db, PGresult **result)
{
    while (PQisBusy(db->pg)) {
        if (wait_for(db, POLLIN, db_now_ms() + db->timeouts.answer_ms) != DB_OK)
            return DB_LOST;
        if (!PQconsumeInput(db->pg))
            return db_lost(db, PQerrorMessage(db->pg));
    }
    *result = PQgetResult(db->pg);
    return DB_OK;
}

enum db_result db_look(struct db *db)
{
    struct pollfd fd = {.fd = PQsocket(db->pg), .events = POLLIN};
    while (poll(&fd, 1, 0) > 0) {
        if (!PQconsumeInput(db->pg) || PQstatus(db->pg) == CONNECTION_BAD)
            return db_lost(db, PQerrorMessage(db->pg));
        PQfreemem(PQnotifies(db->pg));
    }
    return DB_OK;
}

/* ---- single statements */

static enum db_result flush_begun(struct db *db, int sent)
{
    return sent ? db_flush(db) : db_lost(db, PQerrorMessage(db->pg));
}

/* Reads all results of what was sent; the last one with rows is kept. */
static enum db_result finish_answer(struct db *db, PGresult **rows)
{
    enum db_result result = DB_OK;
    PGresult *one = NULL;
    while (db->pg && db_result(db, &one) == DB_OK && one) {
        const ExecStatusType status = PQresultStatus(one);
        if (status == PGRES_TUPLES_OK && rows && result == DB_OK) {
            PQclear(*rows);
            *rows = one;
            continue;
        }
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            result = db_refused(db, one);
        PQclear(one);
    }
    if (!db->pg)
        result = DB_LOST;
    if (rows && result != DB_OK) {
        PQclear(*rows);
        *rows = NULL;
    }
    return result;
}

enum db_result db_run(struct db *db, const char *sql)
{
    const enum db_result sent = flush_begun(db, PQsendQuery(db->pg, sql));
    return sent == DB_OK ? finish_answer(db, NULL) : sent;
}

enum db_result db_begin(struct db *db, const char *sql, const struct params *params)
{
    static const struct params none;
    const struct params *p = params ? params : &none;
    return flush_begun(
        db, PQsendQueryParams(db->pg, sql, p->count, NULL, p->values, p->lengths, p->formats, 1));
}

enum db_result db_end(struct db *db, PGresult **rows)
{
    *rows = NULL;
    return finish_answer(db, rows);
}

enum db_result db_ask(struct db *db, const char *sql, const struct params *params, PGresult **rows)
{
    *rows = NULL;
    const enum db_result sent = db_begin(db, sql, params);
    return sent == DB_OK ? db_end(db, rows) : sent;
}

enum db_result db_begin_rows(struct db *db, const char *sql, const struct params *params)
{
    const enum db_result sent = db_begin(db, sql, params);
    if (sent == DB_OK && !PQsetSingleRowMode(db->pg))
        return db_lost(db, PQerrorMessage(db->pg));
    return sent;
}

enum db_result db_next(struct db *db, PGresult **row)
{
    *row = NULL;
    enum db_result result = db_result(db, row);
    if (result != DB_OK || !*row || PQresultStatus(*row) == PGRES_SINGLE_TUPLE)
        return result;
    if (PQresultStatus(*row) != PGRES_TUPLES_OK)
        result = db_refused(db, *row);
    PQclear(*row);
    *row = NULL;
    return result == DB_OK ? finish_answer(db, NULL) : result;
}

void db_end_rows(struct db *db)
{
    if (db->pg)
        (void)finish_answer(db, NULL);
}

/* ---- connecting */

static void take_notice(void *ctx, const PGresult *notice)
{
    struct db *db = ctx;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    db->warned |= severity && strcmp(severity, "WARNING") == 0;
}

/* Does it let us in if it need not be one that can be written? Of a keyword the last value counts.
 */
static bool lets_us_read(const struct url *url)
{
    const char *keywords[URL_PARTS_MAX + 2], *values[URL_PARTS_MAX + 2];
    size_t count = 0;
    for (; url->keywords[count]; count++) {
        keywords[count] = url->keywords[count];
        values[count] = url->values[count];
    }
    keywords[count] = "target_session_attrs";
    values[count++] = "any";
    keywords[count] = values[count] = NULL;
    PGconn *pg = PQconnectdbParams(keywords, values, 0);
    const bool lets = pg && PQstatus(pg) == CONNECTION_OK;
    PQfinish(pg);
    return lets;
}

/* Whether it is there and refuses us, or is not there, is told by asking it whether it is there; a
 * standby refuses nobody, and is not what we look for. */
static enum db_result not_connected(struct db *db)
{
    set_message(db, PQerrorMessage(db->pg));
    const bool there = PQpingParams(db->url->keywords, db->url->values, 0) == PQPING_OK;
    db->problem = there && !lets_us_read(db->url) ? POSTGRES_DENIED : POSTGRES_UNREACHABLE;
    db_disconnect(db);
    return DB_LOST;
}

/* And which process of the database serves us. */
static enum db_result name_and_ask(struct db *db, const char *name, int64_t *pid)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, name);
    const enum db_result result = db_ask(db, SQL_CONNECTION_NAME, &params, &rows);
    if (result == DB_OK)
        *pid = cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

enum db_result db_name(struct db *db, const char *name)
{
    int64_t pid;
    return name_and_ask(db, name, &pid);
}

enum db_result db_bound_waits(struct db *db, int64_t lock_ms, int64_t statement_ms)
{
    char sql[128];
    snprintf(sql, sizeof sql, "SET lock_timeout = %lld; SET statement_timeout = %lld",
             (long long)lock_ms, (long long)statement_ms);
    return db_run(db, sql);
}

/* ---- a pooler between */

static enum db_result ask_pid(struct db *db, const char *before, int64_t *pid)
{
    PGresult *rows;
    enum db_result result = before ? db_run(db, before) : DB_OK;
    if (result == DB_OK)
        result = db_ask(db, SQL_CONNECTION_PROCESS, NULL, &rows);
    if (result == DB_OK) {
        *pid = cell_number(rows, 0, 0);
        PQclear(rows);
    }
    return result;
}

/* Another connection, in a transaction, has the process of the first, or the first has lost it by
 * that: so each transaction has another one. */
static bool shares_processes(struct db *db, int64_t pid)
{
    struct db second = {.url = db->url, .timeouts = db->timeouts};
    int64_t its = 0, ours = pid;
    second.pg = PQconnectdbParams(db->url->keywords, db->url->values, 0);
    const bool connected =
        second.pg && PQstatus(second.pg) == CONNECTION_OK && PQsetnonblocking(second.pg, 1) == 0;
    if (connected && ask_pid(&second, "BEGIN", &its) == DB_OK)
        (void)ask_pid(db, NULL, &ours);
    db_disconnect(&second);
    return its == pid || ours != pid;
}

/* What we rely on is a process of the database of our own: its locks, its settings, that it can be
 * ended. Who is connected directly is told its number at the start. */
static enum db_result refuse_pooler(struct db *db, int64_t pid)
{
    if (pid == PQbackendPID(db->pg) || !shares_processes(db, pid))
        return DB_OK;
    (void)db_lost(db, "a connection pooler in transaction mode stands before it: name the address"
                      " of the database itself, or let the pooler work in session mode");
    db->problem = POSTGRES_POOLED;
    return DB_LOST;
}

/* What is usual may be a time so short that on a busy machine it ends the statement that takes it
 * away. */
static enum db_result settle(struct db *db)
{
    const int64_t until_ms = db_now_ms() + db->timeouts.answer_ms;
    enum db_result result;
    do
        result = db_run(db, SQL_CONNECTION_UNHURRIED);
    while (result == DB_FAILED && strcmp(db->state, CANCELED) == 0 && db_now_ms() < until_ms);
    return result == DB_OK ? db_run(db, SQL_CONNECTION_SETTINGS) : result;
}

enum db_result db_connect(struct db *db, const char *name)
{
    db->pg = PQconnectdbParams(db->url->keywords, db->url->values, 0);
    if (!db->pg)
        return db_lost(db, "out of memory");
    if (PQstatus(db->pg) != CONNECTION_OK)
        return not_connected(db);
    PQsetNoticeReceiver(db->pg, take_notice, db);
    if (PQsetnonblocking(db->pg, 1) != 0)
        return db_lost(db, PQerrorMessage(db->pg));
    int64_t pid = 0;
    enum db_result result = settle(db);
    if (result == DB_OK)
        result = name_and_ask(db, name, &pid);
    if (result == DB_OK)
        result = refuse_pooler(db, pid);
    if (result == DB_FAILED)
        db_disconnect(db);
    return result == DB_OK ? DB_OK : DB_LOST;
}
