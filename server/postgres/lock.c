#include "lock.h"

#include <stdio.h>
#include <time.h>

/* "talu", and what is locked: 0 the schema, from 1 on the parts. */
#define KIND    "1952541813"
#define OF_PART "($1::bigint + 1)::int"

enum db_result lock_try(struct db *db, int64_t part, enum lock_span span, bool *taken)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    const enum db_result result =
        db_ask(db,
               span == LOCK_SESSION ? "SELECT pg_try_advisory_lock(" KIND ", " OF_PART ")"
                                    : "SELECT pg_try_advisory_xact_lock(" KIND ", " OF_PART ")",
               &params, &rows);
    *taken = result == DB_OK && cell_flag(rows, 0, 0);
    PQclear(rows);
    return result;
}

enum db_result lock_schema(struct db *db)
{
    return db_run(db, "SELECT pg_advisory_xact_lock(" KIND ", 0)");
}

static enum db_result end_namesakes(struct db *db, const char *name)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, name);
    const enum db_result result =
        db_ask(db,
               "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
               " WHERE application_name = $1::text AND pid <> pg_backend_pid()"
               " AND datname = current_database() AND usename = current_user",
               &params, &rows);
    PQclear(rows);
    return result;
}

enum db_result lock_say_who(struct db *db, int64_t part)
{
    struct params params = {0};
    PGresult *rows;
    char name[64] = "", where[64] = "";
    params_add_number(&params, part);
    const enum db_result result =
        db_ask(db,
               "SELECT coalesce(application_name, ''), coalesce(host(client_addr), '')"
               " FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
               " WHERE l.locktype = 'advisory' AND classid = " KIND " AND objid::bigint = " OF_PART
               " AND a.datname = current_database()",
               &params, &rows);
    if (result == DB_OK && PQntuples(rows) > 0) {
        (void)cell_string(rows, 0, 0, name, sizeof name);
        (void)cell_string(rows, 0, 1, where, sizeof where);
    }
    PQclear(rows);
    if (result == DB_LOST)
        return result;
    snprintf(db->message, sizeof db->message, "another server uses it%s%s%s%s%s",
             name[0] ? " (" : "", name, name[0] && where[0] ? " at " : "", name[0] ? where : "",
             name[0] ? ")" : "");
    db->problem = POSTGRES_TAKEN;
    return DB_FAILED;
}

void lock_pause(int64_t ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

enum db_result lock_take(struct db *db, int64_t part, const char *name)
{
    const int64_t until_ms = db_now_ms() + db->patience.lock_ms;
    bool taken;
    for (;;) {
        enum db_result result = lock_try(db, part, LOCK_SESSION, &taken);
        if (result != DB_OK || taken)
            return result;
        result = end_namesakes(db, name);
        if (result != DB_OK)
            return result;
        if (db_now_ms() >= until_ms)
            return lock_say_who(db, part);
        lock_pause(50);
    }
}

/* ---- a standby */

enum { LOOK_MS = 250, QUICK_MS = 1000 };

/* What is seen of whoever has the lock. */
struct seen {
    struct postgres_holder holder;
    int64_t since_ms; /* for so long it is as it is */
    int64_t looked_ms;
};

/* Also in a database of version 1, which has one row without a number: what waits may be newer than
 * what it waits for. */
static enum db_result read_holder(struct db *db, int64_t part, struct postgres_holder *holder)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    const enum db_result result =
        db_ask(db,
               "SELECT term, batch FROM taluva.server s"
               " WHERE coalesce((to_jsonb(s) ->> 'part')::bigint, 0) = $1::bigint",
               &params, &rows);
    const bool known = result == DB_OK && PQntuples(rows) == 1;
    holder->term = known ? cell_number(rows, 0, 0) : 0;
    holder->batch = known ? cell_number(rows, 0, 1) : 0;
    PQclear(rows);
    return result == DB_LOST ? DB_LOST : DB_OK; /* there may be no schema yet */
}

/* A server that has committed nothing yet may still be loading. And if the database was slow, or we
 * were, then perhaps so was it: only a silence that we have listened to without a gap counts. */
static enum db_result look(struct db *db, int64_t part, struct seen *seen)
{
    struct postgres_holder now;
    const int64_t before_ms = seen->looked_ms;
    const enum db_result result = read_holder(db, part, &now);
    seen->looked_ms = db_now_ms();
    const bool gap = seen->looked_ms - before_ms > LOOK_MS + QUICK_MS;
    if (gap || now.batch == 0 || now.term != seen->holder.term || now.batch != seen->holder.batch)
        seen->since_ms = seen->looked_ms;
    seen->holder = now;
    return result;
}

/*
 * Of a server that is stopped in the middle of a transaction the locks on its rows stay as well.
 * With a term only the one that is known by it: who has just got the lock has none yet.
 */
static enum db_result end_holder(struct db *db, int64_t part, int64_t term)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    params_add_number(&params, term);
    const enum db_result result =
        db_ask(db,
               "SELECT pg_terminate_backend(other.pid) FROM pg_locks l"
               " JOIN pg_stat_activity holder ON holder.pid = l.pid"
               " JOIN pg_stat_activity other ON other.application_name = holder.application_name"
               " AND other.datname = holder.datname AND other.usename = holder.usename"
               " WHERE l.locktype = 'advisory' AND l.classid = " KIND
               " AND l.objid::bigint = " OF_PART " AND l.granted"
               " AND holder.datname = current_database()"
               " AND ($2::bigint = 0 OR holder.application_name LIKE 'taluvad ' || $2 || ' %'"
               "  OR holder.application_name = 'taluvad ' || $2)",
               &params, &rows);
    PQclear(rows);
    return result;
}

static enum db_result end_if_silent(struct db *db, int64_t part, struct seen *seen,
                                    void (*say)(const char *event, const char *message,
                                                enum store_result result))
{
    char what[96];
    if (seen->looked_ms - seen->since_ms < db->patience.silent_ms)
        return DB_OK;
    snprintf(what, sizeof what, "taluvad %lld has committed nothing for %lld ms",
             (long long)seen->holder.term, (long long)(seen->looked_ms - seen->since_ms));
    if (say)
        say("store_holder_ended", what, STORE_OK);
    seen->since_ms = seen->looked_ms;
    return end_holder(db, part, 0);
}

enum db_result lock_await(struct db *db, int64_t part,
                          void (*say)(const char *event, const char *message,
                                      enum store_result result))
{
    struct seen seen = {.since_ms = db_now_ms(), .looked_ms = db_now_ms()};
    bool taken, said = false;
    for (;;) {
        enum db_result result = lock_try(db, part, LOCK_SESSION, &taken);
        if (result != DB_OK || taken)
            return result;
        if (!said && lock_say_who(db, part) == DB_FAILED && say)
            say("store_standby", db->message, STORE_OK);
        said = true;
        if (!db->pg || look(db, part, &seen) == DB_LOST ||
            end_if_silent(db, part, &seen, say) == DB_LOST)
            return DB_LOST;
        lock_pause(LOOK_MS);
    }
}

/* ---- from who is known to be silent */

enum db_result lock_take_from(struct db *db, int64_t part, const struct postgres_holder *silent)
{
    const int64_t until_ms = db_now_ms() + db->patience.lock_ms;
    struct postgres_holder now;
    bool taken;
    for (;;) {
        enum db_result result = lock_try(db, part, LOCK_SESSION, &taken);
        if (result != DB_OK || taken)
            return result;
        result = read_holder(db, part, &now);
        const bool late = db_now_ms() >= until_ms;
        if (result == DB_OK && now.term == silent->term && now.batch == silent->batch)
            result = end_holder(db, part, late ? 0 : silent->term);
        if (result != DB_OK)
            return result;
        if (late)
            return lock_say_who(db, part);
        lock_pause(50);
    }
}
