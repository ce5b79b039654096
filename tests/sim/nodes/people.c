/* Clients' connections: as ../wire.c, to one of several nodes. */
#include "world.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DELAY_MAX_MS = 40, SERVER_GONE = 1006, PATIENCE_MAX_MS = 15000 };

static int64_t arrival(struct sim *sim, int64_t *last_ms)
{
    int64_t at_ms = sim->now_ms + rng_between(&sim->rng, 0, DELAY_MAX_MS);
    if (at_ms < *last_ms)
        at_ms = *last_ms;
    *last_ms = at_ms;
    return at_ms - sim->now_ms;
}

static struct wire *wire_of(struct sim *sim, const struct event *event)
{
    struct wire *wire = &sim->wires[event->a];
    return wire->generation == event->b ? wire : NULL;
}

/* ---- at the client */

int wire_open(struct sim *sim, unsigned client)
{
    struct world *world = world_of(sim);
    const unsigned at = rng_scaled(&sim->rng, NODES);
    unsigned index = 0;
    while (index < SIM_WIRES && (sim->wires[index].link.open || sim->wires[index].connected))
        index++;
    if (index == SIM_WIRES || !world->nodes[at].up || world->nodes[at].leaving ||
        !world_reaches(world, AT_PEOPLE, at))
        return -1;
    struct wire *wire = &sim->wires[index];
    *wire = (struct wire){.generation = wire->generation + 1,
                          .client = client,
                          .node = at,
                          .life = world->nodes[at].life,
                          .connected = true};
    world_post(world, AT_PEOPLE, at, arrival(sim, &wire->up_ms),
               (struct event){.c = NODE_CONNECT, .a = index, .b = wire->generation});
    return (int)index;
}

void wire_send(struct sim *sim, unsigned index, const char *text)
{
    struct wire *wire = &sim->wires[index];
    struct world *world = world_of(sim);
    char *copy = malloc(strlen(text) + 1);
    assert(copy && wire->connected);
    told_asked(world, &sim->clients[wire->client], text);
    memcpy(copy, text, strlen(text) + 1);
    world_post(world, AT_PEOPLE, wire->node, arrival(sim, &wire->up_ms),
               (struct event){.kind = EVENT_UP, .a = index, .b = wire->generation, .text = copy});
    /* Nobody waits for ever. */
    world_post(
        world, AT_WORLD, AT_WORLD, PATIENCE_MAX_MS,
        (struct event){
            .c = WORLD_IMPATIENT, .a = index, .b = wire->generation, .life = wire->received});
}

void wire_cut(struct sim *sim, unsigned index)
{
    struct wire *wire = &sim->wires[index];
    if (!wire->connected)
        return;
    wire->connected = false;
    world_post(world_of(sim), AT_PEOPLE, wire->node, DELAY_MAX_MS + 1,
               (struct event){.kind = EVENT_GONE, .a = index, .b = wire->generation});
    client_closed(sim, &sim->clients[wire->client], SERVER_GONE);
}

static void impatient(struct world *world, struct wire *wire, unsigned index)
{
    const struct node *node = &world->nodes[wire->node];
    const bool silent = !node->up || node->stopped || node->life != wire->life ||
                        !world_reaches(world, wire->node, AT_PEOPLE) ||
                        !world_reaches(world, AT_PEOPLE, wire->node);
    if (silent && wire->connected)
        wire_cut(&world->sim, index);
}

void people_lost(struct world *world, unsigned at, int code)
{
    struct sim *sim = &world->sim;
    for (unsigned i = 0; i < SIM_WIRES; i++) {
        struct wire *wire = &sim->wires[i];
        if (wire->node != at || wire->life != world->nodes[at].life)
            continue;
        if (wire->connected)
            world_post(
                world, at, AT_PEOPLE, world_between(world, 0, DELAY_MAX_MS),
                (struct event){.kind = EVENT_CLOSED, .a = i, .b = wire->generation, .c = code});
        wire->link.open = false;
    }
}

/* ---- at the node */

static void connect(struct world *world, struct wire *wire, unsigned index)
{
    struct node *node = &world->nodes[wire->node];
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, 10, 0, 0, (uint8_t)wire->client};
    node_enter(world);
    const int code = site_connect(node->site, address, node_ms(world, node), &wire->link.peer);
    node_exit(world);
    wire->link.open = code == 0;
    if (code != 0)
        world_post(
            world, wire->node, AT_PEOPLE, arrival(&world->sim, &wire->down_ms),
            (struct event){.kind = EVENT_CLOSED, .a = index, .b = wire->generation, .c = code});
}

static void disconnect(struct world *world, struct wire *wire)
{
    struct node *node = &world->nodes[wire->node];
    site_disconnect(node->site, wire->link.peer, node_ms(world, node));
    wire->link.open = false;
}

static void message(struct world *world, unsigned index, const unsigned char *bytes, size_t len)
{
    if (world->lost)
        return;
    struct sim *sim = &world->sim;
    struct wire *wire = &sim->wires[index];
    json_error_t error;
    char *text = malloc(len + 1);
    assert(text);
    memcpy(text, bytes, len);
    text[len] = '\0';
    json_t *message = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!message)
        sim_fail(sim, "not JSON: %s", text);
    check_outgoing(sim, index, text, len, message);
    const char *code =
        json_string_value(json_object_get(json_object_get(message, "error"), "code"));
    if (code && strcmp(code, "store_failing") == 0)
        node_mark(SEEN_STORE_FAILING);
    json_decref(message);
    check_owner(world, wire->node, text, len);
    sim_trace(sim, text, len);
    if (!wire->connected) {
        free(text);
        return;
    }
    world_post(world, wire->node, AT_PEOPLE, arrival(sim, &wire->down_ms),
               (struct event){.kind = EVENT_DOWN, .a = index, .b = wire->generation, .text = text});
}

static void read_wire(struct world *world, unsigned index)
{
    struct wire *wire = &world->sim.wires[index];
    struct site *site = world->nodes[wire->node].site;
    const unsigned char *bytes;
    size_t len;
    while ((bytes = site_output(site, wire->link.peer, &len)) != NULL) {
        message(world, index, bytes, len);
        site_sent(site, wire->link.peer);
    }
    const int code = site_close_code(site, wire->link.peer);
    if (code == 0)
        return;
    sim_trace(&world->sim, &code, sizeof code);
    if (wire->connected)
        world_post(
            world, wire->node, AT_PEOPLE, arrival(&world->sim, &wire->down_ms),
            (struct event){.kind = EVENT_CLOSED, .a = index, .b = wire->generation, .c = code});
    disconnect(world, wire);
}

void people_read(struct world *world, unsigned at)
{
    struct hub_peer peer;
    while (site_next_ready(world->nodes[at].site, &peer)) {
        unsigned index = 0;
        while (index < SIM_WIRES &&
               !(world->sim.wires[index].link.open && world->sim.wires[index].node == at &&
                 world->sim.wires[index].link.peer.index == peer.index &&
                 world->sim.wires[index].link.peer.generation == peer.generation))
            index++;
        if (index == SIM_WIRES)
            sim_fail(&world->sim, "a peer that nobody knows is ready");
        read_wire(world, index);
    }
}

/* ---- events */

static void arrive_up(struct world *world, struct wire *wire, const char *text)
{
    struct node *node = &world->nodes[wire->node];
    if (!wire->link.open)
        return;
    sim_trace(&world->sim, text, strlen(text));
    wire->received++;
    check_asked(world, text);
    node_enter(world);
    site_receive(node->site, wire->link.peer, text, strlen(text), node_ms(world, node));
    node_exit(world);
}

static void arrive_down(struct sim *sim, const struct wire *wire, const char *text)
{
    struct client *client = &sim->clients[wire->client];
    json_t *message = json_loads(text, 0, NULL);
    assert(message);
    if (wire->connected) {
        told_received(world_of(sim), client, message);
        client_receive(sim, client, message);
    }
    json_decref(message);
}

static void closed(struct sim *sim, struct wire *wire, int code)
{
    if (!wire->connected)
        return;
    wire->connected = false;
    client_closed(sim, &sim->clients[wire->client], code);
}

void people_event(struct world *world, const struct event *event)
{
    struct wire *wire = wire_of(&world->sim, event);
    if (!wire)
        return;
    if (event->kind == EVENT_UP)
        arrive_up(world, wire, event->text);
    else if (event->kind == EVENT_GONE && wire->link.open)
        disconnect(world, wire);
    else if (event->kind == EVENT_DOWN)
        arrive_down(&world->sim, wire, event->text);
    else if (event->kind == EVENT_CLOSED)
        closed(&world->sim, wire, event->c);
    else if (event->kind == EVENT_NODES && event->c == NODE_CONNECT)
        connect(world, wire, event->a);
    else if (event->kind == EVENT_NODES && event->c == WORLD_IMPATIENT)
        impatient(world, wire, event->a);
}
