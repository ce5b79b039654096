/*
 * Any bytes, as what happens to two nodes of a site with a link between them: clients come, act and
 * go, parts change hands, the link is slow or lost; and frames come over it that nobody has sent,
 * cut off, changed, or twice. Both nodes are whole: sites, hubs and models of their stores.
 *
 * Three bytes are one event: what, and two numbers for it; a frame of the input's own follows.
 */
#include "../support/model_store.h"
#include "fuzz.h"
#include "links/link_out.h"
#include "parts/port.h"
#include "site_private.h"
#include <cards.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 2,
    PARTS = 4,
    CLIENTS = 4, /* of each node */
    EVENTS_MAX = 200,
    ROUNDS_MAX = 20000,
    LINK_BYTES = 16384,
    HELD_BYTES = 65536,
    TEXT_MAX = 600,
    ROOMS = 4,
};

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* What happens to the next frame that a node sends. */
struct fault {
    enum { FAULT_NONE, FAULT_CHANGED, FAULT_CUT, FAULT_TWICE, FAULT_LOST } kind;
    unsigned where, value;
};

struct node {
    struct site *site;
    struct site_link *link;
    bool deaf; /* nothing that it sends is taken */
    struct fault fault;
    struct hub_peer peers[CLIENTS];
    bool open[CLIENTS];
};

struct place {
    struct model_store store;
    struct hub *hub;
    unsigned node;
    uint64_t term, random;
};

struct world {
    struct node nodes[NODES];
    struct place places[PARTS];
    struct hub_config config;
    int64_t now_ms, last_id;
    char rooms[ROOMS][PROTOCOL_ROOM_BYTES + 1], token[PROTOCOL_TOKEN_BYTES + 1];
    unsigned next_room;
};

struct tape {
    const uint8_t *at;
    size_t left;
};

static unsigned pull(struct tape *tape)
{
    if (tape->left == 0)
        return 0;
    tape->left--;
    return *tape->at++;
}

/* ---- parts */

static void fill_random(void *ctx, void *bytes, size_t len)
{
    struct place *place = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        place->random = place->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        at[i] = (unsigned char)(place->random >> 56);
    }
}

static void serve(struct world *world, unsigned part, unsigned node)
{
    struct place *place = &world->places[part];
    const struct hub_env env = {.random = fill_random,
                                .ctx = place,
                                .server = "test 1",
                                .games = test_games,
                                .features = registry,
                                .part = part,
                                .parts = PARTS};
    place->hub = hub_create(&world->config, &env);
    HOLD(place->hub && model_restore(&place->store, place->hub, world->now_ms) == 0);
    place->node = node;
    site_serve(world->nodes[node].site, part, ++place->term, place->hub, world->now_ms);
}

static void leave(struct world *world, unsigned part)
{
    struct place *place = &world->places[part];
    site_leave(world->nodes[place->node].site, part, world->now_ms);
    hub_destroy(place->hub);
    place->hub = NULL;
}

static void join(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        world->nodes[at].link = site_link_open(world->nodes[at].site, world->now_ms);
        HOLD(world->nodes[at].link);
        world->nodes[at].fault.kind = FAULT_NONE;
        world->nodes[at].deaf = false;
    }
}

static void cut(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++)
        site_link_close(world->nodes[at].link, world->now_ms);
}

static void begin(struct world *world)
{
    struct site_config config = site_usual;
    *world = (struct world){.now_ms = INT64_C(1790000000000), .last_id = 1};
    hub_config_init(&world->config);
    world->config.connections = NODES * CLIENTS;
    config.parts = PARTS;
    config.features = registry;
    store_tables_of(registry);
    config.clients = CLIENTS;
    config.link_bytes = LINK_BYTES;
    config.held_bytes = HELD_BYTES;
    for (unsigned at = 0; at < NODES; at++) {
        world->nodes[at].site = site_create(&config);
        HOLD(world->nodes[at].site);
    }
    join(world);
    for (unsigned part = 0; part < PARTS; part++) {
        model_init(&world->places[part].store);
        world->places[part].random = part;
        serve(world, part, part / 2);
    }
    for (unsigned room = 0; room < ROOMS; room++)
        (void)snprintf(world->rooms[room], sizeof world->rooms[room], "0%u000000", room);
}

static void end(struct world *world)
{
    cut(world);
    for (unsigned at = 0; at < NODES; at++) {
        for (unsigned client = 0; client < CLIENTS; client++) {
            if (world->nodes[at].open[client])
                site_disconnect(world->nodes[at].site, world->nodes[at].peers[client],
                                world->now_ms);
        }
    }
    for (unsigned part = 0; part < PARTS; part++) {
        leave(world, part);
        model_release(&world->places[part].store);
    }
    for (unsigned at = 0; at < NODES; at++)
        site_destroy(world->nodes[at].site);
}

/* ---- clients */

/* What is behind `key` in a message of a client, if it is as long. */
static void note(const unsigned char *bytes, size_t len, const char *key, char *to, size_t size)
{
    const size_t key_len = strlen(key);
    for (size_t at = 0; at + key_len + size <= len; at++) {
        if (memcmp(bytes + at, key, key_len) != 0)
            continue;
        memcpy(to, bytes + at + key_len, size - 1);
        return;
    }
}

static void read_client(struct world *world, struct node *node, unsigned client)
{
    const unsigned char *bytes;
    size_t len;
    while ((bytes = site_output(node->site, node->peers[client], &len)) != NULL) {
        char room[PROTOCOL_ROOM_BYTES + 1] = "";
        note(bytes, len, "\"room\":\"", room, sizeof room);
        note(bytes, len, "\"token\":\"", world->token, sizeof world->token);
        if (room[0])
            memcpy(world->rooms[world->next_room++ % ROOMS], room, sizeof room);
        site_sent(node->site, node->peers[client]);
    }
    const int code = site_close_code(node->site, node->peers[client]);
    HOLD(code == 0 || (code >= 1000 && code < 5000));
    if (code == 0)
        return;
    site_disconnect(node->site, node->peers[client], world->now_ms);
    node->open[client] = false;
}

static bool read_clients(struct world *world, struct node *node)
{
    struct hub_peer peer;
    bool any = false;
    site_pump(node->site, world->now_ms);
    while (site_next_ready(node->site, &peer)) {
        unsigned client = 0;
        while (client < CLIENTS &&
               !(node->open[client] && node->peers[client].index == peer.index &&
                 node->peers[client].generation == peer.generation))
            client++;
        HOLD(client < CLIENTS);
        read_client(world, node, client);
        any = true;
    }
    return any;
}

static void answer_http(struct node *node)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    while (site_http_next(node->site, &ticket, &answer)) {
        HOLD(answer.status >= 200 && answer.status < 600);
        hub_http_release(&answer);
    }
}

/* ' stands for "; $r a room, $t the token that was told last, $i a number of its own. */
static const char *const lines[] = {
    "{'id':$i,'op':'hello','name':'Bo'}",
    "{'id':$i,'op':'hello','token':'$t'}",
    "{'id':$i,'op':'create','options':{'players':2}}",
    "{'id':$i,'op':'join','room':'$r','seat':0}",
    "{'id':$i,'op':'join','room':'$r'}",
    "{'id':$i,'op':'join','room':'$r','have':2}",
    "{'id':$i,'op':'watch','room':'$r'}",
    "{'id':$i,'op':'say','room':'$r','text':'well played'}",
    "{'id':$i,'op':'ready','room':'$r','ready':true}",
    "{'id':$i,'op':'start','room':'$r'}",
    "{'id':$i,'op':'moves','room':'$r'}",
    "{'id':$i,'op':'leave','room':'$r'}",
    "{'id':$i,'op':'bot','room':'$r'}",
    "{'id':$i,'op':'rooms'}",
    "{'id':$i,'op':'games'}",
    "{'id':$i,'op':'devices'}",
    "{'id':$i,'op':'rename','name':'Chi'}",
    "{'id':$i,'op':'ping'}",
};

static size_t expand(struct world *world, const char *line, unsigned number,
                     char text[static TEXT_MAX])
{
    size_t len = 0;
    for (; *line; line++) {
        char *const to = text + len;
        const size_t room = TEXT_MAX - len;
        if (*line == '$' && line[1] == 'i')
            (void)snprintf(to, room, "%lld", (long long)world->last_id++);
        else if (*line == '$')
            (void)snprintf(to, room, "%s",
                           line[1] == 'r' ? world->rooms[number % ROOMS] : world->token);
        else
            (void)snprintf(to, room, "%c", *line == '\'' ? '"' : *line);
        line += *line == '$';
        len += strlen(to);
    }
    return len;
}

static void say(struct world *world, unsigned who, unsigned what)
{
    struct node *node = &world->nodes[who % NODES];
    const unsigned client = who / NODES % CLIENTS;
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1};
    char text[TEXT_MAX];
    if (!node->open[client]) {
        node->open[client] =
            site_connect(node->site, address, world->now_ms, &node->peers[client]) == 0;
        return;
    }
    const size_t count = sizeof lines / sizeof lines[0];
    const size_t len = expand(world, lines[what % count], what / (unsigned)count, text);
    site_receive(node->site, node->peers[client], text, len, world->now_ms);
}

static void go(struct world *world, unsigned who)
{
    struct node *node = &world->nodes[who % NODES];
    const unsigned client = who / NODES % CLIENTS;
    if (node->open[client])
        site_disconnect(node->site, node->peers[client], world->now_ms);
    node->open[client] = false;
}

static void ask(struct world *world, unsigned who, unsigned what)
{
    static const uint8_t address[16] = {[15] = 1};
    static const char *const paths[] = {"/api/rooms", "/readyz", "/metrics",
                                        "/.well-known/taluva-keys.json"};
    struct hub_http_answer answer;
    uint64_t ticket;
    char path[64];
    (void)snprintf(path, sizeof path, "/api/records/%s", world->rooms[what / 8 % ROOMS]);
    if (site_http_get(world->nodes[who % NODES].site, what % 8 < 4 ? paths[what % 8] : path,
                      address, world->now_ms, &answer, &ticket))
        hub_http_release(&answer);
}

/* ---- the link */

/* Bytes of their own, so that a sanitizer sees who reads further. False: it is to be closed. */
static bool bring(struct world *world, struct node *to, const unsigned char *bytes, size_t len)
{
    unsigned char *const copy = malloc(len ? len : 1);
    HOLD(copy);
    memcpy(copy, bytes, len);
    const bool taken = site_link_receive(to->link, copy, len, world->now_ms);
    HOLD(taken == !site_link_broken(to->link));
    free(copy);
    return taken;
}

static bool bring_wrong(struct world *world, struct node *from, struct node *to,
                        unsigned char *bytes, size_t len)
{
    const struct fault fault = from->fault;
    from->fault.kind = FAULT_NONE;
    switch (fault.kind) {
    case FAULT_NONE:
        break;
    case FAULT_CHANGED:
        bytes[fault.where % len] = (unsigned char)fault.value;
        break;
    case FAULT_CUT:
        len = fault.where % (len + 1);
        break;
    case FAULT_TWICE:
        if (!bring(world, to, bytes, len))
            return false;
        break;
    case FAULT_LOST:
        return true;
    }
    return bring(world, to, bytes, len);
}

/* False: it is to be closed. */
static bool carry(struct world *world, unsigned sender, bool *any)
{
    struct node *from = &world->nodes[sender], *to = &world->nodes[1 - sender];
    unsigned char *bytes;
    size_t len;
    while (!from->deaf && (bytes = site_link_output(from->link, &len)) != NULL) {
        if (!bring_wrong(world, from, to, bytes, len))
            return false;
        site_link_sent(from->link);
        *any = true;
    }
    HOLD(site_link_waiting(from->link) <= 2 * LINK_BYTES + HELD_BYTES);
    return !site_link_broken(from->link);
}

static void carry_all(struct world *world, bool *any)
{
    if (carry(world, 0, any) && carry(world, 1, any))
        return;
    cut(world);
    join(world);
    *any = true;
}

/* ---- what follows by itself */

static bool run_hub(struct world *world, struct place *place)
{
    struct store_query query;
    char room[PROTOCOL_ROOM_BYTES + 1];
    while (hub_read_take(place->hub, room))
        model_read(&place->store, place->hub, room, world->now_ms);
    while (hub_query_take(place->hub, &query))
        model_query(&place->store, place->hub, &query, world->now_ms);
    if (hub_deadline_ms(place->hub) <= world->now_ms)
        hub_tick(place->hub, world->now_ms);
    const struct store_batch *batch = hub_batch_take(place->hub);
    if (!batch)
        return false;
    HOLD(model_commit(&place->store, batch) == STORE_OK);
    hub_batch_done(place->hub, STORE_OK, 1500, world->now_ms);
    return true;
}

/* No more is kept for a client than may be, whatever another node says. */
static void hold_bounds(const struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        const struct client *client;
        size_t next = 0;
        while ((client = client_next(&world->nodes[at].site->clients, &next)) != NULL) {
            HOLD(client->held.bytes <= 2 * HELD_BYTES);
            for (const struct port *port = client->ports; port; port = port->next)
                HOLD(port->told.bytes <= 2 * HELD_BYTES);
        }
    }
}

static void settle(struct world *world)
{
    bool more = true;
    for (int round = 0; more; round++) {
        HOLD(round < ROUNDS_MAX);
        more = false;
        for (unsigned part = 0; part < PARTS; part++)
            more = run_hub(world, &world->places[part]) || more;
        for (unsigned at = 0; at < NODES; at++) {
            more = read_clients(world, &world->nodes[at]) || more;
            answer_http(&world->nodes[at]);
        }
        carry_all(world, &more);
        hold_bounds(world);
    }
}

/* ---- events */

static void pass(struct world *world, unsigned ms)
{
    world->now_ms += ms;
    for (unsigned at = 0; at < NODES; at++) {
        if (site_deadline_ms(world->nodes[at].site) <= world->now_ms)
            site_tick(world->nodes[at].site, world->now_ms);
    }
}

static void inject(struct world *world, struct tape *tape, unsigned to, size_t len)
{
    if (len > tape->left)
        len = tape->left;
    if (!bring(world, &world->nodes[to % NODES], tape->at, len)) {
        cut(world);
        join(world);
    }
    tape->at += len;
    tape->left -= len;
}

static void happen(struct world *world, struct tape *tape)
{
    const unsigned what = pull(tape), one = pull(tape), two = pull(tape);
    struct node *const node = &world->nodes[one % NODES];
    switch (what % 10) {
    case 0:
    case 1:
        say(world, one, two);
        break;
    case 2:
        go(world, one);
        break;
    case 3:
        ask(world, one, two);
        break;
    case 4:
        node->fault = (struct fault){FAULT_CHANGED, one / NODES, two};
        break;
    case 5:
        node->fault = (struct fault){FAULT_CUT + two % 3, one / NODES, 0};
        break;
    case 6:
        inject(world, tape, one, two);
        break;
    case 7:
        node->deaf = two % 2 == 0;
        break;
    case 8:
        pass(world, one * 40);
        break;
    case 9:
        leave(world, two % PARTS);
        serve(world, two % PARTS, one % NODES);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    struct tape tape = {data, size};
    begin(&world);
    settle(&world);
    for (int events = 0; tape.left > 0 && events < EVENTS_MAX; events++) {
        happen(&world, &tape);
        settle(&world);
    }
    end(&world);
    return 0;
}
