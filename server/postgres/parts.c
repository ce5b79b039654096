#include <postgres/parts.h>

#include "command.h"
#include "lock.h"
#include "queries.sql.h"
#include "schema.h"
#include <hub/part.h>
#include <stdio.h>

static enum db_result read_parts(struct db *db, unsigned *parts)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, SQL_PARTS_COUNT, NULL, &rows);
    if (result == DB_OK)
        *parts = (unsigned)cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

static enum db_result get_parts(struct db *db, void *ctx)
{
    unsigned *parts = ctx;
    int64_t version;
    const enum db_result result = schema_look(db, &version);
    *parts = 1;
    return result == DB_OK && version > 1 ? read_parts(db, parts) : result;
}

static enum db_result look_for_players(struct db *db, bool *empty)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, SQL_SITE_HAS_PLAYERS, NULL, &rows);
    if (result == DB_OK)
        *empty = PQntuples(rows) == 0;
    PQclear(rows);
    return result;
}

static enum db_result get_empty(struct db *db, void *ctx)
{
    bool *empty = ctx;
    int64_t version;
    const enum db_result result = schema_look(db, &version);
    *empty = true;
    return result == DB_OK && version > 0 ? look_for_players(db, empty) : result;
}

static enum db_result read_times(struct db *db, const char *sql, struct postgres_times *times)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, sql, NULL, &rows);
    if (result == DB_OK) {
        times->now_ms = cell_number(rows, 0, 0);
        times->latest_ms = cell_number(rows, 0, 1);
    }
    PQclear(rows);
    return result;
}

static enum db_result get_times(struct db *db, void *ctx)
{
    int64_t version;
    const enum db_result result = schema_look(db, &version);
    return result == DB_OK ? read_times(db, version > 0 ? SQL_SITE_TIMES : SQL_TIME_ALONE, ctx)
                           : result;
}

/* Until the transaction ends, all that there may be. A server that has just ended may still have
 * one for a moment. */
static enum db_result lock_all(struct db *db)
{
    const int64_t until_ms = db_now_ms() + 1000;
    bool taken = true;
    enum db_result result = lock_schema(db);
    for (int64_t part = 0; part < PARTS_MAX && result == DB_OK; part++) {
        while ((result = lock_try(db, part, LOCK_TRANSACTION, &taken)) == DB_OK && !taken &&
               db_now_ms() < until_ms)
            lock_pause(20);
        if (result == DB_OK && !taken)
            result = lock_say_who(db, part);
    }
    return result;
}

/* Who has said that it has ended says nothing any more. Anybody else may have lost the connection
 * alone: by the end of the silence its lease is lost, and it commits nothing without the lock. */
static enum db_result await_silence(struct db *db)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, POSTGRES_GIVEN_UP);
    const enum db_result result = db_ask(db, SQL_PARTS_NOT_GIVEN_UP, &params, &rows);
    if (result == DB_OK && PQntuples(rows) > 0)
        lock_pause(POSTGRES_SILENT_MS);
    PQclear(rows);
    return result;
}

/*
 * A session that was seen once only is taken for a visitor's, and forgotten soon, unless it sits at
 * a table. Its home does not see any more whether it does: that may be a part of its own now. So
 * who plays is one that was seen again.
 */
static enum db_result mark_players(struct db *db)
{
    return db_run(db, SQL_PARTS_KEEP_SESSIONS);
}

/* Each part has a new term, which is no one's: it is as if it had been given up. */
static enum db_result write_parts(struct db *db, struct params *params)
{
    PGresult *rows;
    params_add_number(params, POSTGRES_GIVEN_UP);
    const enum db_result result = db_ask(db, SQL_PARTS_DIVIDE, params, &rows);
    PQclear(rows);
    return result;
}

static enum db_result set_parts(struct db *db, void *ctx)
{
    const unsigned *parts = ctx;
    struct params params = {0};
    params_add_number(&params, *parts);
    enum db_result result = schema_open(db);
    if (result == DB_OK)
        result = db_run(db, "BEGIN");
    if (result == DB_OK)
        result = lock_all(db);
    if (result == DB_OK)
        result = await_silence(db);
    if (result == DB_OK)
        result = mark_players(db);
    if (result == DB_OK)
        result = db_run(db, SQL_PARTS_FORGET);
    if (result == DB_OK)
        result = write_parts(db, &params);
    return result == DB_OK ? db_run(db, "COMMIT") : result;
}

enum postgres_problem postgres_parts_get(const char *url, unsigned *parts,
                                         struct postgres_said *said)
{
    return command_run(url, "taluvad parts", said, get_parts, parts);
}

enum postgres_problem postgres_is_empty(const char *url, bool *empty, struct postgres_said *said)
{
    return command_run(url, "taluvad parts", said, get_empty, empty);
}

enum postgres_problem postgres_times_get(const char *url, struct postgres_times *times,
                                         struct postgres_said *said)
{
    return command_run(url, "taluvad rotate-key", said, get_times, times);
}

enum postgres_problem postgres_parts_set(const char *url, unsigned parts,
                                         struct postgres_said *said)
{
    return command_run(url, "taluvad parts", said, set_parts, &parts);
}
