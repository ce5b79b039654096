/* A model of the keeper: real decisions, and how a part is opened and given back. */
#include "world.h"
#include <assert.h>
#include <cards.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEND_MS = 3, PATIENCE_MS = 5000, LOOK_MS = 250, GAP_MS = 1250, LOAD_MAX_MS = 1500 };
enum { OPEN_MAX_MS = 12000 };

static void post_database(struct world *world, unsigned at, enum what what, uint64_t id)
{
    world_post(world, at, AT_DATABASE, world_between(world, 0, SEND_MS),
               (struct event){.c = (int)what, .a = at, .b = id});
}

/* ---- opening */

static struct held_part *opened_by(struct world *world, const struct event *event, uint64_t conn)
{
    struct held_part *held = &world->nodes[event->at].parts[event->a];
    return held->state == PART_OPENING && held->conn == conn ? held : NULL;
}

static void open(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    const int64_t now_ms = world->sim.now_ms;
    *held = (struct held_part){
        .state = PART_OPENING, .wait_ms = now_ms, .looked_ms = now_ms, .silent_ms = now_ms};
    held->conn = database_conn(world, at, part, 0);
    sim_log(&world->sim, "node %u opens part %u", at, part);
    post_database(world, at, DB_LOCK, held->conn);
}

static void abandon(struct world *world, unsigned at, struct held_part *held)
{
    post_database(world, at, DB_CLOSE, held->conn);
    *held = (struct held_part){0};
}

static void take(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    const struct store_batch none = {0};
    const struct tx *tx = database_tx(world, held, at, part, &none, 0);
    held->tx = tx->id;
    world_post(world, at, AT_DATABASE, SEND_MS, (struct event){.c = DB_SEND, .b = tx->id});
    world_post(world, at, AT_DATABASE, SEND_MS, (struct event){.c = DB_REST, .b = tx->id});
}

/* As lock_await in server/postgres/lock.c. */
static void look_at_holder(struct world *world, const struct event *event, struct held_part *held)
{
    const struct row *row = (const struct row *)(const void *)event->text;
    const int64_t now_ms = world->sim.now_ms;
    if (now_ms - held->looked_ms > GAP_MS || row->batch == 0 || row->term != held->seen_term ||
        row->batch != held->seen_batch)
        held->silent_ms = now_ms;
    held->looked_ms = now_ms;
    held->seen_term = row->term;
    held->seen_batch = row->batch;
    if (now_ms - held->silent_ms >= POSTGRES_SILENT_MS) {
        held->silent_ms = now_ms;
        post_database(world, event->at, DB_END_HOLDER, held->conn);
    }
    world_post(world, event->at, AT_DATABASE, LOOK_MS,
               (struct event){.c = DB_LOCK, .a = event->at, .b = held->conn});
}

static void locked(struct world *world, const struct event *event)
{
    struct held_part *held = opened_by(world, event, event->b);
    if (!held)
        post_database(world, event->at, DB_CLOSE, event->b);
    else if (event->len)
        take(world, event->at, event->a);
    else
        look_at_holder(world, event, held);
}

static void taken(struct world *world, const struct event *event)
{
    const struct tx *tx = world->db.txs[event->b];
    struct held_part *held = opened_by(world, event, tx->conn);
    if (!held || held->tx != tx->id)
        return;
    held->term = tx->term;
    held->tx = 0;
    world->db.conns[held->conn].term = tx->term;
    world_post(world, event->at, event->at, world_between(world, 10, LOAD_MAX_MS),
               (struct event){.c = NODE_LOADED, .a = event->a, .b = held->conn});
}

/* ---- serving */

static void site_random(void *ctx, void *bytes, size_t len)
{
    struct world *world = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        at[i] = (unsigned char)rng_next(&world->sim.rng);
}

static void restore(struct world *world, struct held_part *held, unsigned part, int64_t now_ms)
{
    struct model_store *store = &world->db.tables[part].seen;
    const uint64_t epoch = store->epoch;
    store->epoch = held->term - 1;
    if (model_restore(store, held->hub, now_ms) != 0)
        sim_fail(&world->sim, "part %u cannot be restored", part);
    store->epoch = epoch;
}

void part_serve(struct world *world, unsigned at, unsigned part)
{
    struct node *node = &world->nodes[at];
    struct held_part *held = &node->parts[part];
    const struct hub_env env = {.random = site_random,
                                .ctx = world,
                                .server = "sim 1",
                                .games = test_games,
                                .sign_of_life_ms = POSTGRES_SIGN_MS,
                                .part = part,
                                .parts = world->parts};
    held->hub = hub_create(&world->sim.config, &env);
    assert(held->hub);
    restore(world, held, part, node_ms(world, node));
    if (hub_known_ms(held->hub) > node_ms(world, node)) {
        node_mark(SEEN_CLOCK_BEHIND);
        node->skew_ms += hub_known_ms(held->hub) - node_ms(world, node);
    }
    held->state = PART_SERVED;
    held->proven_ms = world->sim.now_ms;
    if (world_mutant == MUTANT_SERVED_TWICE)
        held->done_number = world->db.tables[part].row.batch;
    sim_log(&world->sim, "node %u serves part %u, term %llu", at, part,
            (unsigned long long)held->term);
    site_serve(node->site, part, held->term, held->hub, node_ms(world, node));
}

void part_end(struct world *world, unsigned at, unsigned part)
{
    struct node *node = &world->nodes[at];
    struct held_part *held = &node->parts[part];
    sim_log(&world->sim, "node %u leaves part %u, term %llu", at, part,
            (unsigned long long)held->term);
    site_leave(node->site, part, node_ms(world, node));
    hub_destroy(held->hub);
    if (held->conn)
        post_database(world, at, DB_CLOSE, held->conn);
    *held = (struct held_part){0};
}

void part_drain(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    held->state = PART_DRAINING;
    node_mark(SEEN_HANDED_OVER);
    if (held->batch)
        node_mark(SEEN_HANDED_OVER_BUSY);
    hub_drain(held->hub, node_ms(world, &world->nodes[at]));
}

void part_drained(struct world *world, unsigned at)
{
    for (unsigned part = 0; part < world->parts; part++) {
        struct held_part *held = &world->nodes[at].parts[part];
        if (held->state == PART_DRAINING && !held->batch && hub_drained(held->hub))
            part_end(world, at, part);
    }
}

/* ---- looking */

static void follow(struct world *world, unsigned at, struct membership_look *look)
{
    struct node *node = &world->nodes[at];
    uint64_t mine = 0;
    char name[8];
    look->at_ms = world->sim.now_ms;
    membership_follow(&node->watch, look);
    for (unsigned part = 0; part < world->parts; part++)
        mine |= (uint64_t)(node->parts[part].state != PART_NONE) << part;
    (void)snprintf(name, sizeof name, "n%u", at);
    const struct membership_plan plan =
        membership_decide(&node->watch, name, mine, POSTGRES_SILENT_MS);
    for (unsigned part = 0; part < world->parts; part++) {
        if (plan.take >> part & 1)
            open(world, at, part);
    }
    if (plan.give_up >= 0 && node->parts[plan.give_up].state == PART_SERVED)
        part_drain(world, at, (unsigned)plan.give_up);
}

static void beat(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t now_ms = world->sim.now_ms;
    world_post(world, at, at, MEMBERSHIP_BEAT_MS, (struct event){.c = NODE_BEAT});
    for (unsigned part = 0; part < world->parts; part++) {
        struct held_part *held = &node->parts[part];
        if (held->state == PART_OPENING && now_ms - held->wait_ms > OPEN_MAX_MS)
            abandon(world, at, held);
    }
    if (node->asking && now_ms - node->asked_ms < PATIENCE_MS)
        return;
    node->asking = true;
    node->asked_ms = now_ms;
    post_database(world, at, DB_BEAT, node->life);
}

void keeper_event(struct world *world, const struct event *event)
{
    switch (event->c) {
    case NODE_BEAT:
        beat(world, event->at);
        break;
    case NODE_SAW:
        world->nodes[event->at].asking = false;
        follow(world, event->at, (struct membership_look *)(void *)event->text);
        break;
    case NODE_LOCKED:
        locked(world, event);
        break;
    case NODE_TAKEN:
        taken(world, event);
        break;
    default:
        if (opened_by(world, event, event->b))
            part_serve(world, event->at, event->a);
        break;
    }
}
