#include "nodes.h"

#include "../../support/head_check.h"
#include "../../support/model_divide.h"
#include <cards.h>
#include <check.h>
#include <hub/part.h>
#include <registry/registry.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- start and stop */

static void fill_random(void *ctx, void *bytes, size_t len)
{
    struct nodes *nodes = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        nodes->random = nodes->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        at[i] = (unsigned char)(nodes->random >> 56);
    }
}

void nodes_join(struct nodes *nodes, int one, int other)
{
    if (one == other || !nodes->nodes[one].site || !nodes->nodes[other].site)
        return;
    nodes->nodes[one].links[other] = site_link_open(nodes->nodes[one].site, nodes->now_ms);
    nodes->nodes[other].links[one] = site_link_open(nodes->nodes[other].site, nodes->now_ms);
}

void nodes_start(struct nodes *nodes, int node)
{
    nodes->nodes[node] = (struct node){.site = site_create(&nodes->site_config)};
    ck_assert_ptr_nonnull(nodes->nodes[node].site);
    for (int other = 0; other < NODES; other++)
        nodes_join(nodes, node, other);
}

void nodes_init(struct nodes *nodes, int count, unsigned parts)
{
    nodes_init_with(nodes, count, parts, registry);
}

/* Letters go from one to another. */
static void join_stores(struct nodes *nodes)
{
    for (unsigned part = 0; part < nodes->parts; part++)
        nodes->places[part].store.next = &nodes->places[(part + 1) % nodes->parts].store;
}

void nodes_init_with(struct nodes *nodes, int count, unsigned parts,
                     const struct feature *const *features)
{
    memset(nodes, 0, sizeof *nodes);
    store_tables_of(features);
    hub_config_init(&nodes->config);
    nodes->config.rooms_per_address = nodes->config.rooms_per_address_burst = 10000;
    nodes->config.sessions_per_address_burst = 10000;
    nodes->config.chat_age_ms = 0;
    nodes->site_config = site_usual;
    nodes->site_config.parts = parts;
    nodes->site_config.features = features;
    nodes->site_config.clients = CLIENTS;
    nodes->parts = parts;
    nodes->now_ms = INT64_C(1790000000000);
    nodes->next_id = 1000;
    nodes->random = 42;
    nodes->env = (struct hub_env){.random = fill_random,
                                  .ctx = nodes,
                                  .server = "test 1",
                                  .games = test_games,
                                  .accounts = HUB_ACCOUNTS_OPEN,
                                  .chat = HUB_CHAT_EVERYBODY,
                                  .features = features};
    for (int node = 0; node < count; node++)
        nodes_start(nodes, node);
    for (unsigned part = 0; part < parts; part++)
        model_init(&nodes->places[part].store);
    join_stores(nodes);
    for (unsigned part = 0; part < parts; part++)
        nodes_serve(nodes, part, (int)part % count);
    nodes_settle(nodes);
}

void nodes_serve(struct nodes *nodes, unsigned part, int node)
{
    struct place *place = &nodes->places[part];
    struct hub_env env = nodes->env;
    env.part = part;
    env.parts = nodes->parts;
    place->hub = hub_create(&nodes->config, &env);
    ck_assert_ptr_nonnull(place->hub);
    ck_assert_int_eq(model_restore(&place->store, place->hub, nodes->now_ms), 0);
    place->node = node;
    site_serve(nodes->nodes[node].site, part, ++place->term, place->hub, nodes->now_ms);
}

static void lose_hub(struct place *place)
{
    hub_destroy(place->hub);
    place->hub = NULL;
    place->out = NULL;
    place->storing = STORED;
}

void nodes_leave(struct nodes *nodes, unsigned part)
{
    nodes_settle(nodes);
    nodes_lose(nodes, part);
}

void nodes_lose(struct nodes *nodes, unsigned part)
{
    site_leave(nodes->nodes[nodes->places[part].node].site, part, nodes->now_ms);
    lose_hub(&nodes->places[part]);
}

void nodes_cut(struct nodes *nodes, int one, int other)
{
    struct site_link **ends[2] = {&nodes->nodes[one].links[other], &nodes->nodes[other].links[one]};
    for (int end = 0; end < 2; end++) {
        if (*ends[end])
            site_link_close(*ends[end], nodes->now_ms);
        *ends[end] = NULL;
    }
}

static void lose_guest(struct nodes *nodes, int guest)
{
    nodes->guests[guest].open = false;
    nodes_forget(nodes, guest);
}

void nodes_kill(struct nodes *nodes, int node)
{
    for (int other = 0; other < NODES; other++) {
        if (other != node)
            nodes_cut(nodes, node, other);
    }
    for (int guest = 0; guest < CLIENTS; guest++) {
        if (nodes->guests[guest].open && nodes->guests[guest].node == node)
            lose_guest(nodes, guest);
    }
    site_destroy(nodes->nodes[node].site);
    nodes->nodes[node].site = NULL;
    for (unsigned part = 0; part < nodes->parts; part++) {
        if (nodes->places[part].hub && nodes->places[part].node == node)
            lose_hub(&nodes->places[part]);
    }
}

/* It serves again what it served. */
static void start_again(struct nodes *nodes, int node, const struct site_config *config)
{
    const struct site_config usual = nodes->site_config;
    nodes_kill(nodes, node);
    nodes->site_config = *config;
    nodes_start(nodes, node);
    nodes->site_config = usual;
    for (unsigned part = 0; part < nodes->parts; part++) {
        if (nodes->places[part].node == node)
            nodes_serve(nodes, part, node);
    }
    nodes_settle(nodes);
}

void nodes_limit(struct nodes *nodes, int node, size_t held_bytes, size_t link_bytes)
{
    struct site_config config = nodes->site_config;
    config.held_bytes = held_bytes;
    config.link_bytes = link_bytes;
    start_again(nodes, node, &config);
}

void nodes_init_lone(struct nodes *nodes)
{
    nodes_init(nodes, 1, 1);
    struct site_config config = nodes->site_config;
    config.lone = true;
    config.resume_wait_ms = 0;
    start_again(nodes, 0, &config);
}

void nodes_release(struct nodes *nodes)
{
    for (int node = 0; node < NODES; node++) {
        if (nodes->nodes[node].site)
            nodes_kill(nodes, node);
    }
    for (int guest = 0; guest < CLIENTS; guest++)
        nodes_forget(nodes, guest);
    for (unsigned part = 0; part < nodes->parts; part++)
        model_release(&nodes->places[part].store);
}

/* ---- what is carried */

static void receive(const struct nodes *nodes, struct guest *guest, const struct hub_head *head,
                    const unsigned char *bytes, size_t len)
{
    json_error_t error;
    json_t *message = json_loadb((const char *)bytes, len, 0, &error);
    ck_assert_msg(message, "not JSON: %s: %.*s", error.text, (int)len, (const char *)bytes);
    const char *wrong = nodes->made_up ? NULL : head_check_passed_on(head, message);
    ck_assert_msg(!wrong, "the head has another %s: %.*s", wrong, (int)len, (const char *)bytes);
    ck_assert_uint_lt(guest->count, INBOX);
    guest->inbox[guest->count++] = message;
}

static struct guest *guest_of(struct nodes *nodes, int node, struct hub_peer peer)
{
    for (int at = 0; at < CLIENTS; at++) {
        struct guest *guest = &nodes->guests[at];
        if (guest->open && guest->node == node && guest->peer.index == peer.index &&
            guest->peer.generation == peer.generation)
            return guest;
    }
    ck_assert_msg(nodes->programs, "a peer that nobody is");
    return NULL;
}

static void read_guest(struct nodes *nodes, struct guest *guest)
{
    struct site *site = nodes->nodes[guest->node].site;
    const unsigned char *bytes;
    size_t len;
    while (!guest->deaf && (bytes = site_output(site, guest->peer, &len)) != NULL) {
        receive(nodes, guest, site_output_head(site, guest->peer), bytes, len);
        site_sent(site, guest->peer);
    }
    guest->close_code = site_close_code(site, guest->peer);
    if (guest->close_code == 0)
        return;
    ck_assert(guest->close_code != 4002 || !site_output(site, guest->peer, &len));
    guest->open = false;
    site_disconnect(site, guest->peer, nodes->now_ms);
}

static bool deliver(struct nodes *nodes, int node)
{
    struct hub_peer peer;
    bool any = false;
    site_pump(nodes->nodes[node].site, nodes->now_ms);
    while (site_next_ready(nodes->nodes[node].site, &peer)) {
        struct guest *guest = guest_of(nodes, node, peer);
        if (guest)
            read_guest(nodes, guest);
        any = true;
    }
    return any;
}

static bool carry(struct nodes *nodes, int from, int to)
{
    struct node *sender = &nodes->nodes[from];
    const unsigned char *bytes;
    size_t len;
    bool any = false;
    while (sender->links[to] && !sender->delayed[to] &&
           (bytes = site_link_output(sender->links[to], &len)) != NULL) {
        struct site_link *end = nodes->nodes[to].links[from];
        sender->frames++;
        sender->frame_bytes += len;
        ck_assert(site_link_receive(end, bytes, len, nodes->now_ms));
        site_link_sent(sender->links[to]);
        any = true;
    }
    return any;
}

static bool store(struct nodes *nodes, struct place *place)
{
    const bool known = place->out;
    if (place->storing == FENCED || place->storing == FAILED) {
        const enum store_result result = place->storing == FENCED ? STORE_FENCED : STORE_FAILED;
        if (hub_batch_take(place->hub))
            hub_batch_done(place->hub, result, 1500, nodes->now_ms);
        return false;
    }
    if (!known && (place->out = hub_batch_take(place->hub)) == NULL)
        return false;
    if (!known)
        ck_assert_int_eq(model_commit(&place->store, place->out), STORE_OK);
    ck_assert_msg(!place->store.complaint[0], "%s", place->store.complaint);
    if (place->storing != STORED)
        return false;
    place->out = NULL;
    hub_batch_done(place->hub, STORE_OK, 1500, nodes->now_ms);
    return true;
}

static bool run_hub(struct nodes *nodes, struct place *place)
{
    struct store_query query;
    char room[9];
    if (!place->hub)
        return false;
    while (hub_read_take(place->hub, room))
        model_read(&place->store, place->hub, room, nodes->now_ms);
    while (hub_query_take(place->hub, &query))
        model_query(&place->store, place->hub, &query, nodes->now_ms);
    if (hub_deadline_ms(place->hub) <= nodes->now_ms)
        hub_tick(place->hub, nodes->now_ms);
    return place->storing != NOT_STORED && store(nodes, place);
}

void nodes_settle(struct nodes *nodes)
{
    bool more = true;
    while (more) {
        more = false;
        for (unsigned part = 0; part < nodes->parts; part++)
            more = run_hub(nodes, &nodes->places[part]) || more;
        for (int node = 0; node < NODES; node++) {
            if (nodes->nodes[node].site)
                more = deliver(nodes, node) || more;
        }
        for (int link = 0; link < NODES * NODES; link++)
            more = carry(nodes, link / NODES, link % NODES) || more;
    }
}

static int64_t next_deadline_ms(const struct nodes *nodes)
{
    int64_t due_ms = INT64_MAX;
    for (unsigned part = 0; part < nodes->parts; part++) {
        const struct hub *hub = nodes->places[part].hub;
        if (hub && hub_deadline_ms(hub) < due_ms)
            due_ms = hub_deadline_ms(hub);
    }
    for (int node = 0; node < NODES; node++) {
        const struct site *site = nodes->nodes[node].site;
        if (site && site_deadline_ms(site) < due_ms)
            due_ms = site_deadline_ms(site);
    }
    return due_ms;
}

void nodes_pass(struct nodes *nodes, int64_t ms)
{
    const int64_t end_ms = nodes->now_ms + ms;
    nodes_settle(nodes);
    for (;;) {
        const int64_t due_ms = next_deadline_ms(nodes);
        if (due_ms > end_ms)
            break;
        nodes->now_ms = due_ms > nodes->now_ms ? due_ms : nodes->now_ms;
        for (int node = 0; node < NODES; node++) {
            if (nodes->nodes[node].site)
                site_tick(nodes->nodes[node].site, nodes->now_ms);
        }
        nodes_settle(nodes);
    }
    nodes->now_ms = end_ms;
}

/* ---- guests */

static int connect_from(struct nodes *nodes, int node, uint8_t host)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = host};
    int at = 0;
    while (nodes->guests[at].open || nodes->guests[at].count > 0)
        ck_assert_int_lt(++at, CLIENTS);
    struct guest *guest = &nodes->guests[at];
    *guest = (struct guest){.node = node};
    guest->close_code = site_connect(nodes->nodes[node].site, address, nodes->now_ms, &guest->peer);
    guest->open = guest->close_code == 0;
    return guest->open ? at : -1;
}

int nodes_connect(struct nodes *nodes, int node)
{
    return connect_from(nodes, node, 1);
}

void nodes_disconnect(struct nodes *nodes, int at)
{
    struct guest *guest = &nodes->guests[at];
    site_disconnect(nodes->nodes[guest->node].site, guest->peer, nodes->now_ms);
    lose_guest(nodes, at);
    nodes_settle(nodes);
}

int nodes_guest(struct nodes *nodes, int node, const char *name)
{
    return nodes_guest_from(nodes, node, name, 1);
}

int nodes_guest_from(struct nodes *nodes, int node, const char *name, uint8_t host)
{
    const int at = connect_from(nodes, node, host);
    ck_assert_int_ge(at, 0);
    json_t *ok = nodes_ok(nodes, at, "hello", "{s:s}", "name", name);
    (void)snprintf(nodes->guests[at].token, sizeof nodes->guests[at].token, "%s",
                   text_of(ok, "token"));
    (void)snprintf(nodes->guests[at].session, sizeof nodes->guests[at].session, "%s",
                   text_of(ok, "session"));
    ck_assert_uint_eq(strlen(nodes->guests[at].token), PROTOCOL_TOKEN_BYTES);
    json_decref(ok);
    return at;
}

int nodes_back(struct nodes *nodes, int node, int other)
{
    const struct guest before = nodes->guests[other];
    const int at = nodes_connect(nodes, node);
    ck_assert_int_ge(at, 0);
    json_t *ok = nodes_ok(nodes, at, "hello", "{s:s}", "token", before.token);
    ck_assert_str_eq(text_of(ok, "session"), before.session);
    memcpy(nodes->guests[at].token, before.token, sizeof before.token);
    memcpy(nodes->guests[at].session, before.session, sizeof before.session);
    json_decref(ok);
    return at;
}

unsigned home_of(const struct nodes *nodes, int guest)
{
    return part_of_session(strtoull(nodes->guests[guest].session, NULL, 16), nodes->parts);
}

/* ---- requests */

void nodes_send(struct nodes *nodes, int at, const char *text)
{
    const struct guest *guest = &nodes->guests[at];
    ck_assert(guest->open);
    site_receive(nodes->nodes[guest->node].site, guest->peer, text, strlen(text), nodes->now_ms);
}

static int64_t post(struct nodes *nodes, int guest, const char *op, const char *format,
                    va_list args)
{
    json_error_t error;
    const int64_t id = nodes->next_id++;
    json_t *request = format[0] ? json_vpack_ex(&error, 0, format, args) : json_object();
    ck_assert_msg(request, "%s", error.text);
    json_object_set_new(request, "id", json_integer(id));
    json_object_set_new(request, "op", json_string(op));
    char *text = json_dumps(request, JSON_COMPACT);
    nodes_send(nodes, guest, text);
    free(text);
    json_decref(request);
    return id;
}

int64_t nodes_post(struct nodes *nodes, int guest, const char *op, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int64_t id = post(nodes, guest, op, format, args);
    va_end(args);
    return id;
}

json_t *nodes_reply(struct nodes *nodes, int at, int64_t id)
{
    struct guest *guest = &nodes->guests[at];
    for (size_t i = 0; i < guest->count; i++) {
        const json_t *got = json_object_get(guest->inbox[i], "id");
        if (!json_is_integer(got) || json_integer_value(got) != id)
            continue;
        json_t *message = guest->inbox[i];
        memmove(&guest->inbox[i], &guest->inbox[i + 1], (guest->count - i - 1) * sizeof(json_t *));
        guest->count--;
        return message;
    }
    return NULL;
}

static json_t *only_reply(struct nodes *nodes, int guest, int64_t id)
{
    nodes_settle(nodes);
    json_t *reply = nodes_reply(nodes, guest, id);
    ck_assert_msg(reply, "no reply to %lld; closed with %d", (long long)id,
                  nodes->guests[guest].close_code);
    ck_assert_ptr_null(nodes_reply(nodes, guest, id));
    return reply;
}

json_t *nodes_ok(struct nodes *nodes, int guest, const char *op, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *reply = only_reply(nodes, guest, post(nodes, guest, op, format, args));
    va_end(args);
    json_t *ok = json_object_get(reply, "ok");
    ck_assert_msg(ok, "%s: %s", op, text_of(json_object_get(reply, "error"), "code"));
    json_incref(ok);
    json_decref(reply);
    return ok;
}

void nodes_do(struct nodes *nodes, int guest, const char *op, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *reply = only_reply(nodes, guest, post(nodes, guest, op, format, args));
    va_end(args);
    ck_assert_msg(json_object_get(reply, "ok"), "%s: %s", op,
                  text_of(json_object_get(reply, "error"), "code"));
    json_decref(reply);
}

void nodes_refused(struct nodes *nodes, int guest, const char *code, const char *op,
                   const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *reply = only_reply(nodes, guest, post(nodes, guest, op, format, args));
    va_end(args);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), code);
    json_decref(reply);
}

void nodes_forget(struct nodes *nodes, int at)
{
    struct guest *guest = &nodes->guests[at];
    for (size_t i = 0; i < guest->count; i++)
        json_decref(guest->inbox[i]);
    guest->count = 0;
}

const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

json_int_t number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

void nodes_room(struct nodes *nodes, int guest, char room[static 9])
{
    json_t *ok = nodes_ok(nodes, guest, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(room, 9, "%s", text_of(ok, "room"));
    json_decref(ok);
    ck_assert_uint_eq(part_of_room(room, nodes->parts), home_of(nodes, guest));
}

void nodes_begin(struct nodes *nodes, const int players[2], const char *room)
{
    for (int seat = 0; seat < 2; seat++) {
        nodes_do(nodes, players[seat], "join", "{s:s,s:i}", "room", room, "seat", seat);
        nodes_do(nodes, players[seat], "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
                 "00112233445566778899aabbccddeeff");
    }
    nodes_do(nodes, players[0], "start", "{s:s}", "room", room);
}

bool nodes_move(struct nodes *nodes, const int players[2], const char *room)
{
    for (int seat = 0; seat < 2; seat++) {
        const int64_t id = nodes_post(nodes, players[seat], "moves", "{s:s}", "room", room);
        nodes_settle(nodes);
        json_t *reply = nodes_reply(nodes, players[seat], id);
        const json_t *list = json_object_get(json_object_get(reply, "ok"), "moves");
        char text[PROTOCOL_MOVE_BYTES + 1];
        (void)snprintf(text, sizeof text, "%s",
                       list ? json_string_value(json_array_get(list, json_array_size(list) / 2))
                            : "");
        json_decref(reply);
        if (!text[0])
            continue;
        nodes_do(nodes, players[seat], "move", "{s:s,s:s,s:b}", "room", room, "move", text,
                 "confirm", 1);
        return true;
    }
    return false;
}

void nodes_divide(struct nodes *nodes, unsigned parts)
{
    struct model_store before[PARTS], after[PARTS];
    const unsigned count = nodes->parts;
    nodes_settle(nodes);
    for (unsigned part = 0; part < count; part++)
        before[part] = nodes->places[part].store;
    for (int node = 0; node < NODES; node++)
        nodes_kill(nodes, node);
    model_divide(before, count, after, parts);
    nodes->parts = nodes->site_config.parts = parts;
    for (int node = 0; node < NODES; node++)
        nodes_start(nodes, node);
    for (unsigned part = 0; part < parts; part++)
        nodes->places[part].store = after[part];
    join_stores(nodes);
    for (unsigned part = 0; part < parts; part++)
        nodes_serve(nodes, part, (int)part % NODES);
    nodes_settle(nodes);
}
