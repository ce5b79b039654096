/*
 * The database: rows of nodes and of parts, locks, and the disks of the first and of its standby.
 *
 *     sent --> waits for the row --> locked --> on the first's disk --> at the standby: answered
 *
 * A connection that is ended takes what is not on a disk back. What is on the first's disk alone
 * can be seen when its connection has been ended, and is lost when the standby takes over.
 */
#include "../../support/model_divide.h"
#include "../../support/model_rows.h"
#include "world.h"
#include <assert.h>
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

int64_t database_delay_ms(struct world *world)
{
    return delay_ms(world, world->db.slow_until_ms);
}

static void post_here(struct world *world, int64_t in_ms, enum what what, uint64_t id)
{
    world_post(world, AT_DATABASE, AT_DATABASE, in_ms, (struct event){.c = (int)what, .b = id});
}

static void answer(struct world *world, struct tx *tx, enum answer said)
{
    const struct conn *conn = conn_of(&world->db, tx->conn);
    tx->answer = said;
    if (conn->open)
        conn_tell(world, conn, tx->number == 0 ? NODE_TAKEN : NODE_ANSWER, tx->id, 0, NULL);
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

static bool is_letter(const struct store_op *op, enum store_op_kind kind)
{
    return op->kind == kind && op->u.row.table == &store_letter_table;
}

static bool is_for_another(const struct world *world, const struct tx *tx,
                           const struct store_op *op)
{
    const struct store_letter *letter = op->u.row.row;
    return letter->addressee % world->parts != tx->part;
}

static bool is_set_aside(const struct store_op *op)
{
    return is_letter(op, STORE_PUT_ROW) &&
           ((const struct store_letter *)op->u.row.row)->state != STORE_LETTER_WAITS;
}

static bool is_greeting(const struct store_op *op)
{
    return op->kind == STORE_PUT_ROW && op->u.row.table == &guest_word_table &&
           ((const struct guest_word *)op->u.row.row)->words[0] == 'g';
}

static bool is_left_out(const struct store_op *op, bool sent)
{
    return (world_mutant == MUTANT_LETTER_LOST && sent) ||
           (world_mutant == MUTANT_LETTER_STAYS && is_letter(op, STORE_DROP_ROW)) ||
           (world_mutant == MUTANT_GREETING_LOST && is_greeting(op)) ||
           ((world_mutant == MUTANT_POISON_STAYS || world_mutant == MUTANT_POISON_LOST) &&
            is_set_aside(op));
}

/* What a mutant does not write is refused before, without anybody being told: STORE_CROWDED, which
 * nothing else here has. */
static void look_at_ops(const struct world *world, struct model_store *store, const struct tx *tx)
{
    for (size_t i = 0; i < tx->batch.count; i++) {
        const struct store_op *op = &tx->batch.ops[i];
        const bool sent = is_letter(op, STORE_PUT_ROW) && is_for_another(world, tx, op);
        if (sent)
            node_mark(SEEN_LETTER_SENT);
        if (tx->batch.results[i] != STORE_OK || !is_left_out(op, sent))
            continue;
        tx->batch.results[i] = STORE_CROWDED;
        if (world_mutant == MUTANT_POISON_LOST)
            model_drop_row(store, &op->u.row);
    }
}

static void forget_left_out(const struct tx *tx)
{
    for (size_t i = 0; i < tx->batch.count; i++) {
        if (tx->batch.results[i] == STORE_CROWDED)
            tx->batch.results[i] = STORE_OK;
    }
}

static void write(struct world *world, struct model_store *store, const struct tx *tx)
{
    store->epoch = tx->term;
    store->complaint[0] = '\0';
    store->gives_twice = world_mutant == MUTANT_CLAIM_TWICE;
    look_at_ops(world, store, tx);
    if (tx->number != 0)
        model_commit(store, &tx->batch);
    forget_left_out(tx);
    if (store->complaint[0])
        sim_fail(&world->sim, "part %u, term %llu, batch %lld: the store refuses %s", tx->part,
                 (unsigned long long)tx->term, (long long)tx->number, store->complaint);
}

static void show(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    write(world, &table->seen, tx);
    take_row(&table->row, tx);
    tx->shown = true;
}

/* Whoever is told of it may rely on it. */
static void make_true(struct world *world, struct tx *tx)
{
    tx->is_true = true;
    if (world->lost)
        return;
    write(world, &world->db.tables[tx->part].safe, tx);
    check_written(world, tx);
    if (tx->number != 0)
        oracle_apply(&world->sim.oracle, &tx->batch);
    if (world->sim.oracle.complaint[0])
        sim_fail(&world->sim, "%s", world->sim.oracle.complaint);
    clocks_written(world, &tx->batch);
}

static void put_at_standby(struct world *world, struct tx *tx)
{
    struct database *db = &world->db;
    take_row(&db->tables[tx->part].safe_row, tx);
    if (db->log_count == db->log_size) {
        db->log_size = db->log_size ? 2 * db->log_size : 64;
        db->log = realloc(db->log, db->log_size * sizeof *db->log);
        assert(db->log);
    }
    db->log[db->log_count++] = tx->id;
    if (!tx->is_true)
        make_true(world, tx);
}

/* ---- transactions */

static void begin_next(struct world *world, struct table *table);
static void flush_others(struct world *world);

void tx_end(struct world *world, struct tx *tx)
{
    struct table *table = &world->db.tables[tx->part];
    tx->state = TX_ENDED;
    if (conn_of(&world->db, tx->conn)->tx == tx->id)
        conn_of(&world->db, tx->conn)->tx = 0;
    conn_free_lock(world, tx->conn);
    if (table->row_lock != tx->id)
        return;
    table->row_lock = 0;
    begin_next(world, table);
    flush_others(world);
}

static bool claims_the_same(const struct store_op *one, const struct store_op *other)
{
    return one->kind == STORE_PUT_ROW && other->kind == STORE_PUT_ROW &&
           one->u.row.table == other->u.row.table &&
           store_same_claim(one->u.row.table, one->u.row.row, other->u.row.row);
}

static bool cross_claims(const struct tx *one, const struct tx *other)
{
    for (size_t i = 0; i < one->batch.count; i++) {
        for (size_t j = 0; j < other->batch.count; j++) {
            if (claims_the_same(&one->batch.ops[i], &other->batch.ops[j]))
                return true;
        }
    }
    return false;
}

/* Who claims what another transaction does waits for its end, as by a unique index. */
static bool has_to_wait(struct world *world, const struct tx *tx)
{
    for (unsigned part = 0; part < world->parts; part++) {
        const uint64_t id = world->db.tables[part].row_lock;
        const struct tx *other = id ? tx_of(&world->db, id) : NULL;
        if (other && other != tx && other->writes && cross_claims(tx, other)) {
            node_mark(SEEN_CLAIMS_CROSSED);
            return true;
        }
    }
    return false;
}

static void flush(struct world *world, struct tx *tx)
{
    if (!tx->rest || tx->writes || has_to_wait(world, tx))
        return;
    tx->writes = true;
    post_here(world, database_delay_ms(world), DB_FLUSH, tx->id);
}

/* Those that waited for the end of a transaction with what they claim. */
static void flush_others(struct world *world)
{
    for (unsigned part = 0; part < world->parts; part++) {
        const uint64_t id = world->db.tables[part].row_lock;
        struct tx *tx = id ? tx_of(&world->db, id) : NULL;
        if (tx && tx->state == TX_LOCKED)
            flush(world, tx);
    }
}

/* As taluva.fence, and what server/postgres/write.c makes of it. */
static enum answer fence(const struct row *row, const struct tx *tx)
{
    if (world_mutant == MUTANT_NO_FENCE)
        return ANSWER_OK;
    if (row->term > tx->term)
        return ANSWER_FENCED;
    if (row->term == tx->term && row->batch == tx->number - 1)
        return ANSWER_OK;
    if (row->term == tx->term && row->batch >= tx->number)
        return world_mutant == MUTANT_NO_NUMBER ? ANSWER_OK
               : row->batch == tx->number       ? ANSWER_ALREADY
                                                : ANSWER_FENCED;
    return world_mutant == MUTANT_NO_BEHIND ? ANSWER_OK : ANSWER_BEHIND;
}

static void check_fence(struct world *world, struct tx *tx)
{
    const enum answer said = fence(&world->db.tables[tx->part].row, tx);
    if (said == ANSWER_OK) {
        flush(world, tx);
        return;
    }
    if (said == ANSWER_ALREADY)
        node_mark(SEEN_ALREADY);
    answer(world, tx, said);
    tx_end(world, tx);
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

/* Others see it from now on, and its client is told. */
static void visible(struct world *world, struct tx *tx)
{
    show(world, tx);
    tx->state = TX_VISIBLE;
    answer(world, tx, ANSWER_OK);
    tx_end(world, tx);
}

static void put_on_disk(struct database *db, const struct tx *tx)
{
    if (db->wal_count == db->wal_size) {
        db->wal_size = db->wal_size ? 2 * db->wal_size : 64;
        db->wal = realloc(db->wal, db->wal_size * sizeof *db->wal);
        assert(db->wal);
    }
    db->wal[db->wal_count++] = tx->id;
}

static void flushed(struct world *world, struct tx *tx)
{
    if (tx->state != TX_LOCKED)
        return;
    tx->state = TX_FLUSHED;
    put_on_disk(&world->db, tx);
    replicate_soon(world);
    if (world->db.alone)
        make_true(world, tx);
    if (world->db.alone || world_mutant == MUTANT_NO_STANDBY)
        visible(world, tx);
}

static void replicate(struct world *world)
{
    struct database *db = &world->db;
    db->replicating = false;
    if (!db->up || db->wal_count == 0)
        return;
    const size_t count = db->alone ? db->wal_count : 1;
    for (size_t i = 0; i < count; i++) {
        struct tx *tx = tx_of(db, db->wal[i]);
        put_at_standby(world, tx);
        if (tx->state == TX_FLUSHED)
            visible(world, tx);
    }
    db->wal_count -= count;
    memmove(db->wal, db->wal + count, db->wal_count * sizeof db->wal[0]);
    replicate_soon(world);
}

/* Its connection is not there to be told. */
void tx_cut_wait(struct world *world, struct tx *tx)
{
    tx->warned = true;
    show(world, tx);
    tx->state = TX_VISIBLE;
    tx_end(world, tx);
}

/* As pg_cancel_backend: its client gets the answer, and a warning. */
void database_cancel(struct world *world)
{
    const struct database *db = &world->db;
    for (size_t i = 0; i < db->wal_count; i++) {
        struct tx *tx = tx_of(db, db->wal[i]);
        if (tx->state != TX_FLUSHED)
            continue;
        node_mark(SEEN_WAIT_CANCELLED);
        tx->warned = true;
        visible(world, tx);
        return;
    }
}

/* ---- transactions come */

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
                      .batch = batch_copy(batch)};
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

/* What the standby has is what there is: of all parts, as letters go from one to another. */
static void take_from_standby(struct world *world)
{
    struct database *db = &world->db;
    for (unsigned part = 0; part < world->parts; part++) {
        struct table *table = &db->tables[part];
        struct model_store *next = table->seen.next;
        model_release(&table->seen);
        model_copy(&table->base, &table->seen);
        table->seen.next = next;
        table->row = (struct row){0, POSTGRES_GIVEN_UP, -1};
    }
    for (size_t i = 0; i < db->log_count; i++)
        show(world, tx_of(db, db->log[i]));
    for (unsigned part = 0; part < world->parts; part++)
        db->tables[part].row = db->tables[part].safe_row;
}

/* What is on its disk is there when it is back. */
static void take_from_disk(struct world *world)
{
    struct database *db = &world->db;
    for (size_t i = 0; i < db->wal_count; i++) {
        struct tx *tx = tx_of(db, db->wal[i]);
        if (tx->state == TX_FLUSHED)
            tx_cut_wait(world, tx);
    }
}

/* What the standby does not have, and clients may have been told. */
static void find_lost(struct world *world)
{
    const struct database *db = &world->db;
    if (db->wal_count > 0)
        node_mark(SEEN_FAILOVER_LOST);
    for (size_t i = 0; i < db->wal_count; i++)
        tx_of(db, db->wal[i])->gone = true;
    for (size_t i = 0; i < db->wal_count; i++)
        world->lost |= tx_of(db, db->wal[i])->is_true;
    if (world->lost)
        node_mark(SEEN_FAILOVER_LOST_TOLD);
    check_lost(world);
}

static void fail_over(struct world *world)
{
    take_from_standby(world);
    find_lost(world);
    world->db.wal_count = 0;
}

void database_fails(struct world *world, bool over)
{
    struct database *db = &world->db;
    node_mark(over ? SEEN_FAILOVER : SEEN_DB_AWAY);
    sim_log(&world->sim, over ? "the standby takes over" : "the database restarts");
    db->up = db->replicating = false;
    db->fails++;
    for (uint64_t id = 1; id < db->tx_count; id++) {
        struct tx *tx = tx_of(db, id);
        if (tx->state == TX_LOCKED || tx->state == TX_WAITS || (over && tx->state == TX_FLUSHED))
            tx->state = TX_ENDED;
    }
    if (!over)
        take_from_disk(world);
    for (unsigned part = 0; part < world->parts; part++)
        db->tables[part].row_lock = db->tables[part].lock = 0;
    conn_all_lost(world);
    if (over)
        fail_over(world);
    post_here(world, world_between(world, 50, world->calm_ms ? 100 : DOWN_MAX_MS), DB_UP, 0);
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
        model_init(&table->base);
        table->seen.next = &db->tables[(part + 1) % PARTS].seen;
        table->safe.next = &db->tables[(part + 1) % PARTS].safe;
        table->row = table->safe_row = (struct row){0, POSTGRES_GIVEN_UP, -1};
    }
}

void database_release(struct world *world)
{
    struct database *db = &world->db;
    for (uint64_t id = 1; id < db->tx_count; id++) {
        struct tx *tx = tx_of(db, id);
        batch_free(&tx->batch);
        free(tx);
    }
    for (unsigned part = 0; part < PARTS; part++) {
        model_release(&db->tables[part].seen);
        model_release(&db->tables[part].safe);
        model_release(&db->tables[part].base);
    }
    free(db->conns);
    free(db->txs);
    free(db->wal);
    free(db->log);
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
    case DB_SEND:
        sent(world, tx_of(db, event->b));
        break;
    case DB_REST:
        rest_sent(world, tx_of(db, event->b));
        break;
    case DB_FLUSH:
        flushed(world, tx_of(db, event->b));
        break;
    case DB_REPLICATE:
        replicate(world);
        break;
    case DB_PUT:
        documents_put(world, event);
        break;
    default:
        conn_event(world, event);
        break;
    }
}

void database_event(struct world *world, const struct event *event)
{
    if (event->c == DB_UP)
        come_up(world);
    else if (world->db.up || event->c == DB_CLOSE)
        at_work(world, event);
    else if (event->c == DB_LOCK) /* nobody answers there: it is not waited for */
        conn_tell(world, conn_of(&world->db, event->b), NODE_CONN_LOST, event->b, 0, NULL);
}
