/*
 * One batch to its end.
 *
 *     try ---- written --------------------------------> done
 *      |  \--- refused -- without what is refused -----> try
 *      |  |\--- taken -- without the row that claims --> try
 *      |  |\--- crowded -- as what is refused ----------> try
 *      |   \-- crossed another part's batch -----------> try
 *      |   \-- failed ---------------------------------> nothing was written
 *      |
 *      lost: perhaps it was written
 *      |
 *      v   connected again
 *     wait ---------------------> try, with the same number: "written before" is done, too
 *      |
 *      | no connection for too long
 *      v
 *     given up, as is what fails in another way before that is known: said to have failed, and the
 * next batch has the same number, so that it finds out. If it was written after all, this server
 * does not know what the store holds, and ends.
 */
#include "commit.h"

#include "lock.h"
#include "queries.sql.h"
#include <assert.h>
#include <stdio.h>
#include <time.h>

/* Of the part; larger than any of ours if there is no such part any more. */
static enum db_result ask_term(struct engine *engine, int64_t *term)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, engine->part.number);
    const enum db_result result = db_ask(&engine->db, SQL_PART_TERM, &params, &rows);
    *term = result == DB_OK && PQntuples(rows) == 1 ? cell_number(rows, 0, 0) : INT64_MAX;
    PQclear(rows);
    return result;
}

/* Before the lock, which would be waited for. */
static enum db_result check_term(struct engine *engine)
{
    int64_t term;
    const enum db_result result = ask_term(engine, &term);
    if (result != DB_OK || term == engine->term)
        return result;
    engine->db.problem = POSTGRES_TAKEN;
    return DB_FAILED;
}

/* A connection that may commit: with the lock, and its statements prepared. */
static enum db_result connect_engine(struct engine *engine)
{
    struct db *db = &engine->db;
    enum db_result result = db_connect(db, engine->name);
    if (result == DB_OK)
        result = check_term(engine);
    if (result == DB_OK)
        result = lock_take_again(db, engine->part.number, engine->name);
    if (result == DB_OK)
        result = write_prepare(db);
    if (result == DB_FAILED)
        db_disconnect(db);
    return result;
}

static enum store_result refuse_fenced(struct engine *engine, const char *why)
{
    snprintf(engine->db.message, sizeof engine->db.message, "%s", why);
    return STORE_FENCED;
}

/* Another server that has the lock may be about to end, or have taken the store. */
static enum store_result look_who_took_it(struct engine *engine)
{
    struct db *db = &engine->db;
    char message[STORE_MESSAGE_MAX];
    int64_t term;
    snprintf(message, sizeof message, "%s", db->message);
    if (db_connect(db, engine->name) != DB_OK)
        return STORE_FAILED;
    const enum db_result asked = ask_term(engine, &term);
    db_disconnect(db);
    if (asked == DB_OK && term > engine->term)
        return refuse_fenced(engine, "another server has opened the store");
    if (asked == DB_OK && term < engine->term) {
        (void)refuse_fenced(engine,
                            "the database has lost batches, and that this server has opened it");
        return STORE_CORRUPT;
    }
    snprintf(db->message, sizeof db->message, "%s", message);
    return STORE_FAILED;
}

static enum store_result connect_again(struct engine *engine)
{
    const enum db_result result = connect_engine(engine);
    if (result == DB_OK) {
        if (engine->store.warn)
            engine->store.warn("store_connected", engine->url.name, STORE_OK);
        return STORE_OK;
    }
    return engine->db.problem == POSTGRES_TAKEN ? look_who_took_it(engine) : STORE_FAILED;
}

/* What is under way while one batch is brought to its end. */
struct committing {
    const struct store_batch *batch;
    int64_t number;
    bool doubtful; /* it was sent, and no answer came */
    int64_t doubtful_ms;
};

static enum store_result commit_batch(struct engine *engine, struct committing *committing);

static enum store_result give_up(struct engine *engine)
{
    engine->given_up = true;
    return STORE_FAILED;
}

/* STORE_OK: there is a connection. False: there is none yet, and it is to be waited for. */
static bool have_connection(struct engine *engine, struct committing *committing,
                            enum store_result *result)
{
    const struct timespec pause = {0, 100 * 1000000};
    *result = STORE_OK;
    if (engine->db.pg && db_look(&engine->db) == DB_OK)
        return true;
    *result = connect_again(engine);
    if (*result != STORE_FAILED || !committing->doubtful)
        return true;
    if (db_now_ms() - committing->doubtful_ms >= engine->timeouts.settle_ms) {
        *result = give_up(engine);
        return true;
    }
    nanosleep(&pause, NULL);
    return false;
}

static enum write_result try_commit(struct engine *engine, const struct committing *committing,
                                    size_t *at)
{
    const struct write_request request = {committing->batch, engine->part, engine->term,
                                          committing->number, &engine->next_key};
    pg_log_ends_take_back(&engine->log_ends);
    return write_batch(&engine->db, &engine->writing, &engine->log_ends, &request, at);
}

static enum store_result settle_batch(struct engine *engine, const struct committing *committing)
{
    pg_log_ends_keep(&engine->log_ends);
    engine->batch = committing->number;
    engine->given_up = false;
    return STORE_OK;
}

/*
 * A commit whose wait for a standby was cut, by a lost connection or by pg_cancel_backend, is seen
 * before it is there as well; the database only warns of that. So one more is made, which waits for
 * both. It is in doubt from the beginning: the connection may be lost once more, and is waited for.
 */
static enum store_result confirm_batch(struct engine *engine, const struct committing *committing)
{
    (void)settle_batch(engine, committing);
    const struct store_batch nothing = {0};
    struct committing confirming = {.batch = &nothing,
                                    .number = engine->batch + 1,
                                    .doubtful = true,
                                    .doubtful_ms = db_now_ms()};
    return commit_batch(engine, &confirming) == STORE_OK
               ? STORE_OK
               : refuse_fenced(engine,
                               "what was written cannot be confirmed: start again to load it");
}

/* False: once more. */
static bool come_to_an_end(struct engine *engine, struct committing *committing,
                           enum store_result *result)
{
    size_t at = 0;
    switch (try_commit(engine, committing, &at)) {
    case WRITE_OK:
        *result = engine->db.warned ? confirm_batch(engine, committing)
                                    : settle_batch(engine, committing);
        return true;
    case WRITE_ALREADY:
        *result =
            engine->given_up
                ? refuse_fenced(engine, "what was given up when the connection was lost has been "
                                        "written: start again to load it")
                : confirm_batch(engine, committing);
        return true;
    case WRITE_REFUSED:
        store_batch_refuse(committing->batch, at);
        return false;
    case WRITE_TAKEN:
        assert(committing->batch->results);
        committing->batch->results[at] = STORE_TAKEN;
        return false;
    case WRITE_CROWDED:
        store_batch_crowd(committing->batch, at);
        return false;
    case WRITE_CROSSED:
        return false;
    case WRITE_LOST:
        if (!committing->doubtful)
            committing->doubtful_ms = db_now_ms();
        committing->doubtful = true;
        return false;
    case WRITE_FENCED:
        *result = STORE_FENCED;
        return true;
    case WRITE_BEHIND:
    case WRITE_CORRUPT:
        *result = STORE_CORRUPT;
        return true;
    case WRITE_FULL:
        *result = STORE_FULL;
        break;
    case WRITE_FAILED:
        *result = STORE_FAILED;
        break;
    }
    /* It may have failed before the fence could say what became of the try before. */
    engine->given_up |= committing->doubtful;
    return true;
}

static enum store_result commit_batch(struct engine *engine, struct committing *committing)
{
    enum store_result result = STORE_OK;
    for (;;) {
        if (!have_connection(engine, committing, &result))
            continue;
        if (result != STORE_OK || come_to_an_end(engine, committing, &result))
            break;
    }
    pg_log_ends_take_back(&engine->log_ends); /* unless they were kept */
    return result;
}

enum store_result engine_commit_batch(struct engine *engine, const struct store_batch *batch)
{
    struct committing committing = {.batch = batch, .number = engine->batch + 1};
    return commit_batch(engine, &committing);
}
