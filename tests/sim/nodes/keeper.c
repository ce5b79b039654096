/*
 * A model of the keeper's threads and of what they call: real decisions (holdings.h), and how a
 * part is opened (server/postgres/engine.c, lock.c), given back and closed.
 */
#include "world.h"
#include <assert.h>
#include <cards.h>
#include <registry/registry.h>
#include <site/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEND_MS = 3,
    PATIENCE_MS = 5000,
    UNHEARD_MS = 5000,
    ANSWER_MS = 15000,
    LOCK_MS = 2000, /* as server/programs/node.c has it */
    PAUSE_MS = 50,
    CONNECT_MAX_MS = 2000, /* until a slow connection is there: meanwhile the owner may be back */
    LOAD_MAX_MS = 1500,
    LOAD_QUICK_MS = 200,
    OPENINGS_MAX = 3,
    LEAVE_MS = 500, /* as server/net/parts/parts.c has it */
    END_MS = 5000,  /* net_config.drain_timeout_ms */
};

static const char *const names[NODES] = {"n0", "n1", "n2"};

static void post(struct world *world, unsigned at, enum what what, uint64_t id, size_t len)
{
    store_post(world, at, 0, (struct event){.c = (int)what, .a = at, .b = id, .len = len});
}

static void post_self(struct world *world, unsigned at, unsigned part, int64_t in_ms,
                      enum what what, uint64_t id, size_t len)
{
    world_post(world, at, at, in_ms,
               (struct event){.c = (int)what, .a = part, .b = id, .len = len});
}

void keeper_init(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    node->holdings =
        (struct holdings){.pace = keeper_usual, .self = names[at], .parts = world->parts};
    post_self(world, at, 0, world_between(world, 1, 500), NODE_LOOK, 0, 0);
}

/* ---- opening */

static struct held_part *opened_by(struct world *world, const struct event *event, uint64_t conn)
{
    struct held_part *held = &world->nodes[event->at].parts[event->a];
    return held->state == PART_OPENING && held->conn == conn ? held : NULL;
}

/* Each of its steps has an answer in time, or the connection is lost. */
static void next_step(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    held->steps++;
    post_self(world, at, part, UNHEARD_MS, NODE_DEAF, held->conn, held->steps);
    post_self(world, at, part, ANSWER_MS, NODE_OPEN_LATE, held->conn, held->steps);
}

static void open(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    *held = (struct held_part){.state = PART_OPENING,
                               .conn = database_conn(world, at, part, 0),
                               .lock_until_ms = world->sim.now_ms + LOCK_MS};
    sim_log(&world->sim, "node %u opens part %u", at, part);
    const bool waits = !world->quick && world_chance(world, 250);
    const int64_t in_ms = waits ? world_between(world, 1, CONNECT_MAX_MS) : 0;
    store_post(world, at, in_ms, (struct event){.c = DB_LOCK, .a = at, .b = held->conn});
    next_step(world, at, part);
    faults_opening(world, at, part);
}

static void fail(struct world *world, unsigned at, unsigned part, enum store_result why)
{
    struct held_part *held = &world->nodes[at].parts[part];
    sim_log(&world->sim, "node %u does not get part %u: %d", at, part, (int)why);
    post(world, at, DB_CLOSE, held->conn, 0);
    *held = (struct held_part){0};
    holdings_failed(&world->nodes[at].holdings, part, why, world->sim.now_ms);
}

static void take(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    const struct store_batch none = {0};
    const struct tx *tx = database_tx(world, held, at, part, &none, 0);
    held->tx = tx->id;
    held->begun_ms = world->sim.now_ms;
    store_post(world, at, 0, (struct event){.c = DB_SEND, .b = tx->id});
    store_post(world, at, 0, (struct event){.c = DB_REST, .b = tx->id});
    next_step(world, at, part);
}

/* Is it still as it was when it was decided to take it? */
static bool is_still(const struct postgres_owner *silent, const struct row *row)
{
    return (int64_t)row->term == silent->term && row->batch == silent->batch;
}

/* As lock_take_from: of who is silent still the connection is ended. */
static void wait_for_lock(struct world *world, const struct event *event, struct held_part *held)
{
    const struct row *row = (const struct row *)(const void *)event->text;
    const bool late = world->sim.now_ms >= held->lock_until_ms;
    if (late || !postgres_is_given_up((int64_t)row->term, row->batch))
        post(world, event->at, DB_END_HOLDER, held->conn, late ? 0 : row->term);
    if (late) {
        fail(world, event->at, event->a, STORE_FENCED);
        return;
    }
    store_post(world, event->at, PAUSE_MS,
               (struct event){.c = DB_LOCK, .a = event->at, .b = held->conn});
    next_step(world, event->at, event->a);
}

static void locked(struct world *world, const struct event *event)
{
    struct held_part *held = opened_by(world, event, event->b);
    const struct holdings *holdings = &world->nodes[event->at].holdings;
    const struct row *row = (const struct row *)(const void *)event->text;
    if (!held)
        post(world, event->at, DB_CLOSE, event->b, 0);
    else if (!is_still(&holdings->holding[event->a].silent, row) &&
             world_mutant != MUTANT_TAKES_ANYWAY)
        fail(world, event->at, event->a, STORE_FENCED); /* another was faster */
    else if (event->len)
        take(world, event->at, event->a);
    else
        wait_for_lock(world, event, held);
}

static void taken(struct world *world, const struct event *event)
{
    const struct tx *tx = world->db.txs[event->b];
    struct held_part *held = opened_by(world, event, tx->conn);
    if (!held || held->tx != tx->id)
        return;
    if (tx->warned) { /* perhaps it is not at the standby */
        take(world, event->at, event->a);
        return;
    }
    held->term = tx->term;
    held->tx = 0;
    held->steps++;
    world->db.conns[held->conn].term = tx->term;
    const int64_t most_ms = world->quick ? LOAD_QUICK_MS : LOAD_MAX_MS;
    post_self(world, event->at, event->a, world_between(world, 10, most_ms), NODE_LOADED,
              held->conn, 0);
}

static void open_late(struct world *world, const struct event *event)
{
    const struct held_part *held = opened_by(world, event, event->b);
    if (held && held->steps == event->len)
        fail(world, event->at, event->a, STORE_FAILED);
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
    const int64_t at_ms = world_mutant == MUTANT_GAP_CHARGED ? SIM_START_MS : now_ms;
    if (model_restore(store, held->hub, at_ms) != 0)
        sim_fail(&world->sim, "part %u cannot be restored", part);
    store->epoch = epoch;
}

/* As net/parts.c does it. */
static void set_clock(struct world *world, struct node *node, int64_t known_ms)
{
    const int64_t since_ms = node_ms(world, node);
    node->skew_ms += known_ms - since_ms;
    for (unsigned part = 0; part < world->parts; part++) {
        if (part_speaks(&node->parts[part]))
            hub_clock_set(node->parts[part].hub, since_ms, node_ms(world, node));
    }
}

static void serve(struct world *world, unsigned at, unsigned part)
{
    struct node *node = &world->nodes[at];
    struct held_part *held = &node->parts[part];
    const struct hub_env env = {.random = site_random,
                                .ctx = world,
                                .server = "sim 1",
                                .games = test_games,
                                .features = guests_features(),
                                .accounts = HUB_ACCOUNTS_OPEN,
                                .sign_of_life_ms = POSTGRES_SIGN_MS,
                                .part = part,
                                .parts = world->parts};
    held->hub = hub_create(&world->sim.config, &env);
    assert(held->hub);
    restore(world, held, part, node_ms(world, node));
    if (hub_known_ms(held->hub) > node_ms(world, node)) {
        node_mark(SEEN_CLOCK_BEHIND);
        set_clock(world, node, hub_known_ms(held->hub));
    }
    held->state = PART_SERVED;
    held->proven_ms = held->begun_ms;
    if (world_mutant == MUTANT_SERVED_TWICE)
        held->done_number = world->db.tables[part].row.batch;
    sim_log(&world->sim, "node %u serves part %u, term %llu", at, part,
            (unsigned long long)held->term);
    if (world_mutant != MUTANT_DOCUMENT_UNSHARED &&
        !site_documents_give(node->site, held->hub, node_ms(world, node)))
        sim_fail(&world->sim, "node %u serves part %u without the document", at, part);
    site_serve(node->site, part, held->term, held->hub, node_ms(world, node));
}

static void loaded(struct world *world, const struct event *event)
{
    struct held_part *held = opened_by(world, event, event->b);
    struct holdings *holdings = &world->nodes[event->at].holdings;
    if (!held)
        return;
    const struct keeper_part opened = {.part = event->a, .term = held->term};
    holdings_opened(holdings, event->a, &opened);
    if (holdings->holding[event->a].state == HOLDING_OPENING) {
        serve(world, event->at, event->a);
        holdings_given(holdings, event->a);
    } else { /* it is to go, meanwhile */
        held->state = PART_CLOSING;
    }
}

bool part_speaks(const struct held_part *held)
{
    return held->state == PART_SERVED || held->state == PART_DRAINING;
}

/* ---- giving back */

static void leave_site(struct world *world, unsigned at, unsigned part)
{
    struct node *node = &world->nodes[at];
    if (part_speaks(&node->parts[part]))
        site_leave(node->site, part, node_ms(world, node));
    node->parts[part].state = PART_LEFT;
}

void part_end(struct world *world, unsigned at, unsigned part, enum store_result why)
{
    struct node *node = &world->nodes[at];
    struct held_part *held = &node->parts[part];
    sim_log(&world->sim, "node %u leaves part %u, term %llu: %d", at, part,
            (unsigned long long)held->term, (int)why);
    leave_site(world, at, part);
    hub_destroy(held->hub);
    *held = (struct held_part){.state = PART_CLOSING, .conn = held->conn, .term = held->term};
    holdings_ended(&node->holdings, part, why, world->sim.now_ms);
}

void part_drain(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    if (held->state != PART_SERVED)
        return;
    held->state = PART_DRAINING;
    held->leave_ms = world->sim.now_ms + LEAVE_MS;
    held->end_ms = world->sim.now_ms + END_MS;
    node_mark(SEEN_HANDED_OVER);
    if (held->batch)
        node_mark(SEEN_HANDED_OVER_BUSY);
}

void parts_leave(struct world *world, unsigned at)
{
    const int64_t now_ms = world->sim.now_ms;
    for (unsigned part = 0; part < world->parts; part++) {
        struct held_part *held = &world->nodes[at].parts[part];
        if (held->state == PART_DRAINING && (hub_drained(held->hub) || now_ms >= held->leave_ms))
            leave_site(world, at, part);
        if (held->state != PART_LEFT || held->batch)
            continue;
        if (hub_drained(held->hub))
            part_end(world, at, part, STORE_OK);
        else if (now_ms >= held->end_ms)
            part_end(world, at, part, STORE_FAILED);
    }
}

static void close(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    if (held->conn) {
        post(world, at, DB_RELEASE, held->conn, 0);
        post_self(world, at, part, UNHEARD_MS, NODE_DEAF, held->conn, 0);
        post_self(world, at, part, ANSWER_MS, NODE_RELEASED, held->conn, 0);
    } else {
        *held = (struct held_part){0};
        holdings_closed(&world->nodes[at].holdings, part);
    }
}

static void closed(struct world *world, unsigned at, unsigned part, uint64_t conn)
{
    struct held_part *held = &world->nodes[at].parts[part];
    if (held->state != PART_CLOSING || held->conn != conn)
        return;
    post(world, at, DB_CLOSE, conn, 0);
    held->conn = 0;
    if (world->nodes[at].holdings.holding[part].state == HOLDING_CLOSING)
        close(world, at, part);
}

bool keeper_conn_lost(struct world *world, const struct event *event)
{
    const struct held_part *held = &world->nodes[event->at].parts[event->a];
    if (opened_by(world, event, event->b))
        fail(world, event->at, event->a, STORE_FAILED);
    else if (held->state == PART_CLOSING && held->conn == event->b)
        closed(world, event->at, event->a, event->b);
    else
        return false;
    return true;
}

void keeper_work(struct world *world, unsigned at)
{
    struct holdings *holdings = &world->nodes[at].holdings;
    struct holding *holding;
    while (!world->nodes[at].stopped && (holding = holdings_next(holdings, OPENINGS_MAX))) {
        const unsigned part = (unsigned)(holding - holdings->holding);
        if (holding->state == HOLDING_CLOSING)
            close(world, at, part);
        else
            open(world, at, part);
    }
}

/* ---- looking */

/* As net_lost. */
static void end_lost(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    for (uint64_t lost = holdings_lost(&node->holdings, &node->watch); lost; lost &= lost - 1) {
        const unsigned part = (unsigned)__builtin_ctzll(lost);
        if (!node->parts[part].hub || world_mutant == MUTANT_ROW_IGNORED)
            continue;
        node_mark(SEEN_ROW_TAKEN);
        if (part_speaks(&node->parts[part]))
            site_hold(node->site, part, true, node_ms(world, node));
        part_end(world, at, part, STORE_FENCED);
    }
}

/* Of nodes by their numbers: their places in the look. */
static uint64_t places_of(const struct seen_rows *seen, uint64_t nodes)
{
    uint64_t places = 0;
    size_t place = 0;
    for (unsigned i = 0; i < NODES; i++) {
        if (seen->nodes[i].life)
            places |= (nodes >> i & 1) << place++;
    }
    return places;
}

static uint64_t links_of(const struct node *node)
{
    uint64_t links = 0;
    for (unsigned other = 0; other < NODES; other++)
        links |= (uint64_t)(node->cables[other].link != NULL) << other;
    return links;
}

static void saw(struct world *world, unsigned at, const struct seen_rows *seen)
{
    struct node *node = &world->nodes[at];
    struct membership_look *look = &world->look;
    documents_saw(world, at, seen);
    look->at_ms = world->sim.now_ms;
    look->parts = world->parts;
    look->nodes = 0;
    for (unsigned i = 0; i < NODES; i++) {
        if (!seen->nodes[i].life)
            continue;
        struct membership_node *row = &look->node[look->nodes++];
        *row = seen->nodes[i];
        row->links = places_of(seen, seen->nodes[i].links);
    }
    memcpy(look->part, seen->parts, sizeof seen->parts);
    membership_follow(&node->watch, look);
    documents_looked(world, at);
    if (!node->document.known)
        return;
    int part = holdings_decide(&node->holdings, &node->watch);
    for (; part >= 0; part = holdings_give_next(&node->holdings, &node->watch))
        part_drain(world, at, (unsigned)part);
    end_lost(world, at);
}

static void look(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t now_ms = world->sim.now_ms;
    post_self(world, at, 0, node->holdings.pace.look_ms, NODE_LOOK, 0, 0);
    if (node->leaving || (node->asking && now_ms - node->asked_ms < PATIENCE_MS))
        return;
    const bool beats = now_ms - node->beat_ms >= node->holdings.pace.beat_ms;
    if (beats)
        node->beat_ms = now_ms;
    struct look *said = malloc(sizeof *said);
    assert(said);
    *said =
        (struct look){beats && world_mutant != MUTANT_DOCUMENT_UNSAID ? node->document.held : -1};
    node->asking = true;
    node->asked_ms = now_ms;
    world_post(world, at, AT_DATABASE, world_between(world, 0, SEND_MS),
               (struct event){.c = DB_LOOK,
                              .a = at,
                              .b = node->life,
                              .len = links_of(node) << 1 | beats,
                              .text = (char *)said});
}

void keeper_event(struct world *world, const struct event *event)
{
    switch (event->c) {
    case NODE_LOOK:
        look(world, event->at);
        break;
    case NODE_SAW:
        world->nodes[event->at].asking = false;
        saw(world, event->at, (const struct seen_rows *)(const void *)event->text);
        break;
    case NODE_PUT:
        documents_event(world, event);
        break;
    case NODE_LOCKED:
        locked(world, event);
        break;
    case NODE_TAKEN:
        taken(world, event);
        break;
    case NODE_LOADED:
        loaded(world, event);
        break;
    case NODE_DEAF:
        if (!conn_unheard(world, event->b))
            break;
        open_late(world, event);
        closed(world, event->at, event->a, event->b);
        break;
    case NODE_OPEN_LATE:
        open_late(world, event);
        break;
    default:
        closed(world, event->at, event->a, event->b);
        break;
    }
}
