/* The bans of a site of several nodes: one row with all of them. */
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

/* Of the first row and the second column. */
static char *copy_text(const PGresult *rows, size_t *len)
{
    *len = (size_t)PQgetlength(rows, 0, 1);
    char *text = malloc(*len + 1);
    if (text)
        memcpy(text, PQgetvalue(rows, 0, 1), *len + 1);
    return text;
}

static enum db_result refuse(struct db *db, const char *why)
{
    snprintf(db->message, sizeof db->message, "%s", why);
    return DB_FAILED;
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
    params_add_number(&params, *revision);
    enum db_result result = db_ask(
        db, "SELECT revision, text FROM taluva.bans WHERE revision <> $1::bigint", &params, &rows);
    if (result == DB_OK && PQntuples(rows) > 0) {
        *text = copy_text(rows, len);
        if (*text)
            *revision = cell_number(rows, 0, 0);
        else
            result = refuse(db, "out of memory"); /* the revision is asked for again */
    } else if (result == DB_OK && *revision < 0) {
        result = refuse(db, "the row of the bans is missing");
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
