/*
 * Connections of the database, the lock of each part that one of them has, and the rows of nodes.
 * A connection has the name of its term, as soon as it has one, so that it can be ended by it.
 */
#include "world.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLOSE_MS = 4, NOTICE_MAX_MS = 5000 };

static struct conn *conn_of(const struct database *db, uint64_t id)
{
    return &db->conns[id];
}

static struct table *table_of(struct world *world, uint64_t id)
{
    return &world->db.tables[conn_of(&world->db, id)->part];
}

static struct tx *tx_of(const struct database *db, const struct conn *conn)
{
    return conn->tx ? db->txs[conn->tx] : NULL;
}

void conn_tell(struct world *world, const struct conn *conn, enum what what, uint64_t id,
               size_t len, void *text)
{
    if (world->nodes[conn->node].up && world->nodes[conn->node].life == conn->life)
        world_post(
            world, AT_DATABASE, conn->node, database_delay_ms(world),
            (struct event){.c = (int)what, .a = conn->part, .b = id, .len = len, .text = text});
    else
        free(text);
}

bool conn_unheard(const struct world *world, uint64_t id)
{
    const struct conn *conn = conn_of(&world->db, id);
    return conn->ended || !world_reaches(world, conn->node, AT_DATABASE) ||
           !world_reaches(world, AT_DATABASE, conn->node);
}

/* ---- begin and end */

uint64_t database_conn(struct world *world, unsigned node, unsigned part, uint64_t term)
{
    struct database *db = &world->db;
    if (db->conn_count == db->conn_size) {
        db->conn_size = 2 * db->conn_size;
        db->conns = realloc(db->conns, db->conn_size * sizeof *db->conns);
        assert(db->conns);
    }
    db->conns[db->conn_count] =
        (struct conn){.node = node, .part = part, .life = world->nodes[node].life, .term = term};
    return db->conn_count++;
}

void conn_free_lock(struct world *world, uint64_t id)
{
    const struct conn *conn = conn_of(&world->db, id);
    struct table *table = table_of(world, id);
    if (!conn->open && conn->tx == 0 && table->lock == id)
        table->lock = 0;
}

void conn_terminate(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct tx *tx = tx_of(&world->db, conn);
    if (conn->open)
        conn_tell(world, conn, NODE_CONN_LOST, id, 0, NULL);
    conn->open = false;
    conn->ended = true;
    if (world_mutant == MUTANT_STUCK_LOCK && tx && tx->state == TX_LOCKED && !tx->rest)
        conn->tx = 0;
    else if (tx && tx->state == TX_FLUSHED)
        tx_cut_wait(world, tx);
    else if (tx && tx->state != TX_ENDED)
        tx_end(world, tx);
    conn_free_lock(world, id);
}

/* Its client has gone: what has come whole is brought to its end. */
static void closed(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct tx *tx = tx_of(&world->db, conn);
    conn->open = false;
    conn->ended = true;
    if (tx && !tx->rest && tx->state != TX_ENDED)
        tx_end(world, tx);
    conn_free_lock(world, id);
}

void conn_all_lost(struct world *world)
{
    struct database *db = &world->db;
    for (uint64_t id = 1; id < db->conn_count; id++) {
        db->conns[id].tx = 0;
        if (db->conns[id].open)
            conn_terminate(world, id);
    }
    for (unsigned at = 0; at < NODES; at++)
        db->rows[at].away = true; /* until it comes again */
}

static bool is_of(const struct world *world, const struct conn *conn, unsigned node)
{
    return conn->open && conn->node == node && conn->life == world->nodes[node].life;
}

void database_node_gone(struct world *world, unsigned node)
{
    for (uint64_t id = 1; id < world->db.conn_count; id++) {
        const struct conn *conn = conn_of(&world->db, id);
        if (!conn->ended && conn->node == node && conn->life == world->nodes[node].life)
            world_post(world, node, AT_DATABASE, world_between(world, 1, CLOSE_MS),
                       (struct event){.c = DB_CLOSE, .b = id});
    }
}

/* The newest. Its node knows it at once, and the database as well, or later; or the database knows
 * it, and the node finds out when what it sends is not acknowledged. */
void database_cut(struct world *world, unsigned node)
{
    uint64_t id = world->db.conn_count - 1;
    while (id > 0 && !is_of(world, conn_of(&world->db, id), node))
        id--;
    if (id == 0)
        return;
    const struct conn *conn = conn_of(&world->db, id);
    node_mark(SEEN_CONN_LOST);
    world->db.fails++;
    sim_log(&world->sim, "node %u loses a connection of part %u", node, conn->part);
    if (world_chance(world, 200)) {
        node_mark(SEEN_CONN_DEAF);
        closed(world, id);
        return;
    }
    world_post(world, node, node, 0, (struct event){.c = NODE_CONN_LOST, .a = conn->part, .b = id});
    world_post(world, AT_DATABASE, AT_DATABASE,
               world_chance(world, 500) ? 1 : world_between(world, 1, NOTICE_MAX_MS),
               (struct event){.c = DB_CLOSE, .b = id});
}

/* ---- the lock of a part */

static void want_lock(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct table *table = table_of(world, id);
    if (conn->ended)
        return;
    struct row *row = malloc(sizeof *row);
    assert(row);
    *row = table->row;
    conn->open = true;
    if (table->lock == 0)
        table->lock = id;
    conn_tell(world, conn, NODE_LOCKED, id, table->lock == id, row);
}

/* Only who is known by the term; 0: whoever it is. */
static void end_holder(struct world *world, uint64_t id, uint64_t term)
{
    const struct table *table = table_of(world, id);
    if (table->lock == 0 || table->lock == id || world_mutant == MUTANT_NOT_ENDED)
        return;
    const struct conn *holder = conn_of(&world->db, table->lock);
    const struct tx *tx = tx_of(&world->db, holder);
    if (term != 0 && holder->term != term)
        return;
    node_mark(SEEN_HOLDER_ENDED);
    if (tx && tx->state == TX_LOCKED && !tx->rest)
        node_mark(SEEN_STUCK_LOCK);
    conn_terminate(world, table->lock);
}

static void refuse(struct world *world, uint64_t id, enum answer why)
{
    conn_tell(world, conn_of(&world->db, id), NODE_CONNECTED, id, (size_t)why + 1, NULL);
}

/* As lock_take_again: who has the lock and takes no term is not waited for without end. */
static void end_opening(struct world *world, const struct table *table)
{
    if (conn_of(&world->db, table->lock)->term != 0 || world_mutant == MUTANT_OPENING_KEPT)
        return;
    node_mark(SEEN_OPENING_ENDED);
    conn_terminate(world, table->lock);
}

/* Again, for a term: while that is the part's, nobody else but itself has the lock. */
static void connect(struct world *world, uint64_t id, bool late)
{
    struct conn *conn = conn_of(&world->db, id);
    struct table *table = table_of(world, id);
    const uint64_t term = table->row.term;
    if (conn->ended)
        return;
    if (term > conn->term && world_mutant != MUTANT_NO_FENCE) {
        refuse(world, id, ANSWER_FENCED);
        return;
    }
    if (term < conn->term && world_mutant != MUTANT_NO_BEHIND) {
        refuse(world, id, ANSWER_BEHIND);
        return;
    }
    if (table->lock != 0 && conn_of(&world->db, table->lock)->term == conn->term)
        conn_terminate(world, table->lock);
    if (table->lock != 0) {
        if (late)
            end_opening(world, table);
        refuse(world, id, ANSWER_OK); /* not now */
        return;
    }
    conn->open = true;
    table->lock = id;
    conn_tell(world, conn, NODE_CONNECTED, id, 0, NULL);
}

/* Others need not wait until they believe that nobody has the part any more. */
static void release(struct world *world, uint64_t id)
{
    const struct conn *conn = conn_of(&world->db, id);
    struct table *table = table_of(world, id);
    if (!conn->open)
        return;
    if (table->row.term == conn->term)
        table->row = (struct row){conn->term, POSTGRES_GIVEN_UP, -1};
    if (table->safe_row.term == conn->term)
        table->safe_row = table->row;
    conn_tell(world, conn, NODE_RELEASED, id, 0, NULL);
}

/* ---- nodes */

/* `links`: the numbers of the nodes, a bit each. */
static void raise(struct world *world, unsigned at, uint64_t life, uint64_t links, int64_t said)
{
    struct membership_node *row = &world->db.rows[at];
    if (row->life == 0 || (uint64_t)row->life < life)
        *row = (struct membership_node){.life = (int64_t)life};
    (void)snprintf(row->name, sizeof row->name, "n%u", at);
    row->away = false;
    row->beat++;
    row->says_links = true;
    row->links = links;
    if (said >= 0)
        (void)snprintf(row->documents, sizeof row->documents, "welcome=%lld", (long long)said);
}

/* Its connection ends with the process. */
static bool is_away(const struct world *world, unsigned at)
{
    const struct membership_node *row = &world->db.rows[at];
    return row->away || !world->nodes[at].up || (uint64_t)row->life != world->nodes[at].life;
}

static void look(struct world *world, unsigned at, uint64_t life, bool beaten, int64_t said)
{
    struct database *db = &world->db;
    struct seen_rows *seen = calloc(1, sizeof *seen);
    assert(seen);
    for (unsigned i = 0; i < NODES; i++) {
        seen->nodes[i] = db->rows[i];
        seen->nodes[i].away = is_away(world, i);
    }
    for (unsigned i = 0; i < world->parts; i++) {
        const struct table *table = &db->tables[i];
        struct membership_part *part = &seen->parts[i];
        part->term = (int64_t)table->row.term;
        part->batch = table->row.batch;
        part->held = table->lock != 0;
        if (table->row.node >= 0)
            (void)snprintf(part->node, sizeof part->node, "n%d", table->row.node);
    }
    seen->beaten = beaten;
    seen->said = said;
    seen->document = db->document;
    const struct conn conn = {.node = at, .life = life};
    conn_tell(world, &conn, NODE_SAW, 0, 0, seen);
}

/* ---- all */

static int64_t said_of(const struct event *event)
{
    return ((const struct look *)(const void *)event->text)->said;
}

void conn_event(struct world *world, const struct event *event)
{
    switch (event->c) {
    case DB_LOOK:
        if (event->len & 1)
            raise(world, event->a, event->b, event->len >> 1, said_of(event));
        look(world, event->a, event->b, event->len & 1, said_of(event));
        break;
    case DB_LEAVE:
        if ((uint64_t)world->db.rows[event->a].life == event->b)
            world->db.rows[event->a].life = 0;
        break;
    case DB_LOCK:
        want_lock(world, event->b);
        break;
    case DB_END_HOLDER:
        end_holder(world, event->b, event->len);
        break;
    case DB_CONNECT:
        connect(world, event->b, event->len);
        break;
    case DB_RELEASE:
        release(world, event->b);
        break;
    default:
        closed(world, event->b);
        break;
    }
}
