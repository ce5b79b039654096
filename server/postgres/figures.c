#include <postgres/figures.h>

#include "membership_db.h"
#include "queries.sql.h"
#include <stdio.h>

/* ---- the database itself */

static enum db_result read_settings(struct db *db, struct postgres_figures *figures, bool *bans)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, SQL_DATABASE_SETTINGS, NULL, &rows);
    if (result == DB_OK) {
        (void)cell_string(rows, 0, 0, figures->version, sizeof figures->version);
        if (!cell_string(rows, 0, 1, figures->waits_for, sizeof figures->waits_for))
            snprintf(figures->waits_for, sizeof figures->waits_for, "(a long list)");
        figures->schema = cell_number(rows, 0, 2);
        figures->sees_standbys = cell_flag(rows, 0, 3);
        *bans = cell_flag(rows, 0, 4);
    }
    PQclear(rows);
    return result;
}

static enum db_result read_standbys(struct db *db, struct postgres_figures *figures)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, SQL_DATABASE_STANDBYS, NULL, &rows);
    for (int row = 0; result == DB_OK && row < PQntuples(rows); row++) {
        struct postgres_standby_seen *seen = &figures->standby[figures->standbys++];
        (void)cell_string(rows, row, 0, seen->name, sizeof seen->name);
        (void)cell_string(rows, row, 1, seen->state, sizeof seen->state);
        (void)cell_string(rows, row, 2, seen->sync, sizeof seen->sync);
    }
    PQclear(rows);
    return result;
}

static enum db_result read_bans(struct db *db, struct postgres_figures *figures)
{
    PGresult *rows;
    const enum db_result result = db_ask(db, SQL_BANS_REVISION, NULL, &rows);
    if (result == DB_OK && PQntuples(rows) > 0)
        figures->bans_revision = cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

/* ---- what is stored, by part */

static enum db_result count_by_part(struct db *db, const char *sql, unsigned parts,
                                    int64_t counts[static PARTS_MAX])
{
    struct params params = {0};
    PGresult *rows;
    params_add_number(&params, parts);
    const enum db_result result = db_ask(db, sql, &params, &rows);
    for (int row = 0; result == DB_OK && row < PQntuples(rows); row++) {
        const int64_t part = cell_number(rows, row, 0);
        if (part >= 0 && part < (int64_t)parts)
            counts[part] = cell_number(rows, row, 1);
    }
    PQclear(rows);
    return result;
}

enum store_result membership_figures(struct membership *membership, unsigned parts,
                                     struct postgres_figures *figures,
                                     char message[static STORE_MESSAGE_MAX])
{
    struct db *db = membership_db(membership);
    bool bans = false;
    *figures = (struct postgres_figures){0};
    snprintf(message, STORE_MESSAGE_MAX, "there is no connection");
    if (!db->pg || parts == 0 || parts > PARTS_MAX)
        return STORE_FAILED;
    enum db_result result = read_settings(db, figures, &bans);
    if (result == DB_OK && figures->sees_standbys)
        result = read_standbys(db, figures);
    if (result == DB_OK && bans)
        result = read_bans(db, figures);
    if (result == DB_OK)
        result = count_by_part(db, SQL_ROOMS_BY_PART, parts, figures->rooms);
    if (result == DB_OK)
        result = count_by_part(db, SQL_SESSIONS_BY_PART, parts, figures->sessions);
    snprintf(message, STORE_MESSAGE_MAX, "%s", db->message);
    return result == DB_OK ? STORE_OK : STORE_FAILED;
}
