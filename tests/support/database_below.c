/*
 * Linked into the tests of the hub, a PostgreSQL database is below the hub in the place of
 * model_store.h: with -Wl,--wrap for each function here. What the hub has stored is stored in both,
 * what it is given comes from the database alone, and the model stays for a test to look into. So
 * whatever the model accepts the engine has to accept, and to hand out again.
 *
 * Runs below postgres.py. Each model has a database of its own, which is made by the first test
 * that needs it.
 */
#include "model_store.h"
#include <check.h>
#include <libpq-fe.h>
#include <postgres/store.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BELOW_MAX = 4, URL_BYTES = 512 };

static struct below {
    const struct model_store *model; /* NULL: free */
    struct store *store;             /* NULL: not open */
} belows[BELOW_MAX];

/* The names are the linker's. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
void __real_model_init(struct model_store *model);
void __real_model_release(struct model_store *model);
enum store_result __real_model_commit(struct model_store *model, const struct store_batch *batch);
void __wrap_model_init(struct model_store *model);
void __wrap_model_release(struct model_store *model);
enum store_result __wrap_model_commit(struct model_store *model, const struct store_batch *batch);
int __wrap_model_restore(struct model_store *model, struct hub *hub, int64_t now_ms);
void __wrap_model_read(struct model_store *model, struct hub *hub, const char *room_id,
                       int64_t now_ms);
void __wrap_model_query(struct model_store *model, struct hub *hub, struct store_query *query,
                        int64_t now_ms);
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- databases */

static const char *base_url(void)
{
    const char *url = getenv("TALUVA_TEST_POSTGRES");
    ck_assert_msg(url, "to be run by tests/support/postgres.py");
    return url;
}

static void url_of(const struct below *below, char url[static URL_BYTES])
{
    const char *end = strrchr(base_url(), '/');
    (void)snprintf(url, URL_BYTES, "%.*s/hub%d", (int)(end - base_url()), base_url(),
                   (int)(below - belows));
}

static void ignore(void *ctx, const char *text)
{
    (void)ctx, (void)text;
}

static PGconn *connected(const char *url)
{
    PGconn *pg = PQconnectdb(url);
    PQsetNoticeProcessor(pg, ignore, NULL);
    return pg;
}

static void make(const struct below *below)
{
    char sql[64];
    PGconn *pg = connected(base_url());
    (void)snprintf(sql, sizeof sql, "CREATE DATABASE hub%d", (int)(below - belows));
    PGresult *made = PQexec(pg, sql);
    ck_assert_msg(PQresultStatus(made) == PGRES_COMMAND_OK, "%s", PQerrorMessage(pg));
    PQclear(made);
    PQfinish(pg);
}

/* As if nothing had ever been stored. */
static void empty(const struct below *below)
{
    char url[URL_BYTES];
    url_of(below, url);
    PGconn *pg = connected(url);
    if (PQstatus(pg) != CONNECTION_OK) {
        make(below);
    } else {
        PGresult *dropped = PQexec(pg, "DROP SCHEMA IF EXISTS taluva CASCADE");
        ck_assert_msg(PQresultStatus(dropped) == PGRES_COMMAND_OK, "%s", PQerrorMessage(pg));
        PQclear(dropped);
    }
    PQfinish(pg);
}

static void close_below(struct below *below)
{
    if (below->store)
        below->store->engine->close(below->store);
    below->store = NULL;
}

static struct below *below_of(const struct model_store *model)
{
    struct below *unused = NULL;
    for (struct below *below = belows; below < belows + BELOW_MAX; below++) {
        if (below->model == model)
            return below;
        if (!below->model && !unused)
            unused = below;
    }
    ck_assert_msg(unused, "too many models");
    unused->model = model;
    return unused;
}

/* ---- in the place of the model's functions */

void __wrap_model_init(struct model_store *model)
{
    struct below *below = below_of(model);
    __real_model_init(model);
    close_below(below);
    empty(below);
}

void __wrap_model_release(struct model_store *model)
{
    struct below *below = below_of(model);
    __real_model_release(model);
    close_below(below);
    empty(below);
    below->model = NULL;
}

int __wrap_model_restore(struct model_store *model, struct hub *hub, int64_t now_ms)
{
    char url[URL_BYTES], message[STORE_MESSAGE_MAX] = "";
    struct below *below = below_of(model);
    const struct store_sink sink = hub_sink(hub);
    url_of(below, url);
    close_below(below);
    below->store = postgres_store_create(url, NULL);
    ck_assert_ptr_nonnull(below->store);
    const enum store_result result = below->store->engine->open(below->store, &sink, message);
    ck_assert_msg(result == STORE_OK, "%d: %s", (int)result, message);
    model->epoch = (uint64_t)postgres_store_term(below->store);
    return hub_restored(hub, now_ms);
}

static void is_committed(struct store_commit *commit)
{
    *(bool *)commit->ctx = true;
}

/* What the model has refused is refused for reasons of the test. */
static void commit_below(const struct below *below, const struct store_batch *batch)
{
    struct store_op *ops = calloc(batch->count + 1, sizeof *ops);
    enum store_result *results = calloc(batch->count + 1, sizeof *results);
    struct store_batch accepted = {.ops = ops, .results = results};
    bool done = false;
    struct store_commit commit = {.batch = &accepted, .done = is_committed, .ctx = &done};
    ck_assert(ops && results);
    for (size_t at = 0; at < batch->count; at++) {
        if (batch->results[at] == STORE_OK)
            ops[accepted.count++] = batch->ops[at];
    }
    below->store->engine->commit(below->store, &commit);
    ck_assert(done);
    ck_assert_int_eq(commit.result, STORE_OK);
    for (size_t at = 0; at < accepted.count; at++)
        ck_assert_msg(results[at] == STORE_OK, "op %d of %s: %d", (int)ops[at].kind,
                      ops[at].room_id, (int)results[at]);
    free(ops);
    free(results);
}

enum store_result __wrap_model_commit(struct model_store *model, const struct store_batch *batch)
{
    const enum store_result result = __real_model_commit(model, batch);
    if (result == STORE_OK)
        commit_below(below_of(model), batch);
    return result;
}

/* ---- reading, which another thread does */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void say_done(bool *done)
{
    pthread_mutex_lock(&mutex);
    *done = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void wait_done(const bool *done)
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

void __wrap_model_read(struct model_store *model, struct hub *hub, const char *room_id,
                       int64_t now_ms)
{
    const struct below *below = below_of(model);
    bool done = false;
    struct store_read read = {.done = is_read, .ctx = &done};
    (void)snprintf(read.room_id, sizeof read.room_id, "%s", room_id);
    below->store->engine->read(below->store, &read);
    wait_done(&done);
    hub_read_done(hub, read.room_id, read.result, &read.rows, now_ms);
    read.release(&read);
}

static void is_queried(struct store_query *query)
{
    say_done(query->ctx);
}

void __wrap_model_query(struct model_store *model, struct hub *hub, struct store_query *query,
                        int64_t now_ms)
{
    const struct below *below = below_of(model);
    bool done = false;
    query->done = is_queried;
    query->ctx = &done;
    below->store->engine->query(below->store, query);
    wait_done(&done);
    hub_query_done(hub, query, now_ms);
    query->release(query);
}
