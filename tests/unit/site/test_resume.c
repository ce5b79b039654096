/* What a client goes on with, and what not, when the part that it is in is lost. */
#include "nodes.h"
#include "suites.h"
#include "told.h"
#include <hub/part.h>
#include <stdio.h>
#include <string.h>

enum { EDGE = 0, LOST = 1 /* the part */ };

static struct nodes nodes;
static char room[9];

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
    room[0] = '\0';
}

static void release(void)
{
    told_release();
    nodes_release(&nodes);
}

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
    const int ana = guest_of_part(&nodes, 2, "Ana"), host = guest_of_part(&nodes, LOST, "Host");
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
    told_check_reply(&nodes, ana, first, "");
    told_check_reply(&nodes, ana, ping, "");
    lose_and_serve(2, 3000); /* her home */
    nodes_do(&nodes, ana, "rename", "{s:s}", "name", "Anna");
    nodes_do(&nodes, ana, "devices", "");
    nodes_do(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
}
END_TEST

/* A session that came by a link, and one that came by its token, are known by their device. */
START_TEST(test_home)
{
    const int ana = guest_of_part(&nodes, LOST, "Ana");
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
    const int ana = guest_of_part(&nodes, LOST, "Ana");
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
    const int ana = guest_of_part(&nodes, LOST, "Ana");
    const int known = nodes_connect(&nodes, EDGE);
    nodes.places[LOST].storing = NOT_STORED;
    const int64_t rename = nodes_post(&nodes, ana, "rename", "{s:s}", "name", "Anna");
    const int64_t hello = nodes_post(&nodes, known, "hello", "{s:s,s:s}", "name", "Anne", "token",
                                     nodes.guests[ana].token);
    const int64_t ping = nodes_post(&nodes, known, "ping", "");
    nodes_settle(&nodes);
    lose_and_serve(LOST, 1000);
    told_check_reply(&nodes, ana, rename, "");
    told_check_reply(&nodes, known, hello, "");
    told_check_reply(&nodes, known, ping, "");
    const int stranger = nodes_connect(&nodes, 1);
    nodes.places[nodes.places[LOST].node == 1 ? LOST : 1].storing = STORED;
    for (unsigned part = 0; part < PARTS; part++)
        nodes.places[part].storing = NOT_STORED;
    const int64_t first = nodes_post(&nodes, stranger, "hello", "{s:s}", "name", "New");
    nodes_settle(&nodes);
    for (unsigned part = 0; part < PARTS; part++)
        lose_and_serve(part, 100);
    json_t *reply = told_reply(&nodes, stranger, first);
    ck_assert_uint_eq(strlen(text_of(json_object_get(reply, "ok"), "token")), PROTOCOL_TOKEN_BYTES);
    json_decref(reply);
    nodes_do(&nodes, stranger, "ping", "");
}
END_TEST

/* ---- requests */

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

static int host_and_watcher(void)
{
    const int host = guest_of_part(&nodes, LOST, "Host"), ana = guest_of_part(&nodes, 0, "Ana");
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
    const int64_t invite = nodes_post(&nodes, host, "invite", "");
    const int64_t bot = nodes_post(&nodes, host, "bot_account", "{s:s}", "handle", "host-bot");
    const int64_t token = nodes_post(&nodes, host, "token_add", "{s:s,s:s,s:i}", "name", "x",
                                     "scope", "play", "days", 3);
    static const char code[] = "7zk3f09qa5vtd2e8r1x6mhbw4cbv";
    const int64_t redeem = nodes_post(&nodes, host, "redeem", "{s:s}", "invite", code);
    const int64_t prove = nodes_post(&nodes, host, "prove", "{s:s}", "pass", code);
    const int64_t add = nodes_post(&nodes, host, "passkey_add", "{s:{s:s,s:s}}", "passkey",
                                   "client_data", "YQ", "attestation", "YQ");
    nodes_settle(&nodes);
    nodes_cut(&nodes, EDGE, 1);
    owner->delayed[EDGE] = false;
    nodes_join(&nodes, EDGE, 1);
    nodes_settle(&nodes);
    told_check_reply(&nodes, ana, say, "slow_down");
    told_check_reply(&nodes, host, link, "slow_down");
    told_check_reply(&nodes, host, create, "");
    told_check_reply(&nodes, host, invite, "slow_down");
    told_check_reply(&nodes, host, bot, "slow_down");
    told_check_reply(&nodes, host, token, "slow_down");
    told_check_reply(&nodes, host, redeem, "slow_down");
    told_check_reply(&nodes, host, prove, "slow_down");
    told_check_reply(&nodes, host, add, "slow_down");
    lose_and_serve(LOST, 100);
    ck_assert_ptr_null(nodes_reply(&nodes, ana, say)); /* that was all */
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
    told_check_reply(&nodes, host, leave, "");
    json_t *reply = told_reply(&nodes, ana, join);
    ck_assert_ptr_nonnull(json_object_get(json_object_get(reply, "ok"), "state"));
    json_decref(reply);
    nodes_forget(&nodes, host);
    lose_and_serve(LOST, 1000);
    nodes_do(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "hi");
    ck_assert_uint_eq(nodes.guests[host].count, 0); /* it has left */
    told_check(&nodes, room, ana);
    json_t *ok = nodes_ok(&nodes, ana, "past", "{s:s,s:i}", "room", room, "have", 0);
    nodes_do(&nodes, ana, "watch", "{s:s,s:I}", "room", room, "have", number_of(ok, "seq"));
    json_decref(ok);
    nodes_forget(&nodes, ana);
    lose_and_serve(LOST, 1000);
    ck_assert_uint_eq(count_pushes(ana, "event", NULL), 0); /* it had them all */
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
    const int other = guest_of_part(&nodes, 0, "Other");
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
    told_check(&nodes, room, ana);
    told_check(&nodes, room, host);
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
            told_check(&nodes, room, ana);
    }
}
END_TEST

/* ---- what else it was told */

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
    told_check_reply(&nodes, host, id, "store_failing");
    ck_assert_uint_eq(count_pushes(ana, "notice", "store_failing"), 1);
    lose_and_serve(LOST, 100);
    ck_assert_uint_eq(count_pushes(ana, "notice", "store_recovered"), 1);
}
END_TEST

/* All who are connected to a process that ends are told, once each, wherever their parts are; and
 * not that it does not end when others take its parts. */
START_TEST(test_process_ends)
{
    const int here = host_and_watcher(), there = host_of();
    const int stranger = nodes_connect(&nodes, EDGE);
    const int elsewhere = nodes_guest(&nodes, 2, "Elsewhere");
    ck_assert_int_eq(nodes.places[0].node, EDGE);
    site_end(nodes.nodes[EDGE].site, nodes.now_ms);
    site_end(nodes.nodes[EDGE].site, nodes.now_ms);
    nodes_settle(&nodes);
    ck_assert_uint_eq(count_pushes(here, "notice", "draining"), 1);
    ck_assert_uint_eq(count_pushes(there, "notice", "draining"), 1);
    ck_assert_uint_eq(count_pushes(stranger, "notice", "draining"), 1);
    ck_assert_uint_eq(count_pushes(elsewhere, "notice", "draining"), 0);
    nodes_leave(&nodes, 0);
    nodes_serve(&nodes, 0, 2);
    nodes_settle(&nodes);
    nodes_do(&nodes, here, "devices", "");
    ck_assert_uint_eq(count_pushes(here, "notice", "serving"), 0);
    ck_assert_int_eq(nodes.guests[here].close_code, 0);
}
END_TEST

/* What was said last, and lies in a hub when its part is given up, is told all the same. */
START_TEST(test_last_words)
{
    const int ana = host_and_watcher();
    for (int node = 1; node >= 0; node--) { /* elsewhere, and here */
        ck_assert_int_eq(nodes.places[LOST].node, node);
        nodes_forget(&nodes, ana);
        hub_drain(nodes.places[LOST].hub, nodes.now_ms);
        nodes_lose(&nodes, LOST);
        nodes_settle(&nodes);
        ck_assert_uint_eq(count_pushes(ana, "notice", "draining"), 1);
        nodes_serve(&nodes, LOST, EDGE);
        nodes_settle(&nodes);
        ck_assert_uint_eq(count_pushes(ana, "notice", "serving"), 1);
    }
}
END_TEST

/* A node that is told that another has a part of its own, which it has lost, goes there. */
START_TEST(test_fenced_edge)
{
    const int ana = guest_of_part(&nodes, 0, "Ana");
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
    tcase_add_test(tcase, test_process_ends);
    tcase_add_test(tcase, test_last_words);
    tcase_add_test(tcase, test_fenced_edge);
    suite_add_tcase(suite, tcase);
    return suite;
}
