#include <postgres/membership.h>

#include "lock.h"
#include "membership_db.h"
#include "queries.sql.h"
#include "schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WITH_NODES = 2 }; /* the first version of the schema that knows them */

struct membership {
    struct postgres_timeouts timeouts;
    struct url url;
    bool url_known;
    struct db db;
    char name[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1],
        version[MEMBERSHIP_VERSION_MAX + 1];
    char connection[POSTGRES_NODE_MAX + 16];
    int64_t life; /* 0: the name is not taken */
    char documents[MEMBERSHIP_DOCUMENTS_MAX + 1];
    char links[MEMBERSHIP_LINKS_MAX + 1];
    int64_t ahead_ms;
    struct membership_facts facts;
};

struct membership *membership_create(const char *url, const struct postgres_timeouts *timeouts,
                                     const struct membership_self *self)
{
    struct membership *membership = calloc(1, sizeof *membership);
    if (!membership)
        return NULL;
    membership->timeouts = timeouts ? *timeouts : postgres_timeouts_standby;
    membership->url_known = url_parse(&membership->url, url, membership->timeouts.connect_ms);
    membership->db = (struct db){.url = &membership->url, .timeouts = membership->timeouts};
    snprintf(membership->name, sizeof membership->name, "%s", self->name);
    snprintf(membership->relay, sizeof membership->relay, "%s", self->relay);
    snprintf(membership->version, sizeof membership->version, "%s", self->version);
    snprintf(membership->connection, sizeof membership->connection, "taluvad node %s",
             membership->name);
    return membership;
}

void membership_destroy(struct membership *membership)
{
    if (!membership)
        return;
    db_disconnect(&membership->db);
    url_release(&membership->url);
    free(membership);
}

const char *membership_url_name(const struct membership *membership)
{
    return membership->url.name;
}

enum postgres_problem membership_problem(const struct membership *membership)
{
    return membership->db.problem;
}

struct db *membership_db(struct membership *membership)
{
    return &membership->db;
}

static enum store_result say_result(const struct membership *membership, enum store_result result,
                                    char message[static STORE_MESSAGE_MAX])
{
    if (result != STORE_OK)
        snprintf(message, STORE_MESSAGE_MAX, "%s", membership->db.message);
    return result;
}

static enum store_result name_is_taken(struct membership *membership)
{
    snprintf(membership->db.message, sizeof membership->db.message,
             "another process is the node %s of this site", membership->name);
    return STORE_FENCED;
}

/* One number, for what is asked of the node by its name; `life` where it is not 0. */
static enum db_result ask_number(struct membership *membership, const char *sql, int64_t life,
                                 int64_t *number, bool *found)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, membership->name);
    if (life != 0)
        params_add_number(&params, life);
    const enum db_result result = db_ask(&membership->db, sql, &params, &rows);
    *found = result == DB_OK && PQntuples(rows) > 0;
    *number = *found ? cell_number(rows, 0, 0) : 0;
    PQclear(rows);
    return result;
}

static enum db_result try_lock(struct membership *membership, bool *taken)
{
    int64_t number;
    bool found;
    const enum db_result result = ask_number(membership, SQL_NODE_LOCK, 0, &number, &found);
    *taken = result == DB_OK && number == 1;
    return result;
}

static enum db_result end_holder(struct membership *membership)
{
    int64_t number;
    bool found;
    return ask_number(membership, SQL_NODE_END_HOLDER, 0, &number, &found);
}

/* ---- joining */

static enum db_result read_counter(struct membership *membership, int64_t *counter)
{
    int64_t life, beat = 0;
    bool found;
    enum db_result result = ask_number(membership, SQL_NODE_LIFE, 0, &life, &found);
    if (result == DB_OK)
        result = ask_number(membership, SQL_NODE_BEATS, 0, &beat, &found);
    *counter = life * INT64_C(1000000007) + beat;
    return result;
}

/* With the lock, or it is another's: STORE_FENCED. */
static enum store_result wait_for_name(struct membership *membership)
{
    enum { LOOK_MS = 200 };
    int64_t first, now, since_ms = db_now_ms();
    bool taken, ended = false;
    if (read_counter(membership, &first) != DB_OK)
        return STORE_FAILED;
    for (;;) {
        if (try_lock(membership, &taken) != DB_OK)
            return STORE_FAILED;
        if (taken)
            return STORE_OK;
        if (read_counter(membership, &now) != DB_OK)
            return STORE_FAILED;
        const bool silent = db_now_ms() - since_ms >= membership->timeouts.silent_ms;
        if (now != first || (silent && ended))
            return name_is_taken(membership);
        if (silent && end_holder(membership) != DB_OK)
            return STORE_FAILED;
        if (silent)
            since_ms = db_now_ms();
        ended |= silent;
        lock_pause(LOOK_MS);
    }
}

void membership_set_links(struct membership *membership, const char *names)
{
    snprintf(membership->links, sizeof membership->links, "%s", names);
}

void membership_set_facts(struct membership *membership, const struct membership_facts *facts)
{
    membership->facts = *facts;
}

/* NULL: it keeps none. */
static void add_links(const struct membership *membership, struct params *params)
{
    if (membership->relay[0])
        params_add_text(params, membership->links);
    else
        params_add_null(params);
}

int64_t membership_ahead_ms(const struct membership *membership)
{
    return membership->ahead_ms;
}

bool membership_clock_differs(int64_t ahead_ms, char what[static MEMBERSHIP_CLOCK_BYTES])
{
    snprintf(what, MEMBERSHIP_CLOCK_BYTES,
             "the clock of this machine is %lld ms %s that of the database",
             (long long)(ahead_ms < 0 ? -ahead_ms : ahead_ms),
             ahead_ms < 0 ? "behind" : "ahead of");
    return ahead_ms > MEMBERSHIP_CLOCK_DIFFERS_MS || ahead_ms < -MEMBERSHIP_CLOCK_DIFFERS_MS;
}

static int64_t system_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The database was asked at `asked_ms`, and has just said `its_ms`. What took long tells little. */
static void note_clock(struct membership *membership, int64_t asked_ms, int64_t its_ms)
{
    enum { SLOW_MS = 1000 };
    const int64_t now_ms = system_ms();
    if (now_ms - asked_ms <= SLOW_MS)
        membership->ahead_ms = asked_ms + (now_ms - asked_ms) / 2 - its_ms;
}

static enum db_result take_name(struct membership *membership)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, membership->name);
    params_add_text(&params, membership->relay);
    params_add_text(&params, membership->version);
    membership->links[0] = '\0';
    add_links(membership, &params);
    const int64_t asked_ms = system_ms();
    const enum db_result result = db_ask(&membership->db, SQL_NODE_ENTER, &params, &rows);
    if (result == DB_OK) {
        membership->life = cell_number(rows, 0, 0);
        note_clock(membership, asked_ms, cell_number(rows, 0, 1));
    }
    PQclear(rows);
    return result;
}

enum store_result membership_join(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX])
{
    struct db *db = &membership->db;
    if (!membership->url_known) {
        snprintf(message, STORE_MESSAGE_MAX, "%s", membership->url.trouble);
        db->problem = membership->url.problem;
        return STORE_FAILED;
    }
    db_disconnect(db);
    enum store_result result = STORE_FAILED;
    if (db_connect(db, membership->connection) == DB_OK && schema_open(db) == DB_OK)
        result = wait_for_name(membership);
    if (result == STORE_OK && take_name(membership) != DB_OK)
        result = STORE_FAILED;
    return say_result(membership, result, message);
}

enum store_result membership_open(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX])
{
    struct db *db = &membership->db;
    int64_t version = 0;
    if (!membership->url_known) {
        snprintf(message, STORE_MESSAGE_MAX, "%s", membership->url.trouble);
        db->problem = membership->url.problem;
        return STORE_FAILED;
    }
    db_disconnect(db); /* it may be called again */
    if (db_connect(db, "taluvad, looking") != DB_OK ||
        db_bound_waits(db, membership->timeouts.lock_ms, membership->timeouts.answer_ms) != DB_OK ||
        schema_look(db, &version) != DB_OK)
        return say_result(membership, STORE_FAILED, message);
    if (version >= WITH_NODES)
        return STORE_OK;
    snprintf(
        message, STORE_MESSAGE_MAX, "%s",
        version == 0
            ? "the database holds no site yet"
            : "its schema is of version 1: `taluvad migrate`, or a server, brings it to this one");
    return STORE_CORRUPT;
}

/* ---- beating */

/* In this order, as a row has them. */
enum { FACT_SET_ASIDE, FACT_JUMPS, FACT_JUMPED_MS, FACT_CERTIFICATE_S };

static void add_facts(const struct membership_facts *facts, struct params *params)
{
    params_add_number(params, facts->set_aside);
    params_add_number(params, facts->jumps);
    params_add_number(params, facts->jumped_ms);
    params_add_number(params, facts->certificate_s);
}

static enum db_result raise_counter(struct membership *membership, bool *ours)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, membership->name);
    params_add_number(&params, membership->life);
    params_add_text(&params, membership->documents);
    add_links(membership, &params);
    params_add_number(&params, membership->ahead_ms);
    add_facts(&membership->facts, &params);
    const int64_t asked_ms = system_ms();
    const enum db_result result = db_ask(&membership->db, SQL_NODE_BEAT, &params, &rows);
    *ours = result == DB_OK && PQntuples(rows) > 0;
    if (*ours)
        note_clock(membership, asked_ms, cell_number(rows, 0, 1));
    PQclear(rows);
    return result;
}

void membership_say(struct membership *membership, const char *documents)
{
    const bool fits = strlen(documents) <= MEMBERSHIP_DOCUMENTS_MAX;
    snprintf(membership->documents, sizeof membership->documents, "%s", fits ? documents : "");
}

int64_t membership_says(const struct membership_node *node, const char *document)
{
    const size_t len = strlen(document);
    const char *at = node->documents;
    while (*at && (strncmp(at, document, len) != 0 || at[len] != '=')) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return *at ? strtoll(at + len + 1, NULL, 10) : -1;
}

/* The row says whose the name is; then who has the lock is what the database does not know yet to
 * be lost of us. */
static enum db_result connect_again(struct membership *membership, bool *ours)
{
    const int64_t until_ms = db_now_ms() + membership->timeouts.lock_ms;
    bool taken = false;
    enum db_result result = db_connect(&membership->db, membership->connection);
    if (result == DB_OK)
        result = raise_counter(membership, ours);
    while (result == DB_OK && *ours && !taken && db_now_ms() < until_ms) {
        result = try_lock(membership, &taken);
        if (result == DB_OK && !taken)
            result = end_holder(membership);
    }
    return result;
}

enum store_result membership_beat(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX])
{
    bool ours = false;
    enum db_result result = DB_LOST;
    if (membership->db.pg && db_look(&membership->db) == DB_OK)
        result = raise_counter(membership, &ours);
    if (result == DB_LOST)
        result = connect_again(membership, &ours);
    if (result != DB_OK)
        return say_result(membership, STORE_FAILED, message);
    return say_result(membership, ours ? STORE_OK : name_is_taken(membership), message);
}

/* ---- looking */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take_facts(const PGresult *rows, int row, struct membership_node *node)
{
    enum { FIRST = 11 };
    node->says_facts = !PQgetisnull(rows, row, FIRST);
    if (!node->says_facts)
        return;
    node->facts = (struct membership_facts){
        .set_aside = cell_number(rows, row, FIRST + FACT_SET_ASIDE),
        .jumps = cell_number(rows, row, FIRST + FACT_JUMPS),
        .jumped_ms = cell_number(rows, row, FIRST + FACT_JUMPED_MS),
        .certificate_s = cell_number(rows, row, FIRST + FACT_CERTIFICATE_S)};
}

static void take_node(const PGresult *rows, int row, struct membership_look *look)
{
    if (look->nodes == MEMBERSHIP_NODES_MAX)
        return;
    struct membership_node *node = &look->node[look->nodes++];
    node->life = cell_number(rows, row, 1);
    node->beat = cell_number(rows, row, 2);
    (void)cell_string(rows, row, 4, node->name, sizeof node->name);
    (void)cell_string(rows, row, 5, node->relay, sizeof node->relay);
    (void)cell_string(rows, row, 6, node->version, sizeof node->version);
    node->away = cell_flag(rows, row, 7);
    (void)cell_string(rows, row, 8, node->documents, sizeof node->documents);
    node->says_clock = !PQgetisnull(rows, row, 10);
    node->ahead_ms = node->says_clock ? cell_number(rows, row, 10) : 0;
    take_facts(rows, row, node);
}

static void take_part(const PGresult *rows, int row, struct membership_look *look)
{
    if (look->parts == PARTS_MAX)
        return;
    struct membership_part *part = &look->part[look->parts++];
    part->term = cell_number(rows, row, 1);
    part->batch = cell_number(rows, row, 2);
    (void)cell_string(rows, row, 4, part->node, sizeof part->node);
    (void)cell_string(rows, row, 5, part->relay, sizeof part->relay);
    part->held = cell_flag(rows, row, 7);
}

/* Is the name among these, each of which has a space behind it? */
static bool is_named(const char *names, const char *name)
{
    const size_t len = strlen(name);
    const char *at = names;
    while ((at = strstr(at, name)) != NULL) {
        if ((at == names || at[-1] == ' ') && at[len] == ' ')
            return true;
        at += len;
    }
    return false;
}

/* After all nodes are there: they come first, in the order of the rows. */
static void take_links(const PGresult *rows, struct membership_look *look)
{
    for (size_t at = 0; at < look->nodes; at++) {
        struct membership_node *node = &look->node[at];
        node->says_links = !PQgetisnull(rows, (int)at, 9);
        const char *names = node->says_links ? PQgetvalue(rows, (int)at, 9) : "";
        for (size_t other = 0; other < look->nodes; other++)
            node->links |= (uint64_t)is_named(names, look->node[other].name) << other;
    }
}

enum store_result membership_see(struct membership *membership, struct membership_look *look,
                                 char message[static STORE_MESSAGE_MAX])
{
    struct db *db = &membership->db;
    PGresult *rows;
    if (!db->pg) {
        snprintf(db->message, sizeof db->message, "there is no connection, until the next beat");
        return say_result(membership, STORE_FAILED, message);
    }
    if (db_ask(db, SQL_SITE_LOOK, NULL, &rows) != DB_OK)
        return say_result(membership, STORE_FAILED, message);
    memset(look, 0, sizeof *look);
    for (int row = 0; row < PQntuples(rows); row++) {
        if (cell_number(rows, row, 0) == 0)
            take_node(rows, row, look);
        else
            take_part(rows, row, look);
    }
    take_links(rows, look);
    look->at_ms = now_ms();
    PQclear(rows);
    return STORE_OK;
}

void membership_leave(struct membership *membership)
{
    int64_t number;
    bool found;
    if (membership->life != 0 && membership->db.pg)
        (void)ask_number(membership, SQL_NODE_LEAVE, membership->life, &number, &found);
    membership->life = 0;
}
