/*
 * A process: what its loop does between two looks at its sockets, and how it is killed, stopped
 * and started.
 */
#include "../../support/failing_alloc.h"
#include "world.h"
#include <assert.h>
#include <cards.h>
#include <stdlib.h>
#include <string.h>

enum {
    PULSE_MS = 250,      /* a longer pause counts as that */
    LEAVE_MAX_MS = 6000, /* net_config.drain_timeout_ms, and a farewell */
};

int64_t node_ms(const struct world *world, const struct node *node)
{
    return world->sim.now_ms + node->skew_ms;
}

/* ---- memory */

void node_enter(struct world *world)
{
    if (!world->calm_ms && world_chance(world, world->chances.memory)) {
        const int64_t nth = world_between(world, 1, 16);
        failing_alloc_arm((uint64_t)nth, world_chance(world, 200));
    }
    failing_alloc_enter();
}

void node_exit(struct world *world)
{
    bool failed;
    failing_alloc_leave();
    failing_alloc_disarm(&failed);
    if (!failed)
        return;
    node_mark(SEEN_NO_MEMORY);
    sim_log(&world->sim, "an allocation has failed");
}

/* ---- leases */

static bool may_be_taken(const struct world *world, const struct held_part *part)
{
    return part_speaks(part) && (hub_stopped(part->hub) == STORE_FENCED ||
                                 world->sim.now_ms - part->proven_ms >= POSTGRES_LEASE_MS);
}

static void look_at_leases(struct world *world, struct node *node)
{
    for (unsigned at = 0; at < world->parts; at++) {
        struct held_part *part = &node->parts[at];
        const bool lost = may_be_taken(world, part) && world_mutant != MUTANT_NO_LEASE;
        if (part_speaks(part) && lost != part->lease_lost)
            node_mark(lost ? SEEN_LEASE_LOST : SEEN_LEASE_HELD);
        if (part_speaks(part) && lost != part->lease_lost)
            site_hold(node->site, at, lost, node_ms(world, node));
        part->lease_lost = lost;
    }
}

/* ---- its end */

static void end(struct world *world, unsigned at, int code)
{
    struct node *node = &world->nodes[at];
    people_lost(world, at, code);
    links_lost(world, at);
    site_destroy(node->site);
    node->site = NULL;
    for (unsigned part = 0; part < world->parts; part++)
        hub_destroy(node->parts[part].hub);
    memset(node->parts, 0, sizeof node->parts);
    for (size_t i = 0; i < node->later_count; i++)
        free(node->later[i].text);
    node->later_count = 0;
    node->up = node->stopped = node->leaving = false;
    database_node_gone(world, at);
    sim_log(&world->sim, "node %u is gone", at);
}

/* ---- after each thing that has happened */

static int64_t next_deadline_ms(const struct world *world, const struct node *node)
{
    int64_t due_ms = site_deadline_ms(node->site);
    for (unsigned at = 0; at < world->parts; at++) {
        const struct held_part *part = &node->parts[at];
        const int64_t part_ms = part->hub ? hub_deadline_ms(part->hub) : INT64_MAX;
        /* What is due and cannot be taken from a part without its lease is no reason to look again.
         */
        if (part_ms < due_ms && !(part->lease_lost && part_ms <= part->ticked_ms))
            due_ms = part_ms;
    }
    return due_ms == INT64_MAX ? due_ms : due_ms - node->skew_ms;
}

static void plan_tick(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t now_ms = world->sim.now_ms, due_ms = next_deadline_ms(world, node);
    if (due_ms == INT64_MAX ||
        (node->tick_ms > now_ms && (node->tick_ms <= due_ms || due_ms <= now_ms)))
        return;
    node->tick_ms = due_ms > now_ms ? due_ms : now_ms + 1;
    world_post(world, at, at, node->tick_ms - now_ms, (struct event){.c = NODE_TICK});
}

static void take_all(struct world *world, unsigned at)
{
    for (unsigned part = 0; part < world->parts; part++) {
        if (world->nodes[at].parts[part].hub)
            store_take(world, at, part);
    }
}

static bool is_sending(const struct world *world, const struct node *node)
{
    for (unsigned part = 0; part < world->parts; part++) {
        const uint64_t tx = node->parts[part].tx;
        if (tx && world->db.txs[tx]->state == TX_LOCKED && !world->db.txs[tx]->rest)
            return true;
    }
    return false;
}

void node_settle(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    if (!node->up || node->stopped)
        return;
    take_all(world, at);
    look_at_leases(world, node);
    node_enter(world);
    site_pump(node->site, node_ms(world, node));
    node_exit(world);
    people_read(world, at);
    visits_read(world, at);
    links_send(world, at);
    parts_leave(world, at);
    take_all(world, at);
    keeper_work(world, at);
    plan_tick(world, at);
    if (node->stopped)
        return;
    if (node->leaving && holdings_empty(&node->holdings)) {
        end(world, at, 1012);
        return;
    }
    if (world->stop_in_pipeline == (int)at && is_sending(world, node) && !world->calm_ms) {
        world->stop_in_pipeline = -1;
        node_stop(world, at, world_between(world, 1, 30000));
    }
}

static void tick(struct world *world, struct node *node)
{
    const int64_t now_ms = node_ms(world, node);
    for (unsigned at = 0; at < world->parts; at++) {
        struct held_part *part = &node->parts[at];
        if (!part->hub || (hub_deadline_ms(part->hub) > now_ms && !part->lease_lost))
            continue;
        part->ticked_ms = now_ms;
        node_enter(world);
        hub_tick(part->hub, now_ms);
        node_exit(world);
    }
    node_enter(world);
    if (site_deadline_ms(node->site) <= now_ms)
        site_tick(node->site, now_ms);
    node_exit(world);
}

void node_event(struct world *world, struct event *event)
{
    const unsigned at = event->at;
    const enum what what = event->kind == EVENT_NODES ? (enum what)event->c : NODE_CONNECT;
    look_at_leases(world, &world->nodes[at]);
    if (what == NODE_LOOK) /* as often as the net looks at leases that are lost */
        tick(world, &world->nodes[at]);
    if (event->kind != EVENT_NODES || what == NODE_CONNECT)
        people_event(world, event);
    else if (what == NODE_TICK)
        tick(world, &world->nodes[at]);
    else if (what == NODE_LEAVE_LATE)
        end(world, at, 1006);
    else if (what < NODE_LEAVE_LATE)
        keeper_event(world, event);
    else if (what < NODE_DIAL)
        store_event(world, event);
    else
        links_event(world, event);
    node_settle(world, at);
}

/* ---- its life */

void node_start(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t system_ms = node->system_ms;
    if (node->life > 0)
        node_mark(SEEN_RESTARTED);
    free(node->later);
    *node = (struct node){
        .up = true, .life = ++world->next_life, .skew_ms = system_ms, .system_ms = system_ms};
    world->sim.starts++;
    node->site = site_create(&world->site_config);
    assert(node->site);
    sim_log(&world->sim, "node %u is started", at);
    documents_start(node);
    keeper_init(world, at);
    links_start(world, at);
}

void node_kill(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    node_mark(SEEN_KILLED);
    sim_log(&world->sim, "node %u is killed", at);
    for (unsigned part = 0; part < world->parts; part++) {
        if (node->parts[part].batch && node->parts[part].batch->count > 0)
            node_mark(SEEN_KILLED_IN_COMMIT);
    }
    end(world, at, 1006);
}

/* Its parts are given back, and then it ends; or it ends when it has taken too long. */
void node_leave(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    sim_log(&world->sim, "node %u is asked to end", at);
    node_mark(SEEN_LEFT);
    node->leaving = true;
    world_post(world, at, AT_DATABASE, 1, (struct event){.c = DB_LEAVE, .a = at, .b = node->life});
    world_post(world, at, at, LEAVE_MAX_MS, (struct event){.c = NODE_LEAVE_LATE});
    holdings_leave(&node->holdings, false);
    for (unsigned part = 0; part < world->parts; part++) {
        if (node->parts[part].state == PART_SERVED && node->parts[part].batch)
            node_mark(SEEN_LEFT_BUSY);
        part_drain(world, at, part);
    }
    node_settle(world, at);
}

void node_stop(struct world *world, unsigned at, int64_t ms)
{
    struct node *node = &world->nodes[at];
    node->stopped = true;
    node->stopped_ms = world->sim.now_ms;
    node_mark(SEEN_STOPPED);
    for (unsigned part = 0; part < world->parts; part++) {
        const uint64_t tx = node->parts[part].tx;
        if (tx && !world->db.txs[tx]->rest)
            node_mark(SEEN_STOPPED_IN_PIPELINE);
    }
    sim_log(&world->sim, "node %u is stopped for %lld ms", at, (long long)ms);
    for (unsigned other = 0; other < NODES; other++) {
        if (other != at)
            links_deaf(world, other, at, ms);
    }
    world_post(world, AT_WORLD, AT_WORLD, ms,
               (struct event){.c = WORLD_GO_ON, .a = at, .b = ++node->stops});
}

/* What has come meanwhile is found in its order; the clock leaves out that it stood still. */
void node_go_on(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t pause_ms = world->sim.now_ms - node->stopped_ms;
    struct event *later = node->later;
    const size_t count = node->later_count;
    sim_log(&world->sim, "node %u goes on", at);
    node->stopped = false;
    node->tick_ms = 0;
    if (pause_ms > 2 * PULSE_MS)
        node->skew_ms -= pause_ms - PULSE_MS;
    node->later = NULL;
    node->later_count = node->later_size = 0;
    for (size_t i = 0; i < count; i++) {
        if (node->up && node->life == later[i].life)
            node_event(world, &later[i]);
        free(later[i].text);
    }
    free(later);
    node_settle(world, at);
}
