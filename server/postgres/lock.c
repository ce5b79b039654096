#include "lock.h"

#include <stdio.h>
#include <time.h>

/* "talu", and what is locked. */
#define LOCK "1952541813, 1"

static enum db_result try(struct db *db, bool *taken)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, "SELECT pg_try_advisory_lock(" LOCK ")", NULL, &rows);
    *taken = result == DB_OK && cell_flag(rows, 0, 0);
    PQclear(rows);
    return result;
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

static enum db_result say_who(struct db *db)
{
    PGresult *rows;
    char name[64] = "", where[64] = "";
    const enum db_result result =
        db_ask(db,
               "SELECT coalesce(application_name, ''), coalesce(host(client_addr), '')"
               " FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
               " WHERE l.locktype = 'advisory' AND (classid, objid) = (" LOCK ")"
               " AND a.datname = current_database()",
               NULL, &rows);
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

enum db_result lock_take(struct db *db, const char *name)
{
    const struct timespec pause = {0, 50 * 1000000};
    const int64_t until_ms = db_now_ms() + db->patience.lock_ms;
    bool taken;
    for (;;) {
        enum db_result result = try(db, &taken);
        if (result != DB_OK || taken)
            return result;
        result = end_namesakes(db, name);
        if (result != DB_OK)
            return result;
        if (db_now_ms() >= until_ms)
            return say_who(db);
        nanosleep(&pause, NULL);
    }
}
