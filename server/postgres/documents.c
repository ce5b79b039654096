/* Documents (hub/store_document.h): a row each. */
#include <postgres/documents.h>

#include "command.h"
#include "membership_db.h"
#include "queries.sql.h"
#include "schema.h"
#include <hub/store_document.h>
#include <postgres/membership.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum store_result say_result(const struct db *db, enum db_result result,
                                    char message[static STORE_MESSAGE_MAX])
{
    if (result == DB_OK)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "%s", db->message);
    return STORE_FAILED;
}

static enum db_result refuse_document(struct db *db, const char *name, const char *why)
{
    snprintf(db->message, sizeof db->message, "%s: %s", name, why);
    return DB_FAILED;
}

static bool is_connected(struct db *db)
{
    if (!db->pg)
        snprintf(db->message, sizeof db->message, "there is no connection, until the next beat");
    return db->pg;
}

/* Of the first row and the second column; NULL: refused. */
static char *copy_text(struct db *db, const char *name, const PGresult *rows, size_t *len)
{
    *len = (size_t)PQgetlength(rows, 0, 1);
    char *text = *len <= STORE_DOCUMENT_BYTES_MAX ? malloc(*len + 1) : NULL;
    if (text)
        memcpy(text, PQgetvalue(rows, 0, 1), *len + 1);
    else
        (void)refuse_document(db, name,
                              *len > STORE_DOCUMENT_BYTES_MAX ? "it is too long" : "out of memory");
    return text;
}

/* Nobody has written it. */
static char *make_empty(struct db *db, const char *name, int64_t *revision, size_t *len)
{
    char *text = calloc(1, 1);
    *len = 0;
    if (text)
        *revision = 0;
    else
        (void)refuse_document(db, name, "out of memory");
    return text;
}

/* The revision is asked for again if the text was not taken. */
static enum db_result take_document(struct db *db, const char *name, const PGresult *rows,
                                    int64_t *revision, char **text, size_t *len)
{
    const bool found = PQntuples(rows) > 0;
    if (!found && *revision > 0)
        return refuse_document(db, name, "it is missing");
    if (!found && *revision == 0)
        return DB_OK;
    if (found && cell_number(rows, 0, 0) == *revision)
        return DB_OK;
    *text = found ? copy_text(db, name, rows, len) : make_empty(db, name, revision, len);
    if (*text && found)
        *revision = cell_number(rows, 0, 0);
    return *text ? DB_OK : DB_FAILED;
}

static enum db_result read_document(struct db *db, const char *name, int64_t *revision, char **text,
                                    size_t *len)
{
    struct params params = {0};
    PGresult *rows = NULL;
    params_add_text(&params, name);
    params_add_number(&params, *revision);
    enum db_result result = db_ask(db, SQL_DOCUMENT_READ, &params, &rows);
    if (result == DB_OK)
        result = take_document(db, name, rows, revision, text, len);
    PQclear(rows);
    return result;
}

static enum db_result write_document(struct db *db, const char *name, const char *text,
                                     int64_t *revision, bool *changed)
{
    struct params params = {0};
    PGresult *rows = NULL;
    params_add_text(&params, name);
    params_add_text(&params, text);
    params_add_number(&params, *revision);
    const enum db_result result = db_ask(db, SQL_DOCUMENT_WRITE, &params, &rows);
    *changed = result == DB_OK && PQntuples(rows) > 0;
    if (*changed)
        *revision = cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

/* ---- over the connection of a membership */

enum store_result membership_document(struct membership *membership, const char *name,
                                      int64_t *revision, char **text, size_t *len,
                                      char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    *text = NULL;
    if (!is_connected(db))
        return say_result(db, DB_LOST, message);
    return say_result(db, read_document(db, name, revision, text, len), message);
}

enum store_result membership_put_document(struct membership *membership, const char *name,
                                          const char *text, int64_t *revision,
                                          char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    bool changed;
    if (!is_connected(db))
        return say_result(db, DB_LOST, message);
    const enum db_result result = write_document(db, name, text, revision, &changed);
    if (result != DB_OK || changed)
        return say_result(db, result, message);
    snprintf(message, STORE_MESSAGE_MAX, "%s: it was changed by somebody else", name);
    return STORE_FENCED;
}

/* ---- over one of its own */

static enum db_result get_document(struct db *db, void *ctx)
{
    struct postgres_document *document = ctx;
    const enum db_result result = schema_open(db);
    document->revision = -1;
    document->text = NULL;
    return result == DB_OK ? read_document(db, document->name, &document->revision, &document->text,
                                           &document->len)
                           : result;
}

enum postgres_problem postgres_document_get(const char *url, struct postgres_document *document,
                                            struct postgres_said *said)
{
    document->text = NULL;
    return command_run(url, "taluvad documents", said, get_document, document);
}

struct putting {
    const struct postgres_document *document;
    bool *changed;
};

static enum db_result put_document(struct db *db, void *ctx)
{
    const struct putting *putting = ctx;
    int64_t revision = putting->document->revision;
    return write_document(db, putting->document->name, putting->document->text, &revision,
                          putting->changed);
}

enum postgres_problem postgres_document_put(const char *url,
                                            const struct postgres_document *document, bool *changed,
                                            struct postgres_said *said)
{
    struct putting putting = {document, changed};
    *changed = false;
    return command_run(url, "taluvad documents", said, put_document, &putting);
}
