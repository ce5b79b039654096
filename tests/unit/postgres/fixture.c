#include "fixture.h"

#include <check.h>
#include <hub/store_tables.h>
#include <libpq-fe.h>
#include <postgres/parts.h>
#include <pthread.h>
#include <row_ops.h>
#include <scratch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool sets_aside;
static char warnings[1024], said[STORE_MESSAGE_MAX];
static uint64_t epoch;
static char *rows; /* of the last opening */

const char *fixture_url(void)
{
    const char *url = getenv("TALUVA_TEST_POSTGRES");
    ck_assert_msg(url, "to be run by tests/support/postgres.py");
    return url;
}

int fixture_port(void)
{
    return atoi(strrchr(fixture_url(), ':') + 1);
}

void fixture_url_at(char url[FIXTURE_URL], const char *host, int port, const char *database)
{
    const char *end = strchr(fixture_url(), '@');
    snprintf(url, FIXTURE_URL, "%.*s@%s:%d/%s", (int)(end - fixture_url()), fixture_url(), host,
             port, database);
}

/* ---- behind the store's back */

static PGresult *ask(PGconn *pg, const char *sql)
{
    PGresult *result = PQexec(pg, sql);
    const ExecStatusType status = PQresultStatus(result);
    ck_assert_msg(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK, "%.300s: %s", sql,
                  PQerrorMessage(pg));
    return result;
}

static void ignore(void *ctx, const char *text)
{
    (void)ctx, (void)text;
}

static PGconn *connect_behind(void)
{
    PGconn *pg = PQconnectdb(fixture_url());
    ck_assert_msg(PQstatus(pg) == CONNECTION_OK, "%s", PQerrorMessage(pg));
    PQsetNoticeProcessor(pg, ignore, NULL);
    return pg;
}

void fixture_sql(const char *sql)
{
    PGconn *pg = connect_behind();
    PQclear(ask(pg, sql));
    PQfinish(pg);
}

void fixture_sql_file(const char *name)
{
    char path[512];
    size_t len;
    const char *folder = getenv("TALUVA_TEST_DATA");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    unsigned char *bytes = slurp(path, &len);
    char *sql = strndup((const char *)bytes, len);
    ck_assert_ptr_nonnull(sql);
    fixture_sql(sql);
    free(sql);
    free(bytes);
}

long long fixture_number(const char *sql)
{
    PGconn *pg = connect_behind();
    PGresult *result = ask(pg, sql);
    const long long number = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
    return number;
}

static PGconn *holding;

void fixture_hold(const char *sql, const char *name)
{
    char named[128];
    snprintf(named, sizeof named, "SET application_name = '%s'", name);
    holding = connect_behind();
    PQclear(ask(holding, named));
    PQclear(ask(holding, "BEGIN"));
    PQclear(ask(holding, sql));
}

void fixture_let_go(void)
{
    PQfinish(holding);
    holding = NULL;
}

void fixture_let_through(void)
{
    PQclear(ask(holding, "COMMIT"));
    fixture_let_go();
}

void fixture_begin(void)
{
    store_tables = store_test_tables;
    fixture_sql("DROP SCHEMA IF EXISTS taluva CASCADE");
    warnings[0] = said[0] = '\0';
}

/* ---- opening */

/* Of a machine that may be busy; what runs into a bound in a test is short, or made so by it. */
static struct postgres_timeouts timeouts = {
    .connect_ms = 30000, .answer_ms = 30000, .settle_ms = 2000, .lock_ms = 300};

void fixture_patience(int64_t answer_ms)
{
    timeouts.answer_ms = answer_ms ? answer_ms : 30000;
}

void fixture_lock(int64_t lock_ms)
{
    timeouts.lock_ms = lock_ms ? lock_ms : 300;
}

void fixture_settle(int64_t settle_ms)
{
    timeouts.settle_ms = settle_ms ? settle_ms : 2000;
}

void fixture_set_aside(bool aside)
{
    sets_aside = aside;
}

void fixture_warn(const char *event, const char *message, enum store_result result)
{
    pthread_mutex_lock(&mutex);
    const size_t len = strlen(warnings);
    snprintf(warnings + len, sizeof warnings - len, "%s:%d ", event, (int)result);
    snprintf(said, sizeof said, "%s", message);
    pthread_mutex_unlock(&mutex);
}

const char *fixture_warnings(void)
{
    return warnings;
}

void fixture_forget_warnings(void)
{
    warnings[0] = '\0';
}

void fixture_until_warned(const char *text)
{
    const struct timespec pause = {0, 20 * 1000000};
    for (int tries = 0; tries < 1500; tries++) {
        pthread_mutex_lock(&mutex);
        const bool found = strstr(warnings, text) != NULL;
        pthread_mutex_unlock(&mutex);
        if (found)
            return;
        nanosleep(&pause, NULL);
    }
    ck_abort_msg("%s, and not %s", warnings, text);
}

const char *fixture_said(void)
{
    return said;
}

static int opened(void *ctx, uint64_t number)
{
    (void)ctx;
    epoch = number;
    return 0;
}

uint64_t fixture_epoch(void)
{
    return epoch;
}

static enum store_result open_as(const char *url, unsigned part, unsigned parts,
                                 struct store **store, char message[STORE_MESSAGE_MAX])
{
    const struct postgres_options options = {.timeouts = &timeouts,
                                             .part = part,
                                             .parts = parts,
                                             .sets_aside = sets_aside,
                                             .node = parts ? "here" : NULL,
                                             .relay = parts ? "[::1]:7" : NULL};
    size_t len;
    *store = postgres_store_create(url, &options);
    ck_assert_ptr_nonnull(*store);
    (*store)->warn = fixture_warn;
    free(rows);
    FILE *out = open_memstream(&rows, &len);
    struct store_sink sink = dump_sink(out);
    sink.opened = opened;
    message[0] = '\0';
    const enum store_result result = (*store)->engine->open(*store, &sink, message);
    fclose(out);
    return result;
}

enum store_result fixture_open_at(const char *url, struct store **store,
                                  char message[STORE_MESSAGE_MAX])
{
    return open_as(url, 0, 0, store, message);
}

enum store_result fixture_open_part(unsigned part, unsigned parts, struct store **store,
                                    char message[STORE_MESSAGE_MAX])
{
    return open_as(fixture_url(), part, parts, store, message);
}

void fixture_divide(unsigned parts)
{
    struct postgres_said answer;
    ck_assert_msg(postgres_parts_set(fixture_url(), parts, &answer) == POSTGRES_FINE, "%s",
                  answer.message);
}

struct store *fixture_open(void)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    const enum store_result result = fixture_open_at(fixture_url(), &store, message);
    ck_assert_msg(result == STORE_OK, "%d: %s", (int)result, message);
    return store;
}

void fixture_close(struct store *store)
{
    store->engine->close(store);
}

char *fixture_rows(struct store *store)
{
    if (store) {
        fixture_close(store);
        fixture_close(fixture_open());
    }
    char *taken = rows;
    rows = NULL;
    return taken;
}

/* ---- requests */

static void is_committed(struct store_commit *commit)
{
    ++*(int *)commit->ctx;
}

enum store_result fixture_commit_as(struct store *store, const struct store_batch *batch,
                                    uint64_t as, enum store_result *results)
{
    int done = 0;
    struct store_op *ops = calloc(batch->count + 1, sizeof *ops);
    ck_assert_ptr_nonnull(ops);
    for (size_t at = 0; at < batch->count; at++) {
        ops[at] = batch->ops[at];
        ops[at].epoch = as;
        results[at] = STORE_OK;
    }
    const struct store_batch whole = {batch->count, ops, results};
    struct store_commit commit = {.batch = &whole, .done = is_committed, .ctx = &done};
    store->engine->commit(store, &commit);
    ck_assert_int_eq(done, 1);
    free(ops);
    return commit.result;
}

enum store_result fixture_commit(struct store *store, const struct store_op *ops, size_t count)
{
    enum store_result results[64], result;
    ck_assert_uint_le(count, 64);
    result = fixture_commit_as(store, &(struct store_batch){count, ops, NULL}, epoch, results);
    for (size_t at = 0; at < count && result == STORE_OK; at++)
        result = results[at];
    return result;
}

static void say_done(int *done)
{
    pthread_mutex_lock(&mutex);
    *done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void wait_done(const int *done)
{
    pthread_mutex_lock(&mutex);
    while (!*done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void is_read(struct store_read *read)
{
    say_done(read->ctx);
}

void fixture_read(struct store *store, struct store_read *read, const char *room_id)
{
    int done = 0;
    *read = (struct store_read){.done = is_read, .ctx = &done};
    snprintf(read->room_id, sizeof read->room_id, "%s", room_id);
    store->engine->read(store, read);
    wait_done(&done);
}

static void is_queried(struct store_query *query)
{
    say_done(query->ctx);
}

void fixture_query(struct store *store, struct store_query *query)
{
    int done = 0;
    query->done = is_queried;
    query->ctx = &done;
    store->engine->query(store, query);
    wait_done(&done);
}

static void is_trimmed(struct store_trim *trim)
{
    say_done(trim->ctx);
}

void fixture_trim(struct store *store, struct store_trim *trim)
{
    int done = 0;
    trim->done = is_trimmed;
    trim->ctx = &done;
    store->engine->trim(store, trim);
    wait_done(&done);
}
