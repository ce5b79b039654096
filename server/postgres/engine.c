/* The interface of hub/store.h. */
#include "commit.h"
#include "load.h"
#include "lock.h"
#include "queries.sql.h"
#include "schema.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct postgres_timeouts postgres_timeouts_alone = {
    .connect_ms = 5000,
    .answer_ms = 15000,
    .settle_ms = 10000,
    .lock_ms = 5000,
};

const struct postgres_timeouts postgres_timeouts_standby = {
    .connect_ms = 5000,
    .answer_ms = 15000,
    .settle_ms = 10000,
    .lock_ms = 5000,
    .silent_ms = POSTGRES_SILENT_MS,
};

static struct engine *engine_of(struct store *store)
{
    return (struct engine *)store;
}

static void warn_of(const struct engine *engine, const char *event, const char *message,
                    enum store_result result)
{
    if (engine->store.warn)
        engine->store.warn(event, message, result);
}

/* ---- opening */

/* Who ends the connections of one part by their name does not end those of another one. */
static void name_connection(struct engine *engine, const char *what)
{
    char part[24] = "";
    if (engine->part.count > 1)
        snprintf(part, sizeof part, " part %u", engine->part.number);
    snprintf(engine->name, sizeof engine->name, "taluvad%s%s", what, part);
}

static int64_t boot_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum db_result take_term(struct engine *engine)
{
    struct db *db = &engine->db;
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, engine->part.number);
    params_add_text(&params, engine->node);
    params_add_text(&params, engine->relay);
    enum db_result result = DB_OK;
    engine->taken_ms = boot_ms();
    do {
        db->warned = false;
        result = db_ask(db, SQL_PART_TAKE, &params, &rows);
        if (result == DB_OK)
            engine->term = cell_number(rows, 0, 0);
        PQclear(rows);
    } while (result == DB_OK && db->warned); /* perhaps it is not at the standby, see commit.c */
    if (result != DB_OK)
        return result;
    char term[32];
    snprintf(term, sizeof term, " %lld", (long long)engine->term);
    name_connection(engine, term);
    return db_name(db, engine->name);
}

/* Asked in the middle of what it took. */
static enum db_result read_time(struct engine *engine)
{
    PGresult *rows;
    const int64_t asked_ms = boot_ms();
    const enum db_result result = db_ask(&engine->db, SQL_NOW, NULL, &rows);
    if (result == DB_OK)
        engine->ahead_of_boot_ms =
            cell_number(rows, 0, 0) - (asked_ms + (boot_ms() - asked_ms) / 2);
    PQclear(rows);
    return result;
}

/* Whoever has the lock of a part may rely on their number. */
static enum db_result check_parts(struct engine *engine)
{
    struct db *db = &engine->db;
    PGresult *rows;
    enum db_result result = db_ask(db, SQL_PARTS_COUNT, NULL, &rows);
    const int64_t parts = result == DB_OK ? cell_number(rows, 0, 0) : 0;
    PQclear(rows);
    if (result != DB_OK || parts == engine->part.count)
        return result;
    db->problem = POSTGRES_PARTS;
    snprintf(db->message, sizeof db->message, "the site is divided into %lld parts, not %u",
             (long long)parts, engine->part.count);
    return DB_FAILED;
}

/* Each part has one of every PARTS_MAX keys. */
static enum db_result read_next_key(struct engine *engine)
{
    PGresult *rows;
    const enum db_result result = db_ask(&engine->db, SQL_LAST_ROOM_KEY, NULL, &rows);
    if (result == DB_OK)
        engine->next_key =
            (cell_number(rows, 0, 0) / PARTS_MAX + 1) * PARTS_MAX + engine->part.number;
    PQclear(rows);
    return result;
}

/* A standby that was connected outlives a restart of the database. So does the server that it
 * waits for: its silence is listened to anew, and no restart changes the server. */
static enum db_result wait_as_standby(struct engine *engine)
{
    enum { AGAIN_MS = 500 };
    struct db *db = &engine->db;
    enum db_result result = lock_await(db, engine->part.number, engine->store.warn);
    while (result == DB_LOST) {
        warn_of(engine, "store_standby", db->message, STORE_FAILED);
        do
            lock_pause(AGAIN_MS);
        while (db_connect(db, engine->name) != DB_OK);
        result = lock_await(db, engine->part.number, engine->store.warn);
    }
    return result;
}

static enum db_result take_lock(struct engine *engine)
{
    struct db *db = &engine->db;
    const bool standby = engine->timeouts.silent_ms > 0;
    name_connection(engine, standby ? " standby" : "");
    const enum db_result result = db_connect(db, engine->name);
    if (result != DB_OK)
        return result;
    if (standby)
        return wait_as_standby(engine);
    return engine->takes_over ? lock_take_from(db, engine->part.number, &engine->silent)
                              : lock_take(db, engine->part.number, "taluvad, which was ended");
}

static enum db_result take_store(struct engine *engine)
{
    struct db *db = &engine->db;
    enum db_result result = take_lock(engine);
    if (result == DB_OK)
        result = schema_open(db);
    if (result == DB_OK)
        result = check_parts(engine);
    if (result == DB_OK)
        result = take_term(engine);
    if (result == DB_OK)
        result = read_time(engine);
    return result == DB_OK ? read_next_key(engine) : result;
}

static enum store_result result_of(enum postgres_problem problem)
{
    switch (problem) {
    case POSTGRES_TAKEN:
        return STORE_FENCED;
    case POSTGRES_NEWER:
        return STORE_NEWER;
    case POSTGRES_FOREIGN:
        return STORE_CORRUPT;
    case POSTGRES_PARTS:
        return STORE_REFUSED;
    case POSTGRES_FINE:
    case POSTGRES_BAD_URL:
    case POSTGRES_UNREACHABLE:
    case POSTGRES_DENIED:
    case POSTGRES_POOLED:
    case POSTGRES_FAILED:
        break;
    }
    return STORE_FAILED;
}

static enum store_result load_part(struct engine *engine, const struct store_sink *sink)
{
    struct loaded loaded = {0};
    const int answer = sink->opened(sink->ctx, (uint64_t)engine->term);
    if (answer < 0) {
        snprintf(engine->db.message, sizeof engine->db.message,
                 "what the store holds is not usable (%d)", answer);
        return answer < STORE_NEWER ? STORE_FAILED : (enum store_result)answer;
    }
    engine->db.timeouts.answer_ms = POSTGRES_LOAD_MS;
    const enum store_result result =
        load_rows(&engine->db, engine->part, engine->sets_aside, sink, &engine->log_ends, &loaded);
    engine->db.timeouts.answer_ms = engine->timeouts.answer_ms;
    if (result == STORE_OK && loaded.left_out > 0) {
        char what[STORE_MESSAGE_MAX];
        snprintf(what, sizeof what, "the store is damaged: %s was left out, %zu rows in all",
                 loaded.why, loaded.left_out);
        warn_of(engine, "store_damaged", what, STORE_CORRUPT);
    }
    return result;
}

/* A table of the schema is not there, or has other columns than this program's: the database has
 * said which. */
static bool has_other_tables(const struct db *db)
{
    return strcmp(db->state, "42P01") == 0 || strcmp(db->state, "42703") == 0 ||
           strcmp(db->state, "42804") == 0;
}

static enum store_result refuse_other_tables(struct db *db)
{
    const struct db said = *db;
    db->problem = POSTGRES_FOREIGN;
    snprintf(db->message, sizeof db->message,
             "%.300s: its schema was made by a program that is no version of this one, and that "
             "program alone can use it",
             said.message);
    return STORE_CORRUPT;
}

static enum store_result engine_open(struct store *store, const struct store_sink *sink,
                                     char message[STORE_MESSAGE_MAX])
{
    struct engine *engine = engine_of(store);
    struct db *db = &engine->db;
    if (!engine->url_known) {
        db->problem = engine->url.problem;
        snprintf(message, STORE_MESSAGE_MAX, "%s", engine->url.trouble);
        return STORE_FAILED;
    }
    enum db_result taken = take_store(engine);
    enum store_result result = taken == DB_OK ? load_part(engine, sink) : result_of(db->problem);
    if (result == STORE_OK && write_prepare(db) != DB_OK)
        result = STORE_FAILED;
    if (result == STORE_FAILED && db->problem == POSTGRES_FAILED && has_other_tables(db))
        result = refuse_other_tables(db);
    if (result == STORE_OK && !reader_start(&engine->reader, store, engine->part, &engine->url,
                                            &engine->timeouts, engine->name)) {
        snprintf(db->message, sizeof db->message, "no thread can be started");
        result = STORE_FAILED;
    }
    if (result == STORE_OK)
        db->problem = POSTGRES_FINE;
    else
        snprintf(message, STORE_MESSAGE_MAX, "%s", db->message);
    return result;
}

/* ---- commits */

static bool refuses_some(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        /* What is taken is nobody's fault. */
        if (batch->results[i] == STORE_REFUSED || batch->results[i] == STORE_CROWDED)
            return true;
    }
    return false;
}

/* Each failure is told, and the first success after them. */
static void tell_result(struct engine *engine, enum store_result result)
{
    char after[64];
    if (result != STORE_OK) {
        warn_of(engine, "store_commit_failed", engine->db.message, result);
        engine->failed_commits++;
        return;
    }
    if (engine->failed_commits == 0)
        return;
    snprintf(after, sizeof after, "%d %s failed before", engine->failed_commits,
             engine->failed_commits == 1 ? "commit had" : "commits had");
    engine->failed_commits = 0;
    warn_of(engine, "store_recovered", after, STORE_OK);
}

static void engine_commit(struct store *store, struct store_commit *commit)
{
    struct engine *engine = engine_of(store);
    commit->result = engine_commit_batch(engine, commit->batch);
    tell_result(engine, commit->result);
    if (commit->result == STORE_OK && refuses_some(commit->batch))
        warn_of(engine, store_batch_is_crowded(commit->batch) ? "letters_crowded" : "store_refused",
                engine->db.message, STORE_REFUSED);
    commit->done(commit);
}

/* ---- the rest */

static void engine_read(struct store *store, struct store_read *read)
{
    reader_read(&engine_of(store)->reader, read);
}

static void engine_query(struct store *store, struct store_query *query)
{
    reader_query(&engine_of(store)->reader, query);
}

static void engine_trim(struct store *store, struct store_trim *trim)
{
    reader_trim(&engine_of(store)->reader, trim);
}

/* Nothing is said of it any more, and others need not wait for the silence. */
static void give_up_part(struct engine *engine)
{
    struct db *db = &engine->db;
    struct params params = {0};
    PGresult *rows;
    if (engine->term == 0 || !db->pg || !PQexitPipelineMode(db->pg))
        return;
    params_add_number(&params, engine->part.number);
    params_add_number(&params, engine->term);
    params_add_number(&params, POSTGRES_GIVEN_UP);
    (void)db_ask(db, SQL_PART_GIVE_UP, &params, &rows);
    PQclear(rows);
}

static void engine_close(struct store *store)
{
    struct engine *engine = engine_of(store);
    reader_end(&engine->reader);
    give_up_part(engine);
    db_disconnect(&engine->db);
    writing_release(&engine->writing);
    pg_log_ends_release(&engine->log_ends);
    url_release(&engine->url);
    free(engine);
}

static const struct store_engine postgres_engine = {
    .open = engine_open,
    .commit = engine_commit,
    .read = engine_read,
    .query = engine_query,
    .trim = engine_trim,
    .close = engine_close,
};

struct store *postgres_store_create(const char *url, const struct postgres_options *options)
{
    static const struct postgres_options usual;
    const struct postgres_options *o = options ? options : &usual;
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->store.engine = &postgres_engine;
    engine->timeouts = o->timeouts ? *o->timeouts : postgres_timeouts_alone;
    engine->part = (struct part){o->part, o->parts ? o->parts : 1};
    engine->sets_aside = o->sets_aside;
    engine->takes_over = o->silent;
    engine->silent = o->silent ? *o->silent : (struct postgres_owner){0};
    assert(engine->part.number < engine->part.count && engine->part.count <= PARTS_MAX);
    snprintf(engine->node, sizeof engine->node, "%s", o->node ? o->node : "");
    snprintf(engine->relay, sizeof engine->relay, "%s", o->relay ? o->relay : "");
    engine->url_known = url_parse(&engine->url, url, engine->timeouts.connect_ms);
    engine->db = (struct db){.url = &engine->url, .timeouts = engine->timeouts};
    pg_log_ends_init(&engine->log_ends);
    return &engine->store;
}

int64_t postgres_store_term(const struct store *store)
{
    return ((const struct engine *)store)->term;
}

int64_t postgres_store_now_ms(const struct store *store)
{
    return ((const struct engine *)store)->ahead_of_boot_ms + boot_ms();
}

int64_t postgres_store_taken_ms(const struct store *store)
{
    return ((const struct engine *)store)->taken_ms;
}

const char *postgres_store_name(const struct store *store)
{
    return ((const struct engine *)store)->url.name;
}

enum postgres_problem postgres_store_problem(const struct store *store)
{
    return ((const struct engine *)store)->db.problem;
}
