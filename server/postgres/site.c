#include <postgres/site.h>

#include "lock.h"
#include "schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct site {
    struct postgres_patience patience;
    struct url url;
    bool url_known;
    struct db db;
    char name[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1], version[SITE_VERSION_MAX + 1];
    char connection[POSTGRES_NODE_MAX + 16];
    int64_t life; /* 0: the name is not taken */
};

/* Of the name that is the first parameter: "node", and its hash. */
#define NAME_LOCK "hashtextextended($1::text, 1852793957)"
#define HAS_NAME_LOCK                                                                              \
    "locktype = 'advisory' AND objsubid = 1 AND granted"                                           \
    " AND (classid::bigint << 32 | objid::bigint) = " NAME_LOCK                                    \
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

struct site *site_create(const char *url, const struct postgres_patience *patience,
                         const struct site_self *self)
{
    struct site *site = calloc(1, sizeof *site);
    if (!site)
        return NULL;
    site->patience = patience ? *patience : postgres_standby;
    site->url_known = url_parse(&site->url, url, site->patience.connect_ms);
    site->db = (struct db){.url = &site->url, .patience = site->patience};
    snprintf(site->name, sizeof site->name, "%s", self->name);
    snprintf(site->relay, sizeof site->relay, "%s", self->relay);
    snprintf(site->version, sizeof site->version, "%s", self->version);
    snprintf(site->connection, sizeof site->connection, "taluvad node %s", site->name);
    return site;
}

void site_destroy(struct site *site)
{
    if (!site)
        return;
    db_disconnect(&site->db);
    url_release(&site->url);
    free(site);
}

static enum store_result said(const struct site *site, enum store_result result,
                              char message[static STORE_MESSAGE_MAX])
{
    if (result != STORE_OK)
        snprintf(message, STORE_MESSAGE_MAX, "%s", site->db.message);
    return result;
}

static enum store_result name_is_taken(struct site *site)
{
    snprintf(site->db.message, sizeof site->db.message,
             "another process is the node %s of this site", site->name);
    return STORE_FENCED;
}

/* One number, for what is asked of the node by its name; `life` where it is not 0. */
static enum db_result ask(struct site *site, const char *sql, int64_t life, int64_t *number,
                          bool *found)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, site->name);
    if (life != 0)
        params_add_number(&params, life);
    const enum db_result result = db_ask(&site->db, sql, &params, &rows);
    *found = result == DB_OK && PQntuples(rows) > 0;
    *number = *found ? cell_number(rows, 0, 0) : 0;
    PQclear(rows);
    return result;
}

static enum db_result try_lock(struct site *site, bool *taken)
{
    int64_t number;
    bool found;
    const enum db_result result =
        ask(site, "SELECT CASE WHEN pg_try_advisory_lock(" NAME_LOCK ") THEN 1::bigint END", 0,
            &number, &found);
    *taken = result == DB_OK && number == 1;
    return result;
}

static enum db_result end_holder(struct site *site)
{
    int64_t number;
    bool found;
    return ask(site,
               "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE " HAS_NAME_LOCK
               " AND pid <> pg_backend_pid()",
               0, &number, &found);
}

/* ---- joining */

static enum db_result read_counter(struct site *site, int64_t *counter)
{
    int64_t life, beat;
    bool found;
    enum db_result result =
        ask(site, "SELECT life FROM taluva.node WHERE name = $1::text", 0, &life, &found);
    if (result == DB_OK)
        result = ask(site, "SELECT beat FROM taluva.node WHERE name = $1::text", 0, &beat, &found);
    *counter = life * INT64_C(1000000007) + beat;
    return result;
}

/* With the lock, or it is another's: STORE_FENCED. */
static enum store_result wait_for_name(struct site *site)
{
    enum { LOOK_MS = 200 };
    int64_t first, now, since_ms = db_now_ms();
    bool taken, ended = false;
    if (read_counter(site, &first) != DB_OK)
        return STORE_FAILED;
    for (;;) {
        if (try_lock(site, &taken) != DB_OK)
            return STORE_FAILED;
        if (taken)
            return STORE_OK;
        if (read_counter(site, &now) != DB_OK)
            return STORE_FAILED;
        const bool silent = db_now_ms() - since_ms >= site->patience.silent_ms;
        if (now != first || (silent && ended))
            return name_is_taken(site);
        if (silent && end_holder(site) != DB_OK)
            return STORE_FAILED;
        if (silent)
            since_ms = db_now_ms();
        ended |= silent;
        lock_pause(LOOK_MS);
    }
}

static enum db_result take_name(struct site *site)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, site->name);
    params_add_text(&params, site->relay);
    params_add_text(&params, site->version);
    const enum db_result result = db_ask(
        &site->db,
        "INSERT INTO taluva.node (name, relay, version, life, beat)"
        " VALUES ($1::text, $2::text, $3::text, nextval('taluva.life'), 0)"
        " ON CONFLICT (name) DO UPDATE SET relay = $2, version = $3, life = nextval('taluva.life'),"
        " beat = 0 RETURNING life",
        &params, &rows);
    if (result == DB_OK)
        site->life = cell_number(rows, 0, 0);
    PQclear(rows);
    return result;
}

enum store_result site_join(struct site *site, char message[static STORE_MESSAGE_MAX])
{
    struct db *db = &site->db;
    if (!site->url_known) {
        snprintf(message, STORE_MESSAGE_MAX, "the URL is not understood");
        return STORE_FAILED;
    }
    db_disconnect(db);
    enum store_result result = STORE_FAILED;
    if (db_connect(db, site->connection) == DB_OK && schema_open(db) == DB_OK)
        result = wait_for_name(site);
    if (result == STORE_OK && take_name(site) != DB_OK)
        result = STORE_FAILED;
    return said(site, result, message);
}

/* ---- beating */

static enum db_result raise_counter(struct site *site, bool *ours)
{
    int64_t beat;
    return ask(site,
               "UPDATE taluva.node SET beat = beat + 1 WHERE name = $1::text AND life = $2::bigint"
               " RETURNING beat",
               site->life, &beat, ours);
}

/* The row says whose the name is; then who has the lock is what the database does not know yet to
 * be lost of us. */
static enum db_result connect_again(struct site *site, bool *ours)
{
    const int64_t until_ms = db_now_ms() + site->patience.lock_ms;
    bool taken = false;
    enum db_result result = db_connect(&site->db, site->connection);
    if (result == DB_OK)
        result = raise_counter(site, ours);
    while (result == DB_OK && *ours && !taken && db_now_ms() < until_ms) {
        result = try_lock(site, &taken);
        if (result == DB_OK && !taken)
            result = end_holder(site);
    }
    return result;
}

enum store_result site_beat(struct site *site, char message[static STORE_MESSAGE_MAX])
{
    bool ours = false;
    enum db_result result = DB_LOST;
    if (site->db.pg && db_look(&site->db) == DB_OK)
        result = raise_counter(site, &ours);
    if (result == DB_LOST)
        result = connect_again(site, &ours);
    if (result != DB_OK)
        return said(site, STORE_FAILED, message);
    return said(site, ours ? STORE_OK : name_is_taken(site), message);
}

/* ---- looking */

/* Nodes, then parts. */
static const char everything[] =
    "SELECT 0::bigint AS kind, life AS a, beat AS b, 0::bigint AS part, name, relay, version, false"
    " FROM taluva.node UNION ALL"
    " SELECT 1, term, batch, part, node COLLATE \"C\", relay, '', EXISTS (SELECT FROM pg_locks l"
    "  WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = 1952541813"
    "  AND objid::bigint = part + 1"
    "  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
    " FROM taluva.server ORDER BY 1, 4, 5";

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take_node(const PGresult *rows, int row, struct site_look *look)
{
    if (look->nodes == SITE_NODES_MAX)
        return;
    struct site_node *node = &look->node[look->nodes++];
    node->life = cell_number(rows, row, 1);
    node->beat = cell_number(rows, row, 2);
    (void)cell_string(rows, row, 4, node->name, sizeof node->name);
    (void)cell_string(rows, row, 5, node->relay, sizeof node->relay);
    (void)cell_string(rows, row, 6, node->version, sizeof node->version);
}

static void take_part(const PGresult *rows, int row, struct site_look *look)
{
    if (look->parts == PARTS_MAX)
        return;
    struct site_part *part = &look->part[look->parts++];
    part->term = cell_number(rows, row, 1);
    part->batch = cell_number(rows, row, 2);
    (void)cell_string(rows, row, 4, part->node, sizeof part->node);
    (void)cell_string(rows, row, 5, part->relay, sizeof part->relay);
    part->held = cell_flag(rows, row, 7);
}

enum store_result site_see(struct site *site, struct site_look *look,
                           char message[static STORE_MESSAGE_MAX])
{
    struct db *db = &site->db;
    PGresult *rows;
    if (!db->pg) {
        snprintf(db->message, sizeof db->message, "there is no connection, until the next beat");
        return said(site, STORE_FAILED, message);
    }
    if (db_ask(db, everything, NULL, &rows) != DB_OK)
        return said(site, STORE_FAILED, message);
    memset(look, 0, sizeof *look);
    for (int row = 0; row < PQntuples(rows); row++) {
        if (cell_number(rows, row, 0) == 0)
            take_node(rows, row, look);
        else
            take_part(rows, row, look);
    }
    look->at_ms = now_ms();
    PQclear(rows);
    return STORE_OK;
}

void site_leave(struct site *site)
{
    int64_t number;
    bool found;
    if (site->life != 0 && site->db.pg)
        (void)ask(site,
                  "DELETE FROM taluva.node WHERE name = $1::text AND life = $2::bigint"
                  " RETURNING life",
                  site->life, &number, &found);
    site->life = 0;
}
