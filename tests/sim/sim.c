#include "sim.h"

#include "../support/failing_alloc.h"
#include "mutants.h"
#include <assert.h>
#include <cards.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHAOS_MS = 400,
    HOUR_MS = 3600000,
    LEAP_MS = 30 * HOUR_MS,
    LETTERS_MS = 90000, /* longer than ORDER_MS of playing.c */
    CALM_STEPS_MAX = 300000,
    DOWN_MAX_MS = 30000,
    BUSY_WIRES = 14, /* the first ones are taken first */
};

/* ---- the hub */

static void hub_random(void *ctx, void *bytes, size_t len)
{
    struct sim *sim = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        at[i] = (unsigned char)rng_next(&sim->rng);
}

void hub_begin(struct sim *sim)
{
    if (!sim->calm && sim_chance(sim, sim->faults.memory)) {
        int64_t nth = rng_between(&sim->rng, 1, 16);
        failing_alloc_arm((uint64_t)nth, sim_chance(sim, 200));
    }
    failing_alloc_enter();
}

static void plan_tick(struct sim *sim)
{
    int64_t due_ms = hub_deadline_ms(sim->hub);
    if (due_ms == INT64_MAX || due_ms >= sim->tick_ms)
        return;
    sim->tick_ms = due_ms;
    sim_schedule(sim, due_ms > sim->now_ms ? due_ms - sim->now_ms : 0,
                 (struct event){.kind = EVENT_TICK});
}

void hub_end(struct sim *sim)
{
    bool failed;
    failing_alloc_leave();
    failing_alloc_disarm(&failed);
    if (failed)
        mark(MARK_NO_MEMORY);
    disk_take(sim);
    wires_drain(sim);
    disk_take(sim);
    documents_fetch(sim);
    annuls_fetch(sim);
    thinkers_take(sim);
    plan_tick(sim);
    check_always(sim);
}

void sim_start(struct sim *sim)
{
    struct hub_env env = {.random = hub_random,
                          .ctx = sim,
                          .server = "sim 1",
                          .games = test_games,
                          .features = guests_features(),
                          .accounts = HUB_ACCOUNTS_OPEN,
                          .chat = sim->talks ? HUB_CHAT_EVERYBODY : HUB_CHAT_OFF,
                          .parts = 1};
    if (sim->hub)
        return;
    sim->hub = hub_create(&sim->config, &env);
    assert(sim->hub);
    sim->starts++;
    sim->tick_ms = INT64_MAX;
    sim->disk.lied = false;
    sim->oracle.guests.ticket = 0;
    disk_start(sim);
    disk_poison(sim);
    if (sim->rated && sim->starts == 1)
        measured_begin(sim);
    if (sim->rated)
        measured_leave(sim);
    int restored = model_restore(&sim->store, sim->hub, sim->now_ms);
    if (restored != 0)
        sim_fail(sim, "the store cannot be restored: %d", restored);
    documents_restored(sim);
    thinkers_start(sim);
    hub_begin(sim);
    hub_end(sim);
}

/* Only another server reads a room again that the store has refused too often. */
static bool is_any_set_apart(const struct sim *sim)
{
    const char *id, *why;
    return sim->hub && hub_damaged_at(sim->hub, 0, &id, &why);
}

void sim_crash(struct sim *sim)
{
    if (!sim->hub)
        return;
    mark(MARK_CRASH);
    if (is_any_set_apart(sim))
        mark(MARK_ROOM_SET_APART);
    sim_log(sim, "crash");
    wires_lost(sim);
    disk_lost(sim);
    annuls_lost(sim);
    hub_destroy(sim->hub);
    sim->hub = NULL;
    sim_schedule(sim, rng_between(&sim->rng, 1, DOWN_MAX_MS), (struct event){.kind = EVENT_START});
}

/* ---- what goes wrong */

/* ---- the guest book */

static void ask_for_words(struct sim *sim)
{
    struct guests *guests = &sim->oracle.guests;
    struct hub_http_answer answer;
    uint64_t ticket = 0;
    if (guests->ticket)
        return;
    if (hub_get_from(6, sim->hub, guests_page, sim->now_ms, &answer, &ticket))
        hub_http_release(&answer); /* not now */
    else
        guests_asked(guests, ticket);
}

static bool take_words(struct sim *sim, uint64_t ticket, struct hub_http_answer *answer)
{
    struct guests *guests = &sim->oracle.guests;
    if (ticket != guests->ticket)
        return false;
    guests->ticket = 0;
    const char *wrong =
        answer->status == 200 ? guests_check_page(guests, answer->body, answer->len) : NULL;
    if (wrong)
        sim_fail(sim, "%s", wrong);
    hub_http_release(answer);
    return true;
}

static uint64_t any_session(struct sim *sim)
{
    const struct letters *letters = &sim->oracle.letters;
    return letters->session_count > 0
               ? letters->sessions[rng_scaled(&sim->rng, (unsigned)letters->session_count)]
               : 0;
}

static void write_guest_book(struct sim *sim)
{
    const uint64_t session = any_session(sim), whom = any_session(sim);
    if (!sim->hub || session == 0)
        return;
    hub_begin(sim);
    hub_tick(sim->hub, sim->now_ms);
    if (sim_chance(sim, 300))
        ask_for_words(sim);
    else if (sim_chance(sim, 500))
        guests_leave(&sim->oracle.guests, &sim->rng, sim->hub, session);
    else
        guests_greet(&sim->oracle.guests, &sim->rng, sim->hub, session, whom);
    hub_end(sim);
}

static void chaos(struct sim *sim)
{
    if (sim->calm)
        return;
    sim_schedule(sim, rng_between(&sim->rng, 1, CHAOS_MS), (struct event){.kind = EVENT_CHAOS});
    disk_chaos(sim);
    documents_want(sim);
    if (sim->rated)
        annuls_want(sim);
    if (sim->guests)
        write_guest_book(sim);
    if (sim_chance(sim, sim->faults.cut))
        wire_cut(sim, rng_scaled(&sim->rng, SIM_WIRES));
    if (sim_chance(sim, sim->faults.stall))
        wire_stall(sim, rng_scaled(&sim->rng, BUSY_WIRES));
    if (sim_chance(sim, sim->faults.jump)) {
        mark(MARK_TIME_JUMP);
        sim->now_ms += rng_between(&sim->rng, HOUR_MS, 60 * (int64_t)HOUR_MS);
    }
    if (sim_chance(sim, sim->faults.crash))
        sim_crash(sim);
}

static void take_page(struct sim *sim, struct hub_http_answer *answer)
{
    sim_trace(sim, answer->body, answer->len);
    check_page(sim, answer->body, answer->len);
    thinkers_look(answer->body, answer->len);
    hub_http_release(answer);
}

void sim_look_at_pages(struct sim *sim)
{
    char record[32];
    struct hub_http_answer answer;
    uint64_t ticket;
    (void)snprintf(record, sizeof record, "/api/records/%s",
                   sim->open_rooms[rng_scaled(&sim->rng, 8)]);
    const char *const pages[] = {"/api/rooms", "/metrics", "/.well-known/taluva-keys.json", record};
    if (!sim->hub)
        return;
    hub_begin(sim);
    if (hub_get_from(5, sim->hub, pages[rng_scaled(&sim->rng, 4)], sim->now_ms, &answer, &ticket))
        take_page(sim, &answer);
    else if (sim_chance(sim, 200))
        hub_http_cancel(sim->hub, ticket);
    hub_end(sim);
    while (hub_http_next(sim->hub, &ticket, &answer)) {
        mark(MARK_HTTP_WAITED);
        if (take_words(sim, ticket, &answer))
            continue;
        take_page(sim, &answer);
    }
}

/* ---- a step */

/* A server that wakes again for what it cannot do now would have the processor for itself. */
static void check_ticks(struct sim *sim)
{
    sim->ticks_now = sim->ticked_ms == sim->now_ms ? sim->ticks_now + 1 : 1;
    sim->ticked_ms = sim->now_ms;
    if (sim->ticks_now > TICKS_AT_ONCE)
        sim_fail(sim, "the hub is due again at once, %u times", sim->ticks_now);
}

static void tick(struct sim *sim)
{
    if (!sim->hub || sim->now_ms < sim->tick_ms)
        return; /* one that was planned before a crash, or for later than another */
    sim->tick_ms = INT64_MAX;
    hub_begin(sim);
    hub_tick(sim->hub, sim->now_ms);
    hub_end(sim);
    check_ticks(sim);
}

static void carry_out(struct sim *sim, const struct event *event)
{
    switch (event->kind) {
    case EVENT_THINK:
        client_think(sim, &sim->clients[event->a]);
        break;
    case EVENT_UP:
    case EVENT_DOWN:
    case EVENT_CLOSED:
    case EVENT_GONE:
    case EVENT_UNSTALL:
        wire_event(sim, event);
        break;
    case EVENT_COMMIT:
    case EVENT_READ:
    case EVENT_QUERY:
    case EVENT_PACE:
        disk_event(sim, event);
        break;
    case EVENT_TICK:
        tick(sim);
        break;
    case EVENT_CHAOS:
        chaos(sim);
        break;
    case EVENT_START:
        sim_start(sim);
        break;
    case EVENT_HTTP:
        sim_schedule(sim, rng_between(&sim->rng, 100, 5000), (struct event){.kind = EVENT_HTTP});
        sim_look_at_pages(sim);
        break;
    case EVENT_THOUGHT:
        thinkers_event(sim, event);
        break;
    case EVENT_NODES:
        assert(!"an event of several nodes");
    }
}

void sim_step(struct sim *sim)
{
    struct event event = sim_next(sim);
    sim->steps++;
    if (event.at_ms > sim->now_ms)
        sim->now_ms = event.at_ms;
    sim_trace(sim, &event.kind, sizeof event.kind);
    sim_trace(sim, &sim->now_ms, sizeof sim->now_ms);
    if (event.kind == EVENT_UP || event.kind == EVENT_DOWN)
        sim_log(sim, "%s wire %u: %.300s", event.kind == EVENT_UP ? ">" : "<", event.a, event.text);
    carry_out(sim, &event);
    free(event.text);
}

/* ---- a world */

/* Not every fault in every world: some go wrong in one way only. */
static unsigned fault(struct sim *sim, unsigned most)
{
    return sim_chance(sim, 400) ? 0 : rng_scaled(&sim->rng, most + 1);
}

static void make_config(struct sim *sim)
{
    struct hub_config *config = &sim->config;
    hub_config_init(config);
    config->outbox_bytes = 49152;
    config->hello_timeout_ms = 5000;
    config->idle_timeout_ms = 120000;
    config->lobby_idle_ms = 300000;
    config->over_idle_ms = 60000;
    config->abandoned_ms = 600000;
    config->paused_ms = 600000;
    config->visitor_idle_days = 1;
    config->session_idle_days = 2;
    config->connections = 14;
    config->connections_per_address = 3;
    config->sessions = 30;
    config->rooms = 40;
    config->rooms_per_session = 4;
    config->seats_per_session = 6;
    config->resume_pushes = 40;
    config->batch_ops = 40; /* hardly more than what one letter may take */
    config->flood_refusals = 40;
    config->guesses_burst = 5;
    config->think_queue = 1;
    config->think_asks = 1;
    config->think_wait_ms = 1000;
    config->hint_wait_ms = 2000;
    config->analysis_wait_ms = 3000;
    config->think_simulations = 5;
    config->think_alone_per_min = 6;
    config->think_alone_burst = 8;
}

struct sim *sim_create(const struct sim_plan *plan)
{
    struct sim *sim = calloc(1, sizeof *sim);
    assert(sim);
    store_tables_of(guests_features());
    *sim = (struct sim){.plan = *plan,
                        .rng = {plan->seed},
                        .now_ms = SIM_START_MS,
                        .tick_ms = INT64_MAX,
                        .trace = UINT64_C(14695981039346656037)};
    make_config(sim);
    model_init(&sim->store);
    return sim;
}

/*
 * A world in eight, of which the seed itself says so: a draw would make another world of each. What
 * is pushed while a world lasts fills no larger outbox of who does not read.
 */
enum { SMALL_OUTBOX_EACH = 8, SMALL_OUTBOX_AT = 5, SMALL_OUTBOX_BYTES = 20480 };

static bool has_small_outboxes(const struct sim *sim)
{
    return sim->plan.seed % SMALL_OUTBOX_EACH == SMALL_OUTBOX_AT;
}

/* Who lies could take away what others have said. */
static void begin_lobby(struct sim *sim)
{
    sim->talks = true;
    sim->lobby.rng = (struct rng){~sim->plan.seed};
    sim->lobby.spoilt = sim_mutant == SIM_MUTANT_LOBBY_UNTOLD   ? LOBBY_UNTOLD
                        : sim_mutant == SIM_MUTANT_LOBBY_NUMBER ? LOBBY_OTHER_NUMBER
                        : sim_mutant == SIM_MUTANT_LOBBY_STAYS  ? LOBBY_STAYS
                                                                : LOBBY_WELL;
    sim->config.chat_age_ms = 0;
    for (unsigned i = 0; i < sim->client_count; i++) {
        if (sim->clients[i].kind == CLIENT_LIAR)
            sim->clients[i].kind = CLIENT_HONEST;
    }
}

static void populate(struct sim *sim)
{
    sim->faults = (struct faults){.cut = fault(sim, 300),
                                  .stall = fault(sim, 150),
                                  .crash = fault(sim, 25),
                                  .jump = fault(sim, 4),
                                  .memory = fault(sim, 60),
                                  .disk = fault(sim, 60),
                                  .fence = fault(sim, 4),
                                  .refuse = fault(sim, 60),
                                  .lie = 200 + fault(sim, 800),
                                  .think = fault(sim, 600),
                                  .poison = 200};
    sim->rated = sim->plan.seed % RATED_EACH == RATED_AT;
    sim->teams = sim_has_teams(sim);
    sim->client_count = 4 + rng_scaled(&sim->rng, SIM_CLIENTS - 3);
    if (sim->teams && sim->client_count < TEAMS_CLIENTS)
        sim->client_count = TEAMS_CLIENTS;
    const unsigned honest = sim->teams ? TEAMS_CLIENTS - 2 : 3;
    for (unsigned i = 0; i < sim->client_count; i++) {
        struct client *client = &sim->clients[i];
        *client = (struct client){.index = i, .wire = -1};
        client->kind =
            i < honest ? CLIENT_HONEST : (enum client_kind)rng_scaled(&sim->rng, CLIENT_KINDS);
        client->next_id = rng_between(&sim->rng, 1, 1000000);
        sim_schedule(sim, rng_between(&sim->rng, 0, 2000),
                     (struct event){.kind = EVENT_THINK, .a = i});
    }
    sim->thinkers = sim_chance(sim, 150) ? 0 : (unsigned)rng_between(&sim->rng, 1, SIM_THINKERS);
    if (sim_chance(sim, 200))
        sim->config.think_queue = 0; /* of moves; hints and analyses are made */
    if (sim_chance(sim, 100))
        sim->config.think_asks = 0; /* and these neither */
    sim->guests = sim->plan.seed % GUESTS_EACH == GUESTS_AT;
    if (sim->plan.seed % LOBBY_EACH == LOBBY_AT)
        begin_lobby(sim);
    if (sim->teams)
        sim->config.accept_ms = TEAMS_ACCEPT_MS;
    if (has_small_outboxes(sim))
        sim->config.outbox_bytes = SMALL_OUTBOX_BYTES;
    if (sim_chance(sim, 300))
        sim->config.analysis_bytes = 2000; /* too little to keep one of Taluva */
    sim_schedule(sim, 1000, (struct event){.kind = EVENT_CHAOS});
    sim_schedule(sim, 1000, (struct event){.kind = EVENT_HTTP});
}

void sim_destroy(struct sim *sim)
{
    if (!sim)
        return;
    hub_destroy(sim->hub);
    for (unsigned i = 0; i < sim->client_count; i++)
        client_release(&sim->clients[i]);
    sim_forget(sim);
    documents_release(sim);
    lobby_release(&sim->lobby);
    model_release(&sim->store);
    free(sim);
}

void sim_calm(struct sim *sim)
{
    sim->calm = true;
    sim->disk.mode = DISK_GOOD;
    sim->faults = (struct faults){0};
    for (unsigned i = 0; i < SIM_WIRES; i++) {
        sim->wires[i].stalled = false;
        wire_cut(sim, i);
    }
}

/* What has begun is played to its end, by everybody or without the one who is missing. */
static void play_out(struct sim *sim)
{
    for (uint64_t until = sim->steps + CALM_STEPS_MAX; sim_running_match(sim);) {
        if (sim->steps == until)
            sim_fail(sim, "match %s does not end", sim_running_match(sim));
        if (sim->missing && until - sim->steps < CALM_STEPS_MAX / 2 && sim->steps % 10000 == 0)
            sim->now_ms += LEAP_MS; /* what is waited for in days must not take all of the night */
        if (sim->disk.lied || is_any_set_apart(sim))
            sim_crash(sim); /* only the next server learns what has begun */
        sim_step(sim);
    }
    for (int i = 0; i < 3000; i++)
        sim_step(sim);
    /* That somebody plays no more waits for its beginning, which is sent before it and may be gone.
     */
    for (int64_t until_ms = sim->now_ms + LETTERS_MS;
         sim->oracle.letters.waiting > 0 && sim->now_ms < until_ms;)
        sim_step(sim);
}

uint64_t sim_run(const struct sim_plan *plan)
{
    struct sim *sim = sim_create(plan);
    populate(sim);
    sim_start(sim);
    for (unsigned i = 0; i < plan->steps; i++)
        sim_step(sim);
    sim_calm(sim);
    if (sim_chance(sim, 300))
        sim->missing = &sim->clients[rng_scaled(&sim->rng, sim->client_count)];
    play_out(sim);
    check_at_end(sim);
    uint64_t trace = sim->trace;
    sim_destroy(sim);
    return trace;
}
