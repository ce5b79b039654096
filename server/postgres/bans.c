/*
 * The bans of a site of several nodes: one row with all of them. It is no part of a version of the
 * schema, as whoever does not know it can do without: it is made when nodes first need it.
 */
#include "lock.h"
#include "membership_db.h"
#include <postgres/membership.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum store_result said(const struct db *db, enum db_result result,
                              char message[static STORE_MESSAGE_MAX])
{
    if (result == DB_OK)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "%s", db->message);
    return STORE_FAILED;
}

/* Others may be about to do the same. */
static enum db_result make(struct db *db)
{
    enum db_result result = db_run(db, "BEGIN");
    if (result == DB_OK)
        result = lock_schema(db);
    if (result == DB_OK)
        result = db_run(db, "CREATE TABLE IF NOT EXISTS taluva.bans ("
                            "  one boolean PRIMARY KEY CHECK (one),"
                            "  revision bigint NOT NULL,"
                            "  text text NOT NULL);"
                            "INSERT INTO taluva.bans VALUES (true, 0, '') ON CONFLICT DO NOTHING");
    if (result == DB_OK)
        return db_run(db, "COMMIT");
    if (result == DB_FAILED) {
        const struct db why = *db;
        (void)db_run(db, "ROLLBACK");
        memcpy(db->message, why.message, sizeof db->message);
    }
    return result;
}

static enum db_result make_if_missing(struct db *db)
{
    PGresult *rows;
    enum db_result result = db_ask(db, "SELECT to_regclass('taluva.bans') IS NULL", NULL, &rows);
    const bool missing = result == DB_OK && cell_flag(rows, 0, 0);
    PQclear(rows);
    return missing ? make(db) : result;
}

/* Of the first row and the second column. */
static char *copy_text(const PGresult *rows, size_t *len)
{
    *len = (size_t)PQgetlength(rows, 0, 1);
    char *text = malloc(*len + 1);
    if (text)
        memcpy(text, PQgetvalue(rows, 0, 1), *len + 1);
    return text;
}

static bool is_connected(struct db *db)
{
    if (!db->pg)
        snprintf(db->message, sizeof db->message, "there is no connection, until the next beat");
    return db->pg;
}

enum store_result membership_bans(struct membership *membership, int64_t *revision, char **text,
                                  size_t *len, char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    struct params params = {0};
    PGresult *rows = NULL;
    *text = NULL;
    if (!is_connected(db))
        return said(db, DB_LOST, message);
    enum db_result result = *revision < 0 ? make_if_missing(db) : DB_OK;
    params_add_number(&params, *revision);
    if (result == DB_OK)
        result = db_ask(db, "SELECT revision, text FROM taluva.bans WHERE revision <> $1::bigint",
                        &params, &rows);
    if (result == DB_OK && PQntuples(rows) > 0) {
        *revision = cell_number(rows, 0, 0);
        *text = copy_text(rows, len);
    }
    PQclear(rows);
    return said(db, result, message);
}

enum store_result membership_put_bans(struct membership *membership, const char *text,
                                      int64_t *revision, char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    struct params params = {0};
    PGresult *rows = NULL;
    if (!is_connected(db))
        return said(db, DB_LOST, message);
    params_add_text(&params, text);
    params_add_number(&params, *revision);
    const enum db_result result =
        db_ask(db,
               "UPDATE taluva.bans SET text = $1::text, revision = revision + 1"
               " WHERE revision = $2::bigint RETURNING revision",
               &params, &rows);
    const bool changed = result == DB_OK && PQntuples(rows) > 0;
    if (changed)
        *revision = cell_number(rows, 0, 0);
    PQclear(rows);
    if (result != DB_OK || changed)
        return said(db, result, message);
    snprintf(message, STORE_MESSAGE_MAX, "the bans were changed at another node");
    return STORE_FENCED;
}
