/*
 * The node that has a part is lost, and another one takes it: a client that stays connected sees a
 * pause. What it is told in all must be what `past` says that it was to be told, once each.
 */
#include "nodes.h"
#include "suites.h"
#include <base/rng.h>
#include <hub/part.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_moves.h>

enum { EDGE = 0, LOST = 1 /* the part */ };

static struct nodes nodes;
static json_t *events[CLIENTS]; /* of the room, as they came */
static char room[9];

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
    room[0] = '\0';
}

static void release(void)
{
    for (int guest = 0; guest < CLIENTS; guest++) {
        json_decref(events[guest]);
        events[guest] = NULL;
    }
    nodes_release(&nodes);
}

/* ---- what a guest is told */

/* All that has come; an event is kept. */
static void listen(int guest)
{
    if (!events[guest])
        events[guest] = json_array();
    for (size_t at = 0; at < nodes.guests[guest].count; at++) {
        json_t *message = nodes.guests[guest].inbox[at];
        if (strcmp(text_of(message, "push"), "event") == 0 &&
            strcmp(text_of(message, "room"), room) == 0)
            json_array_append(events[guest], message);
    }
    nodes_forget(&nodes, guest);
}

/* As it was to be told, from the first that came to the last that there is. */
static void check_events(int guest)
{
    listen(guest);
    size_t at = 0;
    json_int_t seq = number_of(json_array_get(events[guest], 0), "seq") - 1;
    ck_assert_int_ge(seq, 0);
    for (bool more = true; more;) {
        json_t *ok = nodes_ok(&nodes, guest, "past", "{s:s,s:I}", "room", room, "have", seq);
        const json_t *past = json_object_get(ok, "events");
        for (size_t i = 0; i < json_array_size(past); i++, at++) {
            const json_t *told = json_array_get(events[guest], at);
            ck_assert_msg(json_equal(told, json_array_get(past, i)), "%d: event %lld instead of %d",
                          guest, (long long)number_of(told, "seq"), (int)seq + (int)i + 1);
        }
        seq = number_of(ok, "seq");
        more = json_is_true(json_object_get(ok, "more"));
        json_decref(ok);
        nodes.now_ms += 5000;
    }
    ck_assert_uint_eq(json_array_size(events[guest]), at);
}

static json_t *reply_of(int guest, int64_t id)
{
    json_t *reply = nodes_reply(&nodes, guest, id);
    ck_assert_msg(reply, "no reply; closed with %d", nodes.guests[guest].close_code);
    json_t *second = nodes_reply(&nodes, guest, id);
    ck_assert_msg(!second, "a second reply");
    return reply;
}

static void check_reply(int guest, int64_t id, const char *error)
{
    json_t *reply = reply_of(guest, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), error);
    json_decref(reply);
}

/* ---- who has the part */

static int guest_of_part(unsigned part, const char *name)
{
    int guest = nodes_guest(&nodes, nodes.places[part].node, name);
    while (home_of(&nodes, guest) != part)
        guest = nodes_guest(&nodes, nodes.places[part].node, name);
    const int here = nodes_back(&nodes, EDGE, guest);
    nodes_disconnect(&nodes, guest);
    return here;
}

static int other_than(int node)
{
    return node == 1 ? 2 : 1;
}

static void lose_by_leaving(void)
{
    const int node = nodes.places[LOST].node;
    nodes_lose(&nodes, LOST);
    nodes_settle(&nodes);
    nodes_serve(&nodes, LOST, (node + 1) % NODES);
}

static void lose_by_death(void)
{
    const int node = nodes.places[LOST].node;
    nodes_kill(&nodes, node);
    nodes_settle(&nodes);
    for (unsigned part = 0; part < PARTS; part++) {
        if (!nodes.places[part].hub)
            nodes_serve(&nodes, part, part == LOST ? other_than(node) : EDGE);
    }
    nodes_start(&nodes, node);
}

static void lose_link(void)
{
    nodes_cut(&nodes, EDGE, nodes.places[LOST].node);
    nodes_settle(&nodes);
    nodes.places[LOST].storing = STORED;
    nodes_settle(&nodes);
    nodes_join(&nodes, EDGE, nodes.places[LOST].node);
}

/* Another node has it, and what the old one has said comes later. */
static void lose_to_later_term(void)
{
    struct place *place = &nodes.places[LOST];
    struct node *old = &nodes.nodes[place->node];
    struct hub *hub = place->hub;
    place->storing = STORED;
    place->out = NULL;
    nodes_serve(&nodes, LOST, other_than(place->node));
    nodes_settle(&nodes);
    old->delayed[EDGE] = false;
    nodes_settle(&nodes);
    site_leave(old->site, LOST, nodes.now_ms);
    hub_destroy(hub);
}

static void (*const ways[])(void) = {lose_by_leaving, lose_by_death, lose_to_later_term, lose_link};
enum { WAYS = 4 };

/* ---- Totem, as people play it by chance */

struct person_chance {
    struct chance chance;
    struct rng rng;
};

static unsigned below(struct chance *chance, unsigned n)
{
    return rng_below(&((struct person_chance *)chance)->rng, n);
}

static struct person_chance luck = {{below}, {7}};

static void begin(const int players[2])
{
    json_t *ok = nodes_ok(&nodes, players[0], "create", "{s:s,s:{s:i,s:s}}", "game", "totem",
                          "options", "players", 2, "spells", "A");
    (void)snprintf(room, sizeof room, "%s", text_of(ok, "room"));
    json_decref(ok);
    ck_assert_uint_eq(part_of_room(room, PARTS), LOST);
    for (int seat = 0; seat < 2; seat++) {
        nodes_do(&nodes, players[seat], "join", "{s:s,s:i}", "room", room, "seat", seat);
        nodes_do(&nodes, players[seat], "ready", "{s:s,s:b}", "room", room, "ready", 1);
    }
}

/* A move that the seat may make now; false: none is found. */
static bool find_move(int guest, char move[PROTOCOL_MOVE_BYTES + 1])
{
    json_t *ok = nodes_ok(&nodes, guest, "moves", "{s:s}", "room", room);
    const json_t *asked = json_object_get(ok, "asked");
    bool found = false;
    for (int tries = 0; tries < 200 && !found && json_object_size(asked) > 0; tries++) {
        nodes.now_ms += 100;
        if (!totem_compose(asked, &luck.chance, move, PROTOCOL_MOVE_BYTES + 1))
            break;
        const int64_t id =
            nodes_post(&nodes, guest, "check", "{s:s,s:s}", "room", room, "move", move);
        nodes_settle(&nodes);
        json_t *reply = reply_of(guest, id);
        found = json_object_get(reply, "ok");
        json_decref(reply);
    }
    json_decref(ok);
    return found;
}

/* The part is lost with the move under way. */
static void move_and_lose(int guest, const char *move, enum storing storing, void (*lose)(void))
{
    struct place *place = &nodes.places[LOST];
    place->storing = storing;
    nodes.nodes[place->node].delayed[EDGE] = lose == lose_to_later_term;
    const int64_t id = nodes_post(&nodes, guest, "move", "{s:s,s:s}", "room", room, "move", move);
    const int64_t ping = nodes_post(&nodes, guest, "ping", "");
    nodes_settle(&nodes);
    lose();
    nodes_settle(&nodes);
    check_reply(guest, id, "");
    check_reply(guest, ping, "");
}

/* `_i`: the way in which it is lost, and what has become of the batch. */
START_TEST(test_totem)
{
    enum { LOSSES = 12 };
    int players[2] = {guest_of_part(LOST, "Host"), guest_of_part(0, "Ana")};
    const int watcher = guest_of_part(3, "Watcher");
    char move[PROTOCOL_MOVE_BYTES + 1];
    int losses = 0, moves = 0;
    begin(players);
    nodes_do(&nodes, watcher, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, players[0], "start", "{s:s}", "room", room);
    for (int turn = 0; turn < 400 && losses < LOSSES; turn++) {
        const int guest = players[turn % 2];
        if (!find_move(guest, move))
            continue;
        if (++moves % 4 == 0) {
            move_and_lose(guest, move, (enum storing)(_i / WAYS), ways[_i % WAYS]);
            losses++;
        } else {
            nodes_do(&nodes, guest, "move", "{s:s,s:s}", "room", room, "move", move);
        }
        listen(players[0]);
        listen(players[1]);
        listen(watcher);
    }
    ck_assert_int_eq(losses, LOSSES);
    check_events(players[0]);
    check_events(players[1]);
    check_events(watcher);
    ck_assert(!json_equal(events[players[0]], events[watcher]));
}
END_TEST

/* ---- in several parts, and at home */

static void lose_and_serve(unsigned part, int64_t pause_ms)
{
    const int node = nodes.places[part].node;
    nodes_lose(&nodes, part);
    nodes_pass(&nodes, pause_ms);
    nodes_serve(&nodes, part, (node + 1) % NODES);
    nodes_settle(&nodes);
}

/* What is asked of a lost part waits, what is asked of others does not. */
START_TEST(test_several_parts)
{
    const int ana = guest_of_part(2, "Ana"), host = guest_of_part(LOST, "Host");
    char other[9];
    nodes_room(&nodes, host, room);
    nodes_room(&nodes, ana, other);
    nodes_do(&nodes, host, "join", "{s:s}", "room", room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", other, "seat", 0);
    nodes_lose(&nodes, LOST);
    nodes_do(&nodes, ana, "ready", "{s:s,s:b}", "room", other, "ready", 1);
    nodes_forget(&nodes, ana);
    const int64_t first = nodes_post(&nodes, ana, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    const int64_t ping = nodes_post(&nodes, ana, "ping", "");
    nodes_pass(&nodes, 3000);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_serve(&nodes, LOST, 2);
    nodes_settle(&nodes);
    check_reply(ana, first, "");
    check_reply(ana, ping, "");
    lose_and_serve(2, 3000); /* her home */
    nodes_do(&nodes, ana, "rename", "{s:s}", "name", "Anna");
    nodes_do(&nodes, ana, "devices", "");
    nodes_do(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
}
END_TEST

/* A session that came by a link, and one that came by its token, are known by their device. */
START_TEST(test_home)
{
    const int ana = guest_of_part(LOST, "Ana");
    json_t *link = nodes_ok(&nodes, ana, "link", "");
    const int phone = nodes_connect(&nodes, EDGE);
    json_decref(nodes_ok(&nodes, phone, "hello", "{s:s}", "pass", text_of(link, "pass")));
    json_decref(link);
    lose_and_serve(LOST, 1000);
    json_t *ok = nodes_ok(&nodes, phone, "devices", "");
    const json_t *devices = json_object_get(ok, "devices");
    ck_assert_uint_eq(json_array_size(devices), 2);
    ck_assert(json_is_true(json_object_get(json_array_get(devices, 1), "this")));
    ck_assert(json_is_true(json_object_get(json_array_get(devices, 0), "online")));
    json_decref(ok);
    nodes_do(&nodes, ana, "ping", "");
}
END_TEST

/* A device that was ended while its client could not be told is not let in. */
START_TEST(test_revoked)
{
    const int ana = guest_of_part(LOST, "Ana");
    json_t *link = nodes_ok(&nodes, ana, "link", "");
    const int phone = nodes_connect(&nodes, EDGE);
    json_t *ok = nodes_ok(&nodes, phone, "hello", "{s:s}", "pass", text_of(link, "pass"));
    const int far = nodes_connect(&nodes, 2);
    json_decref(nodes_ok(&nodes, far, "hello", "{s:s}", "token", nodes.guests[ana].token));
    nodes_cut(&nodes, EDGE, 1);
    nodes_settle(&nodes);
    json_t *list = nodes_ok(&nodes, far, "devices", "");
    const json_t *second = json_array_get(json_object_get(list, "devices"), 1);
    nodes_do(&nodes, far, "forget", "{s:s}", "device", text_of(second, "device"));
    nodes_join(&nodes, EDGE, 1);
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes.guests[phone].close_code, 1012);
    ck_assert(nodes.guests[ana].open);
    nodes_do(&nodes, ana, "ping", "");
    const int back = nodes_connect(&nodes, EDGE);
    nodes_refused(&nodes, back, "unknown_token", "hello", "{s:s}", "token", text_of(ok, "token"));
    json_decref(list);
    json_decref(ok);
    json_decref(link);
}
END_TEST

/* A hello that is not answered is said again: by a token at home, a new one anywhere. */
START_TEST(test_hello)
{
    const int ana = guest_of_part(LOST, "Ana");
    const int known = nodes_connect(&nodes, EDGE);
    nodes.places[LOST].storing = NOT_STORED;
    const int64_t rename = nodes_post(&nodes, ana, "rename", "{s:s}", "name", "Anna");
    const int64_t hello = nodes_post(&nodes, known, "hello", "{s:s,s:s}", "name", "Anne", "token",
                                     nodes.guests[ana].token);
    const int64_t ping = nodes_post(&nodes, known, "ping", "");
    nodes_settle(&nodes);
    lose_and_serve(LOST, 1000);
    check_reply(ana, rename, "");
    check_reply(known, hello, "");
    check_reply(known, ping, "");
    const int stranger = nodes_connect(&nodes, 1);
    nodes.places[nodes.places[LOST].node == 1 ? LOST : 1].storing = STORED;
    for (unsigned part = 0; part < PARTS; part++)
        nodes.places[part].storing = NOT_STORED;
    const int64_t first = nodes_post(&nodes, stranger, "hello", "{s:s}", "name", "New");
    nodes_settle(&nodes);
    for (unsigned part = 0; part < PARTS; part++)
        lose_and_serve(part, 100);
    json_t *reply = reply_of(stranger, first);
    ck_assert_uint_eq(strlen(text_of(json_object_get(reply, "ok"), "token")), PROTOCOL_TOKEN_BYTES);
    json_decref(reply);
    nodes_do(&nodes, stranger, "ping", "");
}
END_TEST

/* ---- requests */

static int host_and_watcher(void)
{
    const int host = guest_of_part(LOST, "Host"), ana = guest_of_part(0, "Ana");
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, host, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, host);
    nodes_forget(&nodes, ana);
    return ana;
}

static int host_of(void)
{
    int guest = 0;
    while (!nodes.guests[guest].open || home_of(&nodes, guest) != LOST)
        guest++;
    return guest;
}

/* What would be done twice is refused, and may be asked again. */
START_TEST(test_not_twice)
{
    const int ana = host_and_watcher(), host = host_of();
    struct node *owner = &nodes.nodes[nodes.places[LOST].node];
    owner->delayed[EDGE] = true;
    const int64_t say = nodes_post(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "once");
    const int64_t link = nodes_post(&nodes, host, "link", "");
    const int64_t create = nodes_post(&nodes, host, "create", "");
    nodes_settle(&nodes);
    nodes_cut(&nodes, EDGE, 1);
    owner->delayed[EDGE] = false;
    nodes_join(&nodes, EDGE, 1);
    nodes_settle(&nodes);
    check_reply(ana, say, "slow_down");
    check_reply(host, link, "slow_down");
    check_reply(host, create, "");
    json_t *ok = nodes_ok(&nodes, host, "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 2);
    json_decref(ok);
}
END_TEST

/* A view that was asked for comes once, and what was joined and left stays so. */
START_TEST(test_views)
{
    const int ana = host_and_watcher(), host = host_of();
    nodes.places[LOST].storing = STORED_UNKNOWN;
    nodes_post(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    nodes_settle(&nodes);
    const int64_t leave = nodes_post(&nodes, host, "leave", "{s:s}", "room", room);
    const int64_t join = nodes_post(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_settle(&nodes);
    lose_and_serve(LOST, 1000);
    check_reply(host, leave, "");
    json_t *reply = reply_of(ana, join);
    ck_assert_ptr_nonnull(json_object_get(json_object_get(reply, "ok"), "state"));
    json_decref(reply);
    nodes_forget(&nodes, host);
    lose_and_serve(LOST, 1000);
    nodes_do(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "hi");
    ck_assert_uint_eq(nodes.guests[host].count, 0); /* it has left */
    check_events(ana);
}
END_TEST

/* More than is kept of a client's requests: then it comes again. */
START_TEST(test_too_much)
{
    const int ana = host_and_watcher(), host = host_of();
    static char message[2000];
    nodes.places[LOST].storing = NOT_STORED;
    nodes_post(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    nodes_settle(&nodes);
    for (int at = 0; at < 9; at++) {
        (void)snprintf(message, sizeof message,
                       "{\"id\":%d,\"op\":\"moves\",\"room\":\"%s\"}%1900s", at, room, "");
        nodes_send(&nodes, ana, message);
    }
    nodes_settle(&nodes);
    lose_and_serve(LOST, 0);
    ck_assert_int_eq(nodes.guests[ana].close_code, 1012);
    ck_assert(nodes.guests[host].open);
}
END_TEST

/* ---- how long */

START_TEST(test_limit)
{
    const int ana = host_and_watcher(), host = host_of();
    const int other = guest_of_part(0, "Other");
    nodes_lose(&nodes, LOST);
    nodes_pass(&nodes, nodes.site_config.resume_wait_ms - 1);
    ck_assert(nodes.guests[ana].open && nodes.guests[host].open);
    nodes_pass(&nodes, 1);
    ck_assert_int_eq(nodes.guests[ana].close_code, 1012);
    ck_assert_int_eq(nodes.guests[host].close_code, 1012);
    ck_assert(nodes.guests[other].open);
    nodes_serve(&nodes, LOST, 2);
    nodes_settle(&nodes);
    nodes_do(&nodes, nodes_back(&nodes, EDGE, host), "watch", "{s:s}", "room", room);
}
END_TEST

/* A part that comes and goes: each time it has so long, but not if nobody gets through. */
START_TEST(test_comes_and_goes)
{
    const int ana = host_and_watcher(), host = host_of();
    for (int times = 0; times < 10; times++) {
        lose_and_serve(LOST, nodes.site_config.resume_wait_ms - 1000);
        nodes_do(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", times % 2 == 0);
        nodes_lose(&nodes, LOST);
        nodes_serve(&nodes, LOST, times % NODES); /* and again, before anything is carried */
        nodes_lose(&nodes, LOST);
        nodes_serve(&nodes, LOST, times % NODES);
        nodes_settle(&nodes);
    }
    check_events(ana);
    check_events(host);
    const int64_t begin_ms = nodes.now_ms;
    while (nodes.guests[ana].open && nodes.now_ms < begin_ms + 60000) {
        nodes_lose(&nodes, LOST);
        nodes_pass(&nodes, 900);
        nodes_serve(&nodes, LOST, 1);
        nodes.nodes[1].delayed[EDGE] = true; /* it says that it serves, and no more */
        nodes_pass(&nodes, 100);
        nodes.nodes[1].delayed[EDGE] = false;
    }
    ck_assert_int_le(nodes.now_ms, begin_ms + nodes.site_config.resume_wait_ms + 2000);
}
END_TEST

/* More has happened meanwhile than the hub tells one by one: the client comes again for a state. */
START_TEST(test_much_missed)
{
    const int ana = host_and_watcher();
    const int host = nodes_back(&nodes, 1, host_of());
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
    nodes.config.resume_pushes = 20;
    lose_and_serve(LOST, 0); /* with that limit */
    for (int missed = 15; missed <= 25; missed += 10) {
        const int owner = nodes.places[LOST].node;
        nodes_cut(&nodes, EDGE, owner);
        for (int at = 0; at < missed; at++) {
            nodes_do(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", at % 2);
            nodes_forget(&nodes, host);
            nodes.now_ms += 100;
        }
        nodes_join(&nodes, EDGE, owner);
        nodes_settle(&nodes);
        ck_assert_int_eq(nodes.guests[ana].close_code, missed > 20 ? 1012 : 0);
        if (missed < 20)
            check_events(ana);
    }
}
END_TEST

/* ---- what else it was told */

static size_t count_pushes(int guest, const char *push, const char *code)
{
    size_t count = 0;
    for (size_t at = 0; at < nodes.guests[guest].count; at++) {
        const json_t *message = nodes.guests[guest].inbox[at];
        count += strcmp(text_of(message, "push"), push) == 0 &&
                 (!code || strcmp(text_of(message, "code"), code) == 0);
    }
    return count;
}

/* Somebody who was there is gone with the node: that is said, though the new owner never saw them.
 */
START_TEST(test_presence)
{
    const int ana = host_and_watcher();
    const int bo = nodes_guest(&nodes, 1, "Bo");
    nodes_do(&nodes, bo, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_settle(&nodes);
    nodes_forget(&nodes, ana);
    nodes_kill(&nodes, 1);
    nodes_serve(&nodes, LOST, 2);
    nodes_settle(&nodes);
    bool gone = false;
    for (size_t at = 0; at < nodes.guests[ana].count; at++) {
        const json_t *online = json_object_get(nodes.guests[ana].inbox[at], "online");
        gone = gone || json_is_false(json_object_get(online, "1"));
    }
    ck_assert(gone);
}
END_TEST

/* That the server restarts, or its store fails, does not hold for the next one. */
START_TEST(test_notices)
{
    const int ana = host_and_watcher(), host = host_of();
    hub_drain(nodes.places[LOST].hub, nodes.now_ms);
    nodes_settle(&nodes);
    ck_assert_uint_eq(count_pushes(ana, "notice", "draining"), 1);
    lose_and_serve(LOST, 100);
    ck_assert_uint_eq(count_pushes(ana, "notice", "serving"), 1);
    ck_assert_uint_eq(count_pushes(host, "notice", "serving"), 1);
    lose_and_serve(LOST, 100);
    ck_assert_uint_eq(count_pushes(ana, "notice", "serving"), 1);
    nodes.places[LOST].storing = FAILED;
    const int64_t id = nodes_post(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    nodes_settle(&nodes);
    check_reply(host, id, "store_failing");
    ck_assert_uint_eq(count_pushes(ana, "notice", "store_failing"), 1);
    lose_and_serve(LOST, 100);
    ck_assert_uint_eq(count_pushes(ana, "notice", "store_recovered"), 1);
}
END_TEST

/* A node that is told that another has a part of its own, which it has lost, goes there. */
START_TEST(test_fenced_edge)
{
    const int ana = guest_of_part(0, "Ana");
    struct hub *old = nodes.places[0].hub;
    ck_assert_int_eq(nodes.places[0].node, EDGE);
    nodes.places[0].hub = NULL;
    nodes_serve(&nodes, 0, 2);
    nodes_settle(&nodes);
    site_leave(nodes.nodes[EDGE].site, 0, nodes.now_ms);
    hub_destroy(old);
    nodes_do(&nodes, ana, "devices", "");
}
END_TEST

Suite *resume_suite(void)
{
    Suite *suite = suite_create("site resumes");
    TCase *tcase = tcase_create("resume");
    tcase_add_checked_fixture(tcase, three_nodes, release);
    tcase_set_timeout(tcase, 60);
    /* A hub that was fenced is no use any more, though the link to it is back. */
    tcase_add_loop_test(tcase, test_totem, 0, 4 * WAYS - 1);
    tcase_add_test(tcase, test_several_parts);
    tcase_add_test(tcase, test_home);
    tcase_add_test(tcase, test_revoked);
    tcase_add_test(tcase, test_hello);
    tcase_add_test(tcase, test_not_twice);
    tcase_add_test(tcase, test_views);
    tcase_add_test(tcase, test_too_much);
    tcase_add_test(tcase, test_limit);
    tcase_add_test(tcase, test_comes_and_goes);
    tcase_add_test(tcase, test_much_missed);
    tcase_add_test(tcase, test_presence);
    tcase_add_test(tcase, test_notices);
    tcase_add_test(tcase, test_fenced_edge);
    suite_add_tcase(suite, tcase);
    return suite;
}
