#include "world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCH_MS = 250,
    SETTLE_MS = 12000,       /* of calm: then everything goes on */
    NOTICE_MS = 90000,       /* so long at most until what was lost is noticed */
    CALM_STEPS_MAX = 400000, /* ... and everything that has begun ends */
    SKEW_MS = 5000,
    ANSWER_MS = 15000,  /* so long anything may take */
    RATED_NODES_AT = 1, /* as RATED_AT */
    RATED_TIMES = 2,    /* a match takes longer where people seek one first */
};

enum mutant world_mutant = MUTANT_NONE;

/* ---- events */

int64_t world_between(struct world *world, int64_t from, int64_t to)
{
    return rng_between(&world->sim.rng, from, to);
}

bool world_chance(struct world *world, unsigned in_thousand)
{
    return sim_chance(&world->sim, in_thousand);
}

bool world_reaches(const struct world *world, unsigned from, unsigned at)
{
    return world->blocked_ms[from][at] <= world->sim.now_ms;
}

void world_post(struct world *world, unsigned from, unsigned at, int64_t in_ms, struct event event)
{
    event.from = from;
    event.at = at;
    event.life = at < NODES ? world->nodes[at].life : 0;
    if (event.kind == EVENT_THINK) /* the first of them all */
        event.kind = EVENT_NODES;
    sim_schedule(&world->sim, in_ms, event);
}

/* What comes to a node that is stopped waits for it. */
static void put_off(struct node *node, const struct event *event)
{
    if (node->later_count == node->later_size) {
        node->later_size = node->later_size ? 2 * node->later_size : 32;
        node->later = realloc(node->later, node->later_size * sizeof *node->later);
        assert(node->later);
    }
    node->later[node->later_count++] = *event;
}

static void at_world(struct world *world, const struct event *event)
{
    struct node *node = &world->nodes[event->a % NODES];
    switch (event->c) {
    case WORLD_CHAOS:
        faults_happen(world);
        break;
    case WORLD_WATCH:
        check_owned(world);
        clocks_watch(world, WATCH_MS);
        world_post(world, AT_WORLD, AT_WORLD, WATCH_MS, (struct event){.c = WORLD_WATCH});
        break;
    case WORLD_START:
        if (!node->up && world->division.parts == 0)
            node_start(world, event->a);
        break;
    case WORLD_DIVIDE:
        division_event(world);
        break;
    case WORLD_GO_ON:
        if (node->up && node->stopped && node->stops == event->b)
            node_go_on(world, event->a);
        break;
    default:
        people_event(world, event);
        break;
    }
}

/* False: it has been put off, text and all. */
static bool happen(struct world *world, struct event *event)
{
    struct sim *sim = &world->sim;
    if (world->lost && (event->kind != EVENT_NODES || event->at == AT_PEOPLE))
        return true; /* nobody is there any more */
    if (event->kind == EVENT_THINK) {
        client_think(sim, &sim->clients[event->a]);
        return true;
    }
    if (event->at < NODES &&
        (!world->nodes[event->at].up || world->nodes[event->at].life != event->life))
        return true; /* to a process that is gone */
    if (event->from < PLACES && event->at < PLACES &&
        !world_reaches(world, event->from, event->at)) {
        event->at_ms = world->blocked_ms[event->from][event->at];
        sim_put_back(sim, *event);
        return false;
    }
    if (event->at < NODES && world->nodes[event->at].stopped) {
        put_off(&world->nodes[event->at], event);
        return false;
    }
    if (event->at < NODES)
        node_event(world, event);
    else if (event->at == AT_DATABASE)
        database_event(world, event);
    else if (event->at == AT_PEOPLE)
        people_event(world, event);
    else
        at_world(world, event);
    return true;
}

static void step(struct world *world)
{
    struct sim *sim = &world->sim;
    struct event event = sim_next(sim);
    sim->steps++;
    if (event.at_ms > sim->now_ms)
        sim->now_ms = event.at_ms;
    sim_trace(sim, &event.kind, sizeof event.kind);
    sim_trace(sim, &event.c, sizeof event.c);
    sim_trace(sim, &sim->now_ms, sizeof sim->now_ms);
    if (event.kind == EVENT_UP || event.kind == EVENT_DOWN)
        sim_log(sim, "%s wire %u, node %u: %.300s", event.kind == EVENT_UP ? ">" : "<", event.a,
                sim->wires[event.a].node, event.text);
    if (happen(world, &event))
        free(event.text);
    documents_check(world);
}

/* ---- a world */

static void make_config(struct world *world)
{
    struct hub_config *config = &world->sim.config;
    hub_config_init(config);
    config->hello_timeout_ms = 20000;
    config->idle_timeout_ms = 600000;
    config->lobby_idle_ms = 300000;
    config->over_idle_ms = 60000;
    config->abandoned_ms = 600000;
    config->paused_ms = 600000;
    config->rooms_per_session = 4;
    config->seats_per_session = 6;
    config->resume_pushes = 40;
    config->think_queue = 0;
    config->think_asks = 0;
    world->site_config = site_usual;
    world->site_config.parts = world->parts;
    world->site_config.features = documents_features;
    store_tables_of(guests_features());
    world->site_config.clients = 40;
    if (world_chance(world, 300)) /* then a link that is slow is soon full */
        world->site_config.link_bytes = 6000;
}

struct world *world_create(const struct sim_plan *plan)
{
    struct world *world = calloc(1, sizeof *world);
    assert(world);
    world->sim = (struct sim){.plan = *plan,
                              .rng = {plan->seed},
                              .now_ms = SIM_START_MS,
                              .plain = true,
                              .trace = UINT64_C(14695981039346656037)};
    world->stop_in_pipeline = -1;
    world->parts = (unsigned)world_between(world, 1, PARTS);
    make_config(world);
    database_init(world);
    return world;
}

void world_begin(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        world->nodes[at].system_ms = world_between(world, -SKEW_MS, SKEW_MS);
        world_post(world, AT_WORLD, AT_WORLD, world_between(world, 0, 2000),
                   (struct event){.c = WORLD_START, .a = at});
    }
    world_post(world, AT_WORLD, AT_WORLD, WATCH_MS, (struct event){.c = WORLD_WATCH});
}

static void populate(struct world *world)
{
    struct sim *sim = &world->sim;
    sim->rated = sim->plan.seed % RATED_EACH == RATED_NODES_AT;
    sim->guests = sim->plan.seed % GUESTS_EACH == GUESTS_AT;
    sim->teams = sim_has_teams(sim);
    sim->client_count = sim->teams ? TEAMS_CLIENTS : 4 + rng_scaled(&sim->rng, 5);
    for (unsigned i = 0; i < sim->client_count; i++) {
        struct client *client = &sim->clients[i];
        *client = (struct client){.index = i, .wire = -1};
        client->kind = i == 3 ? CLIENT_REPEATER : i == 4 ? CLIENT_LEAVER : CLIENT_HONEST;
        client->next_id = rng_between(&sim->rng, 1, 1000000);
        sim_schedule(sim, rng_between(&sim->rng, 0, 5000),
                     (struct event){.kind = EVENT_THINK, .a = i});
    }
    world_begin(world);
    faults_init(world);
}

void world_destroy(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        if (world->nodes[at].up)
            node_kill(world, at);
        for (size_t i = 0; i < world->nodes[at].later_count; i++)
            free(world->nodes[at].later[i].text);
        free(world->nodes[at].later);
    }
    for (unsigned i = 0; i < world->sim.client_count; i++)
        client_release(&world->sim.clients[i]);
    database_release(world);
    sim_forget(&world->sim);
    free(world);
}

/* Who comes again is told where it sits. */
static void all_come_again(struct world *world)
{
    for (unsigned i = 0; i < SIM_WIRES; i++)
        wire_cut(&world->sim, i);
}

/* Nothing goes wrong any more; who is down or stopped comes back. */
static int64_t calm(struct world *world)
{
    world->sim.calm = true;
    world->calm_ms = world->sim.now_ms;
    all_come_again(world);
    division_give_up(world);
    const int64_t until_ms = faults_end(world);
    for (unsigned at = 0; at < NODES; at++) {
        if (world->nodes[at].stopped)
            node_go_on(world, at);
        else if (!world->nodes[at].up)
            node_start(world, at);
    }
    return until_ms;
}

void world_pass(struct world *world, int64_t until_ms)
{
    while (world->sim.now_ms < until_ms)
        step(world);
}

static void play_out(struct world *world)
{
    struct sim *sim = &world->sim;
    for (uint64_t until = sim->steps + CALM_STEPS_MAX; sim_running_match(sim); step(world)) {
        if (sim->steps == until)
            sim_fail(sim, "match %s does not end", sim_running_match(sim));
    }
    struct expected expected;
    check_later(world, &expected);
    world_pass(world, sim->now_ms + ANSWER_MS);
    check_ends(world, &expected);
}

uint64_t world_run(const struct sim_plan *plan)
{
    struct world *world = world_create(plan);
    populate(world);
    const unsigned steps = plan->steps * (world->sim.rated ? RATED_TIMES : 1);
    for (unsigned i = 0; i < steps && !world->lost; i++)
        step(world);
    const int64_t calm_ms = calm(world);
    if (world->lost) { /* what clients hold is not there any more: nobody can play on */
        world_pass(world, calm_ms + NOTICE_MS);
        check_noticed(world);
    } else {
        world_pass(world, calm_ms + SETTLE_MS);
        while (world->sim.now_ms - world->trouble_ms < SETTLE_MS)
            step(world);
        check_served(world);
        all_come_again(world); /* the seats in a part that nobody had are left out before */
        play_out(world);
    }
    const uint64_t trace = world->sim.trace;
    world_destroy(world);
    return trace;
}
