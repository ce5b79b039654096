/*
 * The database: rows of nodes and of parts, locks, and the disks of the first and of its standby.
 *
 *     sent --> waits for the row --> locked --> on the first's disk --> at the standby: answered
 *
 * A connection that is ended takes what is not on a disk back. What is on the first's disk alone
 * can be seen when its connection has been ended, and is lost when the standby takes over.
 */
#include "world.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_MS = 4, SLOW_MS = 2500, DOWN_MAX_MS = 15000 };

static struct conn *conn_of(const struct database *db, uint64_t id)
{
    return &db->conns[id];
}

static struct tx *tx_of(const struct database *db, uint64_t id)
{
    return db->txs[id];
}

static int64_t delay_ms(struct world *world, int64_t until_ms)
{
    return world_between(world, 1, until_ms > world->sim.now_ms ? SLOW_MS : QUICK_MS);
}

static void post_here(struct world *world, int64_t in_ms, enum what what, uint64_t id)
{
    world_post(world, AT_DATABASE, AT_DATABASE, in_ms, (struct event){.c = (int)what, .b = id});
}

/* ---- to a node */

static void tell(struct world *world, const struct conn *conn, enum what what, uint64_t id,
                 size_t len, void *text)
{
    if (world->nodes[conn->node].up && world->nodes[conn->node].life == conn->life)
        world_post(
            world, AT_DATABASE, conn->node, delay_ms(world, world->db.slow_until_ms),
            (struct event){.c = (int)what, .a = conn->part, .b = id, .len = len, .text = text});
    else
        free(text);
}

static void answer(struct world *world, struct tx *tx, enum answer said)
{
    struct conn *conn = conn_of(&world->db, tx->conn);
    tx->answer = said;
    if (conn->open)
        tell(world, conn, tx->number == 0 ? NODE_TAKEN : NODE_ANSWER, tx->id, 0, NULL);
}

/* ---- what is written */

static void take_row(struct row *row, const struct tx *tx)
{
    if (tx->number == 0)
        *row = (struct row){tx->term, world_mutant == MUTANT_SERVED_TWICE ? row->batch : 0,
                            (int)tx->node};
    else
        row->batch = tx->number;
}

static void write(struct world *world, struct model_store *store, const struct tx *tx)
{
    store->epoch = tx->term;
    store->complaint[0] = '\0';
    if (tx->number != 0)
        model_commit(store, &tx->batch);
    if (store->complaint[0])
        sim_fail(&world->sim, "part %u, term %llu, batch %lld: the store refuses %s", tx->part,
                 (unsigned long long)tx->term, (long long)tx->number, store->complaint);
}

static void show(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    write(world, &table->seen, tx);
    take_row(&table->row, tx);
}

/* At the standby: only now it is true. */
static void make_safe(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    tx->replicated = true;
    write(world, &table->safe, tx);
    take_row(&table->safe_row, tx);
    if (table->log_count == table->log_size) {
        table->log_size = table->log_size ? 2 * table->log_size : 64;
        table->log = realloc(table->log, table->log_size * sizeof *table->log);
        assert(table->log);
    }
    table->log[table->log_count++] = tx->id;
    if (tx->number != 0)
        oracle_apply(&world->sim.oracle, &tx->batch);
    if (world->sim.oracle.complaint[0])
        sim_fail(&world->sim, "%s", world->sim.oracle.complaint);
}

/* ---- transactions */

static void begin_next(struct world *world, struct table *table);

static void free_lock(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct table *table = &world->db.tables[conn->part];
    if (!conn->open && conn->tx == 0 && table->lock == id)
        table->lock = 0;
}

static void end(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    tx->state = TX_ENDED;
    if (conn_of(&world->db, tx->conn)->tx == tx->id)
        conn_of(&world->db, tx->conn)->tx = 0;
    free_lock(world, tx->conn);
    if (table->row_lock != tx->id)
        return;
    table->row_lock = 0;
    begin_next(world, table);
}

static void flush(struct world *world, struct tx *tx)
{
    if (tx->rest)
        post_here(world, delay_ms(world, world->db.slow_until_ms), DB_FLUSH, tx->id);
}

static void check_fence(struct world *world, struct tx *tx)
{
    const struct row *row = &world->db.tables[tx->part].row;
    enum answer said = ANSWER_OK;
    if (row->term != tx->term && world_mutant != MUTANT_NO_FENCE)
        said = ANSWER_FENCED;
    else if (world_mutant == MUTANT_NO_FENCE || world_mutant == MUTANT_NO_NUMBER ||
             row->batch == tx->number - 1)
        said = ANSWER_OK;
    else if (row->batch == tx->number)
        said = ANSWER_ALREADY;
    else
        said = row->batch < tx->number ? ANSWER_BEHIND : ANSWER_FENCED;
    if (said == ANSWER_OK) {
        flush(world, tx);
        return;
    }
    if (said == ANSWER_ALREADY)
        node_mark(SEEN_ALREADY);
    answer(world, tx, said);
    end(world, tx);
}

static void begin(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    if (table->row_lock != 0 && table->row_lock != tx->id) {
        tx->state = TX_WAITS;
        table->waited_for = true;
        return;
    }
    table->row_lock = tx->id;
    tx->state = TX_LOCKED;
    if (tx->number != 0) {
        check_fence(world, tx);
        return;
    }
    table->holder_ended = table->ended_term == table->row.term && table->row.term != 0;
    tx->term = world_mutant == MUTANT_SERVED_TWICE && table->row.term ? table->row.term
                                                                      : ++world->db.next_term;
    flush(world, tx);
}

static void begin_next(struct world *world, struct table *table)
{
    const unsigned part = (unsigned)(table - world->db.tables);
    for (uint64_t id = 1; table->waited_for && id < world->db.tx_count; id++) {
        struct tx *tx = tx_of(&world->db, id);
        if (tx->part == part && tx->state == TX_WAITS) {
            begin(world, tx);
            return;
        }
    }
    table->waited_for = false;
}

static void replicate_soon(struct world *world)
{
    struct database *db = &world->db;
    if (db->replicating || db->wal_count == 0)
        return;
    db->replicating = true;
    post_here(world, delay_ms(world, db->lag_until_ms), DB_REPLICATE, 0);
}

static void flushed(struct world *world, struct tx *tx)
{
    struct database *db = &world->db;
    if (tx->state != TX_LOCKED)
        return;
    assert(db->wal_count < sizeof db->wal / sizeof db->wal[0]);
    tx->state = TX_FLUSHED;
    db->wal[db->wal_count++] = tx->id;
    replicate_soon(world);
    if (world_mutant != MUTANT_NO_STANDBY)
        return;
    show(world, tx);
    tx->state = TX_VISIBLE;
    answer(world, tx, ANSWER_OK);
    end(world, tx);
}

static void replicate(struct world *world)
{
    struct database *db = &world->db;
    db->replicating = false;
    if (!db->up || db->wal_count == 0)
        return;
    struct tx *tx = tx_of(db, db->wal[0]);
    memmove(db->wal, db->wal + 1, --db->wal_count * sizeof db->wal[0]);
    make_safe(world, tx);
    if (tx->state == TX_FLUSHED) {
        show(world, tx);
        answer(world, tx, ANSWER_OK);
        end(world, tx);
    }
    replicate_soon(world);
}

/* Nobody waits for the standby any more. */
static void cut_wait(struct world *world, struct tx *tx)
{
    tx->warned = true;
    show(world, tx);
    tx->state = TX_VISIBLE;
    end(world, tx);
}

/* ---- connections */

static void terminate(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct tx *tx = conn->tx ? tx_of(&world->db, conn->tx) : NULL;
    if (conn->open)
        tell(world, conn, NODE_CONN_LOST, id, 0, NULL);
    conn->open = false;
    conn->ended = true;
    if (tx && tx->state == TX_FLUSHED)
        cut_wait(world, tx);
    else if (tx && tx->state != TX_ENDED)
        end(world, tx);
    free_lock(world, id);
}

/* Its client has gone: what has come whole is brought to its end. */
static void closed(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct tx *tx = conn->tx ? tx_of(&world->db, conn->tx) : NULL;
    conn->open = false;
    conn->ended = true;
    if (tx && !tx->rest && tx->state != TX_ENDED)
        end(world, tx);
    free_lock(world, id);
}

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

static void refuse(struct world *world, uint64_t id, enum answer why)
{
    tell(world, conn_of(&world->db, id), NODE_CONNECTED, id, (size_t)why + 1, NULL);
}

static void end_holder(struct world *world, const struct conn *conn)
{
    struct table *table = &world->db.tables[conn->part];
    if (table->lock == 0)
        return;
    const struct conn *holder = conn_of(&world->db, table->lock);
    node_mark(SEEN_HOLDER_ENDED);
    table->ended_term = table->row.term;
    if (holder->tx && tx_of(&world->db, holder->tx)->state == TX_LOCKED)
        node_mark(SEEN_STUCK_LOCK);
    terminate(world, table->lock);
}

/* Again, for a term: while that is the part's, nobody else but itself has the lock. */
static void connect(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct table *table = &world->db.tables[conn->part];
    if (conn->ended)
        return;
    if (table->row.term != conn->term && world_mutant != MUTANT_NO_FENCE) {
        refuse(world, id, table->row.term > conn->term ? ANSWER_FENCED : ANSWER_BEHIND);
        return;
    }
    if (table->lock != 0 && conn_of(&world->db, table->lock)->term == conn->term)
        terminate(world, table->lock);
    if (table->lock != 0) {
        refuse(world, id, ANSWER_OK); /* not now */
        return;
    }
    conn->open = true;
    table->lock = id;
    tell(world, conn, NODE_CONNECTED, id, 0, NULL);
}

static void want_lock(struct world *world, uint64_t id)
{
    struct conn *conn = conn_of(&world->db, id);
    struct table *table = &world->db.tables[conn->part];
    if (conn->ended)
        return;
    struct row *row = malloc(sizeof *row);
    assert(row);
    *row = table->row;
    conn->open = true;
    if (table->lock == 0)
        table->lock = id;
    tell(world, conn, NODE_LOCKED, id, table->lock == id, row);
}

/* ---- transactions come */

static void copy_texts(struct store_op *op)
{
    const char **text = NULL;
    size_t len = 0;
    if (op->kind == STORE_APPEND) {
        text = &op->u.event.text;
        len = op->u.event.text_len;
    } else if (op->kind == STORE_PUT_PUSH) {
        text = &op->u.push.endpoint;
        len = strlen(*text);
    } else if (op->kind == STORE_PUT_PASS) {
        text = &op->u.pass.name;
        len = strlen(*text);
    } else if (op->kind == STORE_PUT_GAMES) {
        text = &op->u.games.text;
        len = op->u.games.text_len;
    }
    if (!text)
        return;
    char *copy = malloc(len + 1);
    assert(copy);
    memcpy(copy, *text, len);
    copy[len] = '\0';
    *text = copy;
}

static void free_texts(const struct store_op *op)
{
    const char *text = op->kind == STORE_APPEND      ? op->u.event.text
                       : op->kind == STORE_PUT_PUSH  ? op->u.push.endpoint
                       : op->kind == STORE_PUT_PASS  ? op->u.pass.name
                       : op->kind == STORE_PUT_GAMES ? op->u.games.text
                                                     : NULL;
    free((char *)(uintptr_t)text);
}

static struct store_batch copy_batch(const struct store_batch *batch)
{
    struct store_op *ops = calloc(batch->count + 1, sizeof *ops);
    enum store_result *results = calloc(batch->count + 1, sizeof *results);
    assert(ops && results);
    for (size_t i = 0; i < batch->count; i++) {
        ops[i] = batch->ops[i];
        copy_texts(&ops[i]);
    }
    return (struct store_batch){batch->count, ops, results};
}

struct tx *database_tx(struct world *world, const struct held_part *held, unsigned node,
                       unsigned part, const struct store_batch *batch, int64_t number)
{
    struct database *db = &world->db;
    struct tx *tx = calloc(1, sizeof *tx);
    assert(tx);
    *tx = (struct tx){.id = db->tx_count,
                      .conn = held->conn,
                      .term = held->term,
                      .node = node,
                      .part = part,
                      .life = world->nodes[node].life,
                      .number = number,
                      .batch = copy_batch(batch)};
    if (db->tx_count == db->tx_size) {
        db->tx_size = 2 * db->tx_size;
        db->txs = realloc(db->txs, db->tx_size * sizeof(struct tx *));
        assert(db->txs);
    }
    db->txs[db->tx_count++] = tx;
    return tx;
}

static void sent(struct world *world, struct tx *tx)
{
    struct conn *conn = conn_of(&world->db, tx->conn);
    if (!conn->open || tx->state != TX_SENT)
        return;
    conn->tx = tx->id;
    begin(world, tx);
}

static void rest_sent(struct world *world, struct tx *tx)
{
    if (!conn_of(&world->db, tx->conn)->open || tx->state == TX_ENDED || tx->rest)
        return;
    tx->rest = true;
    if (tx->state == TX_LOCKED)
        flush(world, tx);
}

/* ---- it fails */

/* What the standby has is what there is. */
static void take_from_standby(struct world *world, struct table *table)
{
    model_release(&table->seen);
    table->row = (struct row){.node = -1};
    for (size_t i = 0; i < table->log_count; i++)
        show(world, tx_of(&world->db, table->log[i]));
    table->row = table->safe_row;
}

/* What is on its disk is there when it is back. */
static void take_from_disk(struct world *world)
{
    struct database *db = &world->db;
    for (size_t i = 0; i < db->wal_count; i++) {
        struct tx *tx = tx_of(db, db->wal[i]);
        if (tx->state == TX_FLUSHED)
            cut_wait(world, tx);
    }
}

void database_fails(struct world *world, bool over)
{
    struct database *db = &world->db;
    node_mark(over ? SEEN_FAILOVER : SEEN_DB_AWAY);
    sim_log(&world->sim, over ? "the standby takes over" : "the database restarts");
    db->up = db->replicating = false;
    for (uint64_t id = 1; id < db->tx_count; id++) {
        struct tx *tx = tx_of(db, id);
        if (tx->state == TX_LOCKED || tx->state == TX_WAITS || (over && tx->state == TX_FLUSHED))
            tx->state = TX_ENDED;
    }
    if (!over)
        take_from_disk(world);
    for (unsigned part = 0; part < world->parts; part++)
        db->tables[part].row_lock = db->tables[part].lock = 0;
    for (uint64_t id = 1; id < db->conn_count; id++) {
        db->conns[id].tx = 0;
        if (db->conns[id].open)
            terminate(world, id);
    }
    if (over && db->wal_count > 0)
        node_mark(SEEN_FAILOVER_LOST);
    if (over)
        db->wal_count = 0;
    for (unsigned part = 0; over && part < world->parts; part++)
        take_from_standby(world, &db->tables[part]);
    post_here(world, world_between(world, 50, world->calm_ms ? 100 : DOWN_MAX_MS), DB_UP, 0);
}

void database_node_gone(struct world *world, unsigned node)
{
    for (uint64_t id = 1; id < world->db.conn_count; id++) {
        const struct conn *conn = conn_of(&world->db, id);
        if (conn->open && conn->node == node && conn->life == world->nodes[node].life)
            world_post(world, node, AT_DATABASE, world_between(world, 1, QUICK_MS),
                       (struct event){.c = DB_CLOSE, .b = id});
    }
}

/* ---- nodes */

static void beat(struct world *world, unsigned at, uint64_t life)
{
    struct database *db = &world->db;
    struct membership_node *row = &db->rows[at];
    if (row->life == 0 || (uint64_t)row->life < life) {
        *row = (struct membership_node){.life = (int64_t)life};
        (void)snprintf(row->name, sizeof row->name, "n%u", at);
    }
    row->beat++;
    struct membership_look *look = calloc(1, sizeof *look);
    assert(look);
    look->parts = world->parts;
    for (unsigned i = 0; i < NODES; i++) {
        if (db->rows[i].life)
            look->node[look->nodes++] = db->rows[i];
    }
    for (unsigned i = 0; i < world->parts; i++) {
        const struct table *table = &db->tables[i];
        look->part[i].term = (int64_t)table->row.term;
        look->part[i].batch = table->row.node < 0 ? POSTGRES_GIVEN_UP : table->row.batch;
        look->part[i].held = table->lock != 0;
        if (table->row.node >= 0)
            (void)snprintf(look->part[i].node, sizeof look->part[i].node, "n%d", table->row.node);
    }
    const struct conn conn = {.node = at, .life = life};
    tell(world, &conn, NODE_SAW, 0, 0, look);
}

/* ---- all */

void database_init(struct world *world)
{
    struct database *db = &world->db;
    db->up = true;
    db->conn_count = db->tx_count = 1;
    db->conn_size = db->tx_size = 64;
    db->conns = calloc(db->conn_size, sizeof *db->conns);
    db->txs = calloc(db->tx_size, sizeof(struct tx *));
    assert(db->conns && db->txs);
    for (unsigned part = 0; part < PARTS; part++) {
        struct table *table = &db->tables[part];
        model_init(&table->seen);
        model_init(&table->safe);
        table->row.node = table->safe_row.node = -1;
    }
}

void database_release(struct world *world)
{
    struct database *db = &world->db;
    for (uint64_t id = 1; id < db->tx_count; id++) {
        struct tx *tx = tx_of(db, id);
        for (size_t i = 0; i < tx->batch.count; i++)
            free_texts(&tx->batch.ops[i]);
        free((struct store_op *)(uintptr_t)tx->batch.ops);
        free(tx->batch.results);
        free(tx);
    }
    for (unsigned part = 0; part < PARTS; part++) {
        model_release(&db->tables[part].seen);
        model_release(&db->tables[part].safe);
        free(db->tables[part].log);
    }
    free(db->conns);
    free(db->txs);
}

bool sim_knows_session(const struct sim *sim, uint64_t session)
{
    const struct world *world = (const struct world *)sim;
    return model_session(&world->db.tables[session % world->parts].safe, session);
}

static void come_up(struct world *world)
{
    world->db.up = true;
    replicate_soon(world);
}

static void at_work(struct world *world, const struct event *event)
{
    const struct database *db = &world->db;
    switch (event->c) {
    case DB_BEAT:
        beat(world, event->a, event->b);
        break;
    case DB_LOCK:
        want_lock(world, event->b);
        break;
    case DB_END_HOLDER:
        end_holder(world, conn_of(db, event->b));
        break;
    case DB_CONNECT:
        connect(world, event->b);
        break;
    case DB_SEND:
        sent(world, tx_of(db, event->b));
        break;
    case DB_REST:
        rest_sent(world, tx_of(db, event->b));
        break;
    case DB_FLUSH:
        flushed(world, tx_of(db, event->b));
        break;
    default:
        replicate(world);
        break;
    }
}

void database_event(struct world *world, const struct event *event)
{
    if (event->c == DB_UP)
        come_up(world);
    else if (event->c == DB_CLOSE)
        closed(world, event->b);
    else if (world->db.up)
        at_work(world, event);
}
