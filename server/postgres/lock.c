#include "lock.h"

#include "queries.sql.h"
#include <stdio.h>
#include <time.h>

enum db_result lock_try(struct db *db, int64_t part, enum lock_span span, bool *taken)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    const enum db_result result =
        db_ask(db, span == LOCK_SESSION ? SQL_LOCK_PART : SQL_LOCK_PART_ONCE, &params, &rows);
    *taken = result == DB_OK && cell_flag(rows, 0, 0);
    PQclear(rows);
    return result;
}

enum db_result lock_schema(struct db *db)
{
    return db_run(db, SQL_LOCK_SCHEMA);
}

static enum db_result end_namesakes(struct db *db, const char *name)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, name);
    const enum db_result result = db_ask(db, SQL_END_NAMESAKES, &params, &rows);
    PQclear(rows);
    return result;
}

enum db_result lock_say_who(struct db *db, int64_t part)
{
    struct params params = {0};
    PGresult *rows;
    char name[64] = "", where[64] = "";
    params_add_number(&params, part);
    const enum db_result result = db_ask(db, SQL_LOCK_SAY_WHO, &params, &rows);
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

/* Until timeouts.lock_ms is over. */
static enum db_result try_for_long(struct db *db, int64_t part, const char *name, bool *taken)
{
    const int64_t until_ms = db_now_ms() + db->timeouts.lock_ms;
    for (;;) {
        enum db_result result = lock_try(db, part, LOCK_SESSION, taken);
        if (result != DB_OK || *taken)
            return result;
        result = end_namesakes(db, name);
        if (result != DB_OK || db_now_ms() >= until_ms)
            return result;
        lock_pause(50);
    }
}

enum db_result lock_take(struct db *db, int64_t part, const char *name)
{
    bool taken = false;
    const enum db_result result = try_for_long(db, part, name, &taken);
    return result != DB_OK || taken ? result : lock_say_who(db, part);
}

/* ---- whoever has it */

/* Also in a database of version 1, which has one row without a number: what waits may be newer than
 * what it waits for. */
static enum db_result read_owner(struct db *db, int64_t part, struct postgres_owner *owner,
                                 bool *held)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    const enum db_result result = db_ask(db, SQL_PART_LOOK, &params, &rows);
    const bool known = result == DB_OK && PQntuples(rows) == 1;
    owner->term = known ? cell_number(rows, 0, 0) : 0;
    owner->batch = known ? cell_number(rows, 0, 1) : 0;
    *held = known && cell_flag(rows, 0, 2);
    PQclear(rows);
    return result == DB_LOST ? DB_LOST : DB_OK; /* there may be no schema yet */
}

static bool is_same_owner(const struct postgres_owner *one, const struct postgres_owner *other)
{
    return one->term == other->term && one->batch == other->batch;
}

/* With the lock: nobody else can commit any more, but somebody may have done so just before. */
static enum db_result is_still(struct db *db, int64_t part, const struct postgres_owner *owner,
                               bool *still)
{
    struct postgres_owner now;
    bool held;
    const enum db_result result = read_owner(db, part, &now, &held);
    *still = result == DB_OK && is_same_owner(&now, owner);
    return result;
}

static enum db_result unlock_part(struct db *db, int64_t part)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    const enum db_result result = db_ask(db, SQL_UNLOCK_PART, &params, &rows);
    PQclear(rows);
    return result;
}

enum { ANYBODY = 0, WITHOUT_TERM = -1 };

/*
 * Of a server that is stopped in the middle of a transaction the locks on its rows stay as well.
 * With a term only the one that is known by it: who has just got the lock has none yet. By a term a
 * server has several connections; without one many have the same name, who only wait.
 */
static enum db_result end_holder(struct db *db, int64_t part, int64_t term)
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, part);
    params_add_number(&params, term);
    const enum db_result result = db_ask(db, SQL_END_HOLDER, &params, &rows);
    PQclear(rows);
    return result;
}

enum db_result lock_take_again(struct db *db, int64_t part, const char *name)
{
    bool taken = false;
    enum db_result result = try_for_long(db, part, name, &taken);
    if (result != DB_OK || taken)
        return result;
    result = lock_say_who(db, part);
    return result == DB_FAILED && end_holder(db, part, WITHOUT_TERM) == DB_LOST ? DB_LOST : result;
}

/* ---- a standby */

enum { LOOK_MS = 250, QUICK_MS = 1000 };

/* What is seen of whoever has the part. */
struct seen {
    struct postgres_owner owner;
    bool held;        /* it has the lock */
    int64_t since_ms; /* for so long it is as it is */
    int64_t looked_ms;
    int64_t ended_ms; /* since when its connections are being ended; 0: they are not */
};

typedef void sayer(const char *event, const char *message, enum store_result result);

static void begin_anew(struct seen *seen)
{
    seen->since_ms = seen->looked_ms;
    seen->ended_ms = 0;
}

/* A server that has committed nothing yet may still be loading. And if the database was slow, or we
 * were, then perhaps so was it: only a silence that we have listened to without a gap counts. */
static enum db_result look_at_part(struct db *db, int64_t part, struct seen *seen)
{
    struct postgres_owner now;
    const int64_t before_ms = seen->looked_ms;
    const enum db_result result = read_owner(db, part, &now, &seen->held);
    seen->looked_ms = db_now_ms();
    const bool gap = seen->looked_ms - before_ms > LOOK_MS + QUICK_MS;
    if (gap || (now.batch == 0 && seen->held) || !is_same_owner(&now, &seen->owner))
        begin_anew(seen);
    seen->owner = now;
    return result;
}

/* Whoever gets the lock next has no term for a moment: it is given time to take one. */
static enum db_result end_silent(struct db *db, int64_t part, struct seen *seen, sayer *say)
{
    char what[96];
    snprintf(what, sizeof what, "taluvad %lld has committed nothing for %lld ms",
             (long long)seen->owner.term, (long long)(seen->looked_ms - seen->since_ms));
    if (say && seen->ended_ms == 0)
        say("store_holder_ended", what, STORE_OK);
    if (seen->ended_ms == 0)
        seen->ended_ms = seen->looked_ms;
    const bool late = seen->looked_ms - seen->ended_ms >= db->timeouts.lock_ms;
    return end_holder(db, part, late ? ANYBODY : seen->owner.term);
}

/* Once it may be had. */
static enum db_result try_to_have(struct db *db, int64_t part, struct seen *seen, sayer *say,
                                  bool *taken)
{
    const bool silent = seen->looked_ms - seen->since_ms >= db->timeouts.silent_ms;
    *taken = false;
    if (!silent && !postgres_is_given_up(seen->owner.term, seen->owner.batch))
        return DB_OK;
    bool locked, still;
    enum db_result result = lock_try(db, part, LOCK_SESSION, &locked);
    if (result == DB_OK && !locked)
        return silent ? end_silent(db, part, seen, say) : DB_OK;
    if (result == DB_OK)
        result = is_still(db, part, &seen->owner, &still);
    if (result != DB_OK)
        return result;
    *taken = still;
    if (still)
        return DB_OK;
    begin_anew(seen);
    return unlock_part(db, part);
}

static void say_for_whom(struct db *db, int64_t part, const struct seen *seen, sayer *say)
{
    if (!say)
        return;
    if (!seen->held)
        say("store_standby", "the server before has not said that it has ended", STORE_OK);
    else if (lock_say_who(db, part) == DB_FAILED)
        say("store_standby", db->message, STORE_OK);
}

enum db_result lock_await(struct db *db, int64_t part,
                          void (*say)(const char *event, const char *message,
                                      enum store_result result))
{
    struct seen seen = {.since_ms = db_now_ms(), .looked_ms = db_now_ms()};
    bool taken, said = false;
    for (;;) {
        enum db_result result = look_at_part(db, part, &seen);
        if (result == DB_OK)
            result = try_to_have(db, part, &seen, say, &taken);
        if (result == DB_LOST || (result == DB_OK && taken))
            return result;
        if (!said)
            say_for_whom(db, part, &seen, say);
        said = true;
        if (!db->pg)
            return DB_LOST;
        lock_pause(LOOK_MS);
    }
}

/* ---- from who is known to be silent, or to have given it up */

static enum db_result say_changed(struct db *db)
{
    snprintf(db->message, sizeof db->message, "another server has been faster");
    db->problem = POSTGRES_TAKEN;
    return DB_FAILED;
}

enum db_result lock_take_from(struct db *db, int64_t part, const struct postgres_owner *silent)
{
    const int64_t until_ms = db_now_ms() + db->timeouts.lock_ms;
    const bool given_up = postgres_is_given_up(silent->term, silent->batch);
    bool taken, still;
    for (;;) {
        enum db_result result = lock_try(db, part, LOCK_SESSION, &taken);
        if (result == DB_OK)
            result = is_still(db, part, silent, &still);
        if (result != DB_OK || (taken && still))
            return result;
        if (!still)
            return say_changed(db);
        const bool late = db_now_ms() >= until_ms;
        if (late || !given_up)
            result = end_holder(db, part, late ? ANYBODY : silent->term);
        if (result != DB_OK)
            return result;
        if (late)
            return lock_say_who(db, part);
        lock_pause(50);
    }
}
