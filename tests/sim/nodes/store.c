/*
 * What server/postgres/commit.c does with a batch, step by step, and what server/net does with the
 * answer.
 */
#include "world.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEND_MS = 3,
    RETRY_MS = 100,
    CONNECT_MS = 5000,
    UNHEARD_MS = 5000, /* tcp_user_timeout */
    ANSWER_MS = 15000,
    SETTLE_MS = 10000,
    READ_MS = 8,
    LOCK_MS = 2000, /* as server/programs/node.c has it */
};

static const struct store_batch nothing = {0};

static void try(struct world *world, unsigned at, unsigned part);

static struct held_part *held_of(struct world *world, unsigned at, unsigned part)
{
    return &world->nodes[at].parts[part];
}

void store_post(struct world *world, unsigned at, int64_t in_ms, struct event event)
{
    const int64_t now_ms = world->sim.now_ms;
    int64_t at_ms = now_ms + in_ms + world_between(world, 0, SEND_MS);
    if (at_ms < world->sent_db_ms[at])
        at_ms = world->sent_db_ms[at];
    if (in_ms == 0) /* what waits is sent later, too */
        world->sent_db_ms[at] = at_ms;
    world_post(world, at, AT_DATABASE, at_ms - now_ms, event);
}

static void post_database(struct world *world, unsigned at, enum what what, uint64_t id)
{
    store_post(world, at, 0, (struct event){.c = (int)what, .b = id});
}

static void post_self(struct world *world, unsigned at, unsigned part, int64_t in_ms,
                      enum what what, uint64_t id)
{
    world_post(world, at, at, in_ms, (struct event){.c = (int)what, .a = part, .b = id});
}

/* ---- to its end */

/* What was said to be durable is not: the server must say so, and stop. */
static void found_lost(struct world *world, unsigned at, unsigned part)
{
    const struct held_part *held = held_of(world, at, part);
    if (!held->lost)
        sim_fail(&world->sim, "part %u: node %u finds that batches were lost", part, at);
    node_mark(SEEN_LOSS_DETECTED);
}

static void done(struct world *world, unsigned at, unsigned part, enum store_result result)
{
    struct held_part *held = held_of(world, at, part);
    const int64_t now_ms = node_ms(world, &world->nodes[at]);
    held->batch = held->now = NULL;
    held->tx = 0;
    if (result == STORE_OK)
        held->proven_ms = held->begun_ms;
    if (world->lost)
        check_lost(world); /* the answer may be older than that */
    sim_trace(&world->sim, &result, sizeof result);
    node_enter(world);
    hub_batch_done(held->hub, result, 1000, now_ms);
    node_exit(world);
    const enum store_result why = hub_stopped(held->hub);
    if (why == STORE_CORRUPT)
        found_lost(world, at, part);
    if (why == STORE_OK)
        return;
    node_mark(SEEN_WOKE_FENCED);
    if (world->db.tables[part].row.term > held->term)
        node_mark(SEEN_TAKEN_OVER);
    part_end(world, at, part, why);
}

static void settled(struct held_part *held)
{
    held->done_number = held->number;
    held->given_up = false;
}

static void give_up(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    held->given_up = world_mutant != MUTANT_LOST_IS_FAILED;
    if (!held->given_up)
        held->done_number++;
    node_mark(SEEN_GIVEN_UP);
    done(world, at, part, held->confirming ? STORE_FENCED : STORE_FAILED);
}

/* One more, which waits for the standby. */
static void confirm(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    node_mark(SEEN_WARNED);
    settled(held);
    if (world_mutant == MUTANT_NO_CONFIRM) {
        done(world, at, part, STORE_OK);
        return;
    }
    held->number++;
    held->now = &nothing;
    held->confirming = held->doubtful = true;
    held->doubtful_ms = world->sim.now_ms;
    try(world, at, part);
}

static void lost(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    held->conn = held->tx = 0;
    if (!held->doubtful)
        held->doubtful_ms = world->sim.now_ms;
    held->doubtful = true;
    node_mark(SEEN_ANSWER_LOST);
    if (world_mutant == MUTANT_LOST_IS_DONE) {
        settled(held);
        done(world, at, part, STORE_OK);
    } else {
        try(world, at, part);
    }
}

/* What is to be confirmed was said to nobody: that may have been all that was lost. */
static void behind(struct world *world, unsigned at, unsigned part)
{
    done(world, at, part, held_of(world, at, part)->confirming ? STORE_FENCED : STORE_CORRUPT);
}

/* ---- on its way */

static void send(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    const struct tx *tx = database_tx(world, held, at, part, held->now, held->number);
    held->tx = tx->id;
    post_database(world, at, DB_SEND, tx->id);
    post_self(world, at, part, world_between(world, 0, SEND_MS), NODE_REST, tx->id);
    post_self(world, at, part, UNHEARD_MS, NODE_UNHEARD, tx->id);
    post_self(world, at, part, ANSWER_MS, NODE_LATE, tx->id);
    if (world_mutant == MUTANT_ANSWER_EARLY && held->now == held->batch) {
        settled(held);
        done(world, at, part, STORE_OK);
    }
}

static void not_now(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    if (!held->doubtful)
        done(world, at, part, held->confirming ? STORE_FENCED : STORE_FAILED);
    else if (world->sim.now_ms - held->doubtful_ms >= SETTLE_MS)
        give_up(world, at, part);
    else
        post_self(world, at, part, RETRY_MS, NODE_RETRY, (uint64_t)held->number);
}

static void try(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    if (held->conn) {
        send(world, at, part);
        return;
    }
    if (held->connecting)
        return;
    const bool late = held->locked_out_ms && world->sim.now_ms - held->locked_out_ms >= LOCK_MS;
    held->connecting = true;
    held->connecting_conn = database_conn(world, at, part, held->term);
    store_post(world, at, 0,
               (struct event){.c = DB_CONNECT, .b = held->connecting_conn, .len = late});
    post_self(world, at, part, CONNECT_MS, NODE_CONNECTED, held->connecting_conn);
}

static void note_lock(const struct world *world, struct held_part *held, const struct event *event)
{
    const bool out = event->from == AT_DATABASE && event->len == ANSWER_OK + 1;
    if (!out)
        held->locked_out_ms = 0;
    else if (held->locked_out_ms == 0)
        held->locked_out_ms = world->sim.now_ms;
}

/* `len`: 0 it is there, or 1 and why not. Without an answer the same event comes from itself. */
static void connected(struct world *world, const struct event *event)
{
    const unsigned at = event->at, part = event->a;
    struct held_part *held = held_of(world, at, part);
    const bool ours = held->hub && held->connecting && held->connecting_conn == event->b;
    if (!ours) {
        if (event->from == AT_DATABASE && event->len == 0)
            post_database(world, at, DB_CLOSE, event->b);
        return;
    }
    held->connecting = false;
    note_lock(world, held, event);
    if (event->from == AT_DATABASE && event->len == 0)
        held->conn = event->b;
    if (!held->batch)
        return;
    if (held->conn)
        send(world, at, part);
    else if (event->len == ANSWER_FENCED + 1)
        done(world, at, part, STORE_FENCED);
    else if (event->len == ANSWER_BEHIND + 1)
        behind(world, at, part);
    else
        not_now(world, at, part);
}

static void copy_results(const struct held_part *held, const struct tx *tx)
{
    for (size_t i = 0; held->now == held->batch && i < held->batch->count; i++)
        held->batch->results[i] = tx->batch.results[i];
}

/* The one with the same number that was written. */
static const struct tx *written_before(const struct database *db, const struct tx *tx)
{
    uint64_t id = tx->id - 1;
    while (id > 0 && !(db->txs[id]->part == tx->part && db->txs[id]->term == tx->term &&
                       db->txs[id]->number == tx->number && db->txs[id]->shown))
        id--;
    assert(id > 0 && "else the number was not written");
    return db->txs[id];
}

static void answered(struct world *world, const struct event *event)
{
    const unsigned at = event->at, part = event->a;
    struct held_part *held = held_of(world, at, part);
    const struct tx *tx = world->db.txs[event->b];
    if (!held->hub || !held->batch || held->tx != tx->id)
        return;
    held->tx = 0;
    switch (tx->answer) {
    case ANSWER_OK:
        if (held->lost && !tx->gone) /* else the answer is older than that */
            sim_fail(&world->sim, "part %u: node %u goes on though batches were lost", part, at);
        if (held->doubtful)
            node_mark(SEEN_NOT_YET);
        copy_results(held, tx);
        if (tx->warned && world_mutant != MUTANT_NO_WARNING) {
            confirm(world, at, part);
        } else {
            settled(held);
            done(world, at, part, STORE_OK);
        }
        break;
    case ANSWER_ALREADY:
        if (held->given_up) {
            node_mark(SEEN_GIVEN_UP_FENCED);
            done(world, at, part, STORE_FENCED);
        } else {
            copy_results(held, written_before(&world->db, tx));
            confirm(world, at, part);
        }
        break;
    case ANSWER_FENCED:
        done(world, at, part, STORE_FENCED);
        break;
    case ANSWER_BEHIND:
        behind(world, at, part);
        break;
    }
}

/* It was not known yet to be there. */
static void connecting_lost(struct world *world, const struct event *event)
{
    struct held_part *held = held_of(world, event->at, event->a);
    held->connecting = false;
    if (held->batch)
        not_now(world, event->at, event->a);
}

static void conn_lost(struct world *world, const struct event *event, bool late)
{
    struct held_part *held = held_of(world, event->at, event->a);
    const bool in_tx = held->tx && world->db.txs[held->tx]->conn == held->conn;
    if (!late && keeper_conn_lost(world, event))
        return;
    if (!late && held->hub && held->connecting && held->connecting_conn == event->b) {
        connecting_lost(world, event);
        return;
    }
    if (!held->hub || (late ? held->tx != event->b : held->conn != event->b))
        return;
    if (late)
        post_database(world, event->at, DB_CLOSE, held->conn);
    held->conn = 0;
    if (held->batch && in_tx)
        lost(world, event->at, event->a);
}

/* ---- from the hub */

static void take_reads(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    char room[ROOM_SPACE];
    while (hub_read_take(held->hub, room)) {
        char *copy = malloc(sizeof room);
        assert(copy);
        memcpy(copy, room, sizeof room);
        world_post(world, at, at, world_between(world, 1, READ_MS),
                   (struct event){.c = NODE_READ, .a = part, .b = held->term, .text = copy});
    }
}

static void take_queries(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    struct store_query query;
    while (hub_query_take(held->hub, &query)) {
        struct store_query *copy = malloc(sizeof *copy);
        assert(copy);
        *copy = query;
        world_post(
            world, at, at, world_between(world, 1, READ_MS),
            (struct event){.c = NODE_QUERY, .a = part, .b = held->term, .text = (char *)copy});
    }
}

void store_take(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = held_of(world, at, part);
    const bool ends = held->state == PART_LEFT && world->sim.now_ms >= held->end_ms;
    take_reads(world, at, part);
    take_queries(world, at, part);
    if (held->batch || ends || !hub_batch_ready(held->hub))
        return;
    held->now = held->batch = hub_batch_take(held->hub);
    held->begun_ms = world->sim.now_ms;
    held->number = held->done_number + 1;
    held->doubtful = held->confirming = false;
    try(world, at, part);
}

/* A mutant answers for what is asked for by people, not for letters. */
static void query_done(struct model_store *store, const struct held_part *held,
                       struct store_query *query, unsigned parts, int64_t now_ms)
{
    const bool guests = query->table == &guest_word_table;
    store->ends_pages = guests && world_mutant == MUTANT_PAGE_ENDS;
    query->behind &= !(guests && world_mutant == MUTANT_PAGE_AGAIN);
    if (guests && world_mutant == MUTANT_PAGE_OF_PART)
        query->parts = parts;
    model_query(store, held->hub, query, now_ms);
}

static void read_done(struct world *world, const struct event *event)
{
    struct held_part *held = held_of(world, event->at, event->a);
    const int64_t now_ms = node_ms(world, &world->nodes[event->at]);
    struct model_store *store =
        world->lost ? &world->db.tables[event->a].seen : &world->db.tables[event->a].safe;
    if (!held->hub || held->term != event->b)
        return;
    if (event->c == NODE_READ)
        model_read(store, held->hub, event->text, now_ms);
    else
        query_done(store, held, (struct store_query *)(void *)event->text, world->parts, now_ms);
}

void store_event(struct world *world, const struct event *event)
{
    const struct held_part *held = held_of(world, event->at, event->a);
    switch (event->c) {
    case NODE_CONNECTED:
        connected(world, event);
        break;
    case NODE_ANSWER:
        answered(world, event);
        break;
    case NODE_REST:
        post_database(world, event->at, DB_REST, event->b);
        break;
    case NODE_UNHEARD:
        if (held->tx == event->b && held->conn && conn_unheard(world, held->conn))
            conn_lost(world, event, true);
        break;
    case NODE_LATE:
        conn_lost(world, event, true);
        break;
    case NODE_RETRY:
        if (held->batch && !held->conn && (uint64_t)held->number == event->b)
            try(world, event->at, event->a);
        break;
    case NODE_CONN_LOST:
        conn_lost(world, event, false);
        break;
    default:
        read_done(world, event);
        break;
    }
}
