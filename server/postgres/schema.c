#include "schema.h"

#include "lock.h"
#include "queries.sql.h"
#include "row_table.h"
#include "schema.sql.h"
#include <hub/part.h>
#include <hub/store_tables.h>
#include <sql/table_sql.h>
#include <stdio.h>
#include <string.h>

static const char *const versions[POSTGRES_VERSION] = {
    SQL_VERSION_1, SQL_VERSION_2, SQL_VERSION_3, SQL_VERSION_4, SQL_VERSION_5, SQL_VERSION_6,
};

static enum db_result refuse_foreign(struct db *db, const char *why)
{
    db->problem = POSTGRES_FOREIGN;
    snprintf(db->message, sizeof db->message, "%s", why);
    return DB_FAILED;
}

/* What there is of the schema: nothing, an empty one, ours, or somebody else's. */
enum found { FOUND_NOTHING, FOUND_EMPTY, FOUND_OURS, FOUND_OTHER };

struct seen {
    enum found found;
    int64_t version, needs; /* 0: there is none yet */
    bool whole;
};

static enum db_result look_for(struct db *db, struct seen *seen)
{
    PGresult *rows;
    enum db_result result = db_ask(db, SQL_SCHEMA_LOOK, NULL, &rows);
    if (result != DB_OK)
        return result;
    seen->found = !cell_flag(rows, 0, 0)   ? FOUND_NOTHING
                  : !cell_flag(rows, 0, 1) ? FOUND_EMPTY
                  : cell_flag(rows, 0, 2)  ? FOUND_OURS
                                           : FOUND_OTHER;
    if (!cell_flag(rows, 0, 3))
        result = refuse_foreign(db, "its encoding is not UTF8");
    PQclear(rows);
    return result;
}

/* Of versions before 3, which do not say it, each needed a program that knows it. */
static enum db_result read_version(struct db *db, struct seen *seen)
{
    PGresult *rows;
    enum db_result result = db_ask(db, SQL_SCHEMA_VERSION, NULL, &rows);
    if (result != DB_OK)
        return result;
    const bool ours = PQntuples(rows) == 1 && cell_flag(rows, 0, 0);
    seen->version = ours ? cell_number(rows, 0, 1) : 0;
    seen->whole = ours && cell_flag(rows, 0, 2);
    seen->needs = ours ? cell_number(rows, 0, 3) : 0;
    PQclear(rows);
    if (seen->version < 1)
        return refuse_foreign(db, "its schema taluva is of another program");
    if (seen->needs <= POSTGRES_VERSION)
        return DB_OK;
    db->problem = POSTGRES_NEWER;
    snprintf(db->message, sizeof db->message,
             "its schema is of version %lld, for programs that know version %lld or a later one, "
             "and this program knows %d",
             (long long)seen->version, (long long)seen->needs, POSTGRES_VERSION);
    return DB_FAILED;
}

static enum db_result look_at_schema(struct db *db, struct seen *seen)
{
    *seen = (struct seen){.whole = true};
    enum db_result result = look_for(db, seen);
    if (result != DB_OK || seen->found == FOUND_NOTHING || seen->found == FOUND_EMPTY)
        return result;
    return seen->found == FOUND_OURS
               ? read_version(db, seen)
               : refuse_foreign(db, "its schema taluva is of another program");
}

/*
 * Servers that know version 1 or 2 alone have other ideas of who may take a part, and when its
 * lease ends: none of them may have one. With version 1 there is one part.
 */
static enum db_result lock_old_servers_out(struct db *db, int64_t version)
{
    bool is_free = true;
    enum db_result result = DB_OK;
    for (int64_t part = 0; part < (version == 1 ? 1 : PARTS_MAX) && result == DB_OK; part++) {
        result = lock_try(db, part, LOCK_TRANSACTION, &is_free);
        if (result == DB_OK && !is_free)
            result = lock_say_who(db, part);
    }
    return result;
}

/* Of the tables of described rows the first from *at on that is not there; NULL: none. */
static enum db_result find_missing(struct db *db, size_t *at)
{
    enum db_result result = DB_OK;
    for (; store_tables[*at] && result == DB_OK; ++*at) {
        struct sql sql = {.len = 0};
        PGresult *rows;
        pg_row_sql_lacks(store_tables[*at], &sql);
        result = db_ask(db, sql.text, NULL, &rows);
        const bool missing = result == DB_OK && cell_flag(rows, 0, 0);
        PQclear(rows);
        if (missing)
            break;
    }
    return result;
}

static enum db_result make_tables(struct db *db)
{
    size_t at = 0;
    enum db_result result = find_missing(db, &at);
    while (result == DB_OK && store_tables[at]) {
        struct sql sql = {.len = 0};
        pg_row_sql_make(store_tables[at++], &sql);
        result = db_run(db, sql.text);
        if (result == DB_OK)
            result = find_missing(db, &at);
    }
    return result;
}

static enum db_result make_schema(struct db *db, const struct seen *seen)
{
    enum db_result result = DB_OK;
    if (seen->found == FOUND_NOTHING)
        result = db_run(db, SQL_SCHEMA_MAKE);
    if (seen->version == 1 || seen->version == 2)
        result = lock_old_servers_out(db, seen->version);
    for (int64_t at = seen->version; at < POSTGRES_VERSION && result == DB_OK; at++)
        result = db_run(db, versions[at]);
    return result == DB_OK ? make_tables(db) : result;
}

/* Others may be about to do the same. */
static enum db_result make_alone(struct db *db)
{
    struct seen seen;
    enum db_result result = db_run(db, "BEGIN");
    if (result == DB_OK)
        result = lock_schema(db);
    if (result == DB_OK)
        result = look_at_schema(db, &seen);
    if (result == DB_OK)
        result = make_schema(db, &seen);
    if (result == DB_OK)
        return db_run(db, "COMMIT");
    /* The reason stays as it was said. */
    const struct db why = *db;
    if (result == DB_FAILED && db_run(db, "ROLLBACK") == DB_OK) {
        db->problem = why.problem;
        memcpy(db->message, why.message, sizeof db->message);
    }
    return result;
}

enum db_result schema_open(struct db *db)
{
    struct seen seen;
    size_t missing = 0;
    enum db_result result = look_at_schema(db, &seen);
    if (result == DB_OK && seen.version >= POSTGRES_VERSION)
        result = find_missing(db, &missing);
    if (result == DB_OK && (seen.version < POSTGRES_VERSION || store_tables[missing]))
        result = make_alone(db);
    if (result != DB_OK || seen.whole)
        return result;
    return refuse_foreign(
        db, "copying a store into it was not finished: drop its schema taluva and copy "
            "again");
}

enum db_result schema_look(struct db *db, int64_t *version)
{
    struct seen seen;
    const enum db_result result = look_at_schema(db, &seen);
    *version = seen.version;
    return result;
}
