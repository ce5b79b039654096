/*
 * Wires: what a client sends arrives later, in order, or never; and the other way round. A wire is
 * cut at any time, and the hub learns of it now or much later. A reader stalls, and the outbox
 * fills.
 */
#include "../support/head_check.h"
#include "sim.h"
#include <assert.h>
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>

enum { DELAY_MAX_MS = 120, HALF_OPEN_MAX_MS = 20000, SERVER_GONE = 1006 };

static bool is_current(const struct wire *wire, const struct event *event)
{
    return wire->generation == event->b;
}

/* Later than whatever was sent before. */
static int64_t arrival(struct sim *sim, int64_t *last_ms)
{
    int64_t at_ms = sim->now_ms + rng_between(&sim->rng, 0, DELAY_MAX_MS);
    if (at_ms < *last_ms)
        at_ms = *last_ms;
    *last_ms = at_ms;
    return at_ms - sim->now_ms;
}

static void plan(struct sim *sim, unsigned index, enum event_kind kind, int64_t in_ms, int code)
{
    sim_schedule(
        sim, in_ms,
        (struct event){.kind = kind, .a = index, .b = sim->wires[index].generation, .c = code});
}

int wire_open(struct sim *sim, unsigned client)
{
    unsigned index = 0;
    while (index < SIM_WIRES && (sim->wires[index].link.open || sim->wires[index].connected))
        index++;
    if (index == SIM_WIRES || !sim->hub)
        return -1;
    struct wire *wire = &sim->wires[index];
    uint64_t generation = wire->generation + 1;
    *wire = (struct wire){.generation = generation, .client = client};
    hub_begin(sim);
    bool refused = hub_link_connect(&wire->link, sim->hub, (uint8_t)(client % 5), sim->now_ms) != 0;
    wire->connected = !refused;
    hub_end(sim);
    if (refused)
        mark(MARK_REFUSED_CONNECTION);
    return refused ? -1 : (int)index;
}

void wire_send(struct sim *sim, unsigned index, const char *text)
{
    struct wire *wire = &sim->wires[index];
    char *copy = malloc(strlen(text) + 1);
    assert(copy && wire->connected);
    memcpy(copy, text, strlen(text) + 1);
    sim_schedule(sim, arrival(sim, &wire->up_ms),
                 (struct event){.kind = EVENT_UP, .a = index, .b = wire->generation, .text = copy});
}

/* The client's end is gone at once; the hub's end when it is noticed. */
void wire_cut(struct sim *sim, unsigned index)
{
    struct wire *wire = &sim->wires[index];
    if (!wire->connected)
        return;
    if (wire->received > wire->replied)
        mark(MARK_CUT_BEFORE_REPLY);
    wire->connected = false;
    bool half_open = wire->link.open && sim_chance(sim, 300);
    if (wire->link.open)
        plan(sim, index, EVENT_GONE,
             half_open ? rng_between(&sim->rng, 0, HALF_OPEN_MAX_MS) : DELAY_MAX_MS, 0);
    client_closed(sim, &sim->clients[wire->client], SERVER_GONE);
}

void wire_stall(struct sim *sim, unsigned index)
{
    struct wire *wire = &sim->wires[index];
    if (!wire->link.open || wire->stalled)
        return;
    wire->stalled = true;
    sim_schedule(sim, rng_between(&sim->rng, 100, 900000),
                 (struct event){.kind = EVENT_UNSTALL, .a = index, .b = wire->generation});
}

void wires_lost(struct sim *sim)
{
    for (unsigned i = 0; i < SIM_WIRES; i++) {
        struct wire *wire = &sim->wires[i];
        if (wire->link.open && wire->connected)
            plan(sim, i, EVENT_CLOSED, rng_between(&sim->rng, 0, DELAY_MAX_MS), SERVER_GONE);
        wire->link.open = false;
    }
}

/* ---- out of the hub */

static void message(void *ctx, size_t at, const unsigned char *bytes, size_t len)
{
    struct sim *sim = ctx;
    const unsigned index = (unsigned)at;
    struct wire *wire = &sim->wires[index];
    char *text = malloc(len + 1);
    assert(text);
    memcpy(text, bytes, len);
    text[len] = '\0';
    json_error_t error;
    json_t *message = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!message)
        sim_fail(sim, "not JSON: %s", text);
    const char *wrong = head_check(hub_output_head(sim->hub, wire->link.peer), message);
    if (wrong)
        sim_fail(sim, "the head has another %s: %s", wrong, text);
    check_outgoing(sim, index, text, len, message);
    json_decref(message);
    sim_trace(sim, text, len);
    if (!wire->connected) {
        free(text);
        return;
    }
    sim_schedule(
        sim, arrival(sim, &wire->down_ms),
        (struct event){.kind = EVENT_DOWN, .a = index, .b = wire->generation, .text = text});
}

static void count_close(int code)
{
    static const struct {
        int code;
        enum mark mark;
    } rows[] = {{4001, MARK_NO_HELLO}, {4002, MARK_SLOW_READER}, {4003, MARK_FLOOD},
                {4004, MARK_IDLE},     {1009, MARK_TOO_LONG},    {1011, MARK_NO_MEMORY_CLOSED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == code)
            mark(rows[i].mark);
    }
}

static void closed(void *ctx, size_t index, int close_code)
{
    struct sim *sim = ctx;
    struct wire *wire = &sim->wires[index];
    count_close(close_code);
    sim_trace(sim, &close_code, sizeof close_code);
    if (wire->connected)
        plan(sim, (unsigned)index, EVENT_CLOSED, arrival(sim, &wire->down_ms), close_code);
}

static struct hub_link *link_at(void *ctx, size_t index)
{
    struct sim *sim = ctx;
    return index < SIM_WIRES ? &sim->wires[index].link : NULL;
}

/* What is to be closed is emptied first, even when its reader has stalled. */
static bool is_reading(void *ctx, size_t index, int close_code)
{
    const struct sim *sim = ctx;
    return !sim->wires[index].stalled || close_code != 0;
}

static struct hub_driver driver_of(struct sim *sim)
{
    return (struct hub_driver){.hub = sim->hub,
                               .ctx = sim,
                               .link_at = link_at,
                               .is_reading = is_reading,
                               .message = message,
                               .closed = closed};
}

void wires_drain(struct sim *sim)
{
    const struct hub_driver driver = driver_of(sim);
    if (!hub_driver_deliver(&driver, sim->now_ms))
        sim_fail(sim, "a peer that nobody knows is ready");
}

/* ---- events */

static void arrive_up(struct sim *sim, unsigned index, const char *text)
{
    struct wire *wire = &sim->wires[index];
    if (!wire->link.open || !wire->connected || !sim->hub)
        return;
    sim_trace(sim, text, strlen(text));
    if (wire->received > wire->replied && sim->disk.batch)
        mark(MARK_PIPELINED);
    wire->received++;
    hub_begin(sim);
    hub_receive(sim->hub, wire->link.peer, text, strlen(text), sim->now_ms);
    hub_end(sim);
}

static void arrive_down(struct sim *sim, const struct wire *wire, const char *text)
{
    json_t *message = json_loads(text, 0, NULL);
    assert(message);
    if (wire->connected)
        client_receive(sim, &sim->clients[wire->client], message);
    json_decref(message);
}

static void gone(struct sim *sim, struct wire *wire)
{
    if (!wire->link.open || !sim->hub)
        return;
    hub_begin(sim);
    hub_link_disconnect(&wire->link, sim->hub, sim->now_ms);
    hub_end(sim);
}

static void unstall(struct sim *sim, unsigned index)
{
    struct wire *wire = &sim->wires[index];
    const struct hub_driver driver = driver_of(sim);
    wire->stalled = false;
    if (wire->link.open && sim->hub)
        hub_driver_read(&driver, index, sim->now_ms);
}

void wire_event(struct sim *sim, const struct event *event)
{
    struct wire *wire = &sim->wires[event->a];
    if (!is_current(wire, event))
        return;
    switch (event->kind) {
    case EVENT_UP:
        arrive_up(sim, event->a, event->text);
        break;
    case EVENT_DOWN:
        arrive_down(sim, wire, event->text);
        break;
    case EVENT_CLOSED:
        if (wire->connected) {
            wire->connected = false;
            client_closed(sim, &sim->clients[wire->client], event->c);
        }
        break;
    case EVENT_GONE:
        gone(sim, wire);
        break;
    case EVENT_UNSTALL:
        unstall(sim, event->a);
        break;
    case EVENT_THINK:
    case EVENT_COMMIT:
    case EVENT_READ:
    case EVENT_QUERY:
    case EVENT_PACE:
    case EVENT_TICK:
    case EVENT_CHAOS:
    case EVENT_START:
    case EVENT_HTTP:
    case EVENT_THOUGHT:
    case EVENT_NODES:
        assert(!"an event of a wire");
    }
}
