/* Several parts on several nodes, all well: a client cannot tell. */
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* ---- hello */

START_TEST(test_hello_everywhere)
{
    for (int node = 0; node < 3; node++) {
        const int guest = nodes_guest(&nodes, node, "Ana \"\\\u00e9\"");
        ck_assert_int_eq(nodes.places[home_of(&nodes, guest)].node, node); /* made where it is */
        for (int other = 0; other < 3; other++) {
            const int again = nodes_back(&nodes, other, guest);
            ck_assert_uint_eq(home_of(&nodes, again), home_of(&nodes, guest));
        }
    }
}
END_TEST

START_TEST(test_hello_refused)
{
    const int guest = nodes_connect(&nodes, 0);
    nodes_refused(&nodes, guest, "hello_first", "rooms", "");
    for (int tried = 0; tried < 5; tried++) {
        char token[PROTOCOL_TOKEN_BYTES + 1];
        memset(token, "AEIMQ"[tried], sizeof token - 1);
        token[PROTOCOL_TOKEN_BYTES] = '\0';
        nodes_refused(&nodes, guest, "unknown_token", "hello", "{s:s}", "token", token);
    }
    nodes_refused(&nodes, guest, "bad_field", "hello", "{s:s}", "name", "\u202e");
    nodes_do(&nodes, guest, "hello", "{s:s}", "name", "Ana");
    nodes_refused(&nodes, guest, "hello_twice", "hello", "{s:s}", "name", "Ana");
    nodes_send(&nodes, guest, "{\"id\":7");
    nodes_settle(&nodes);
    ck_assert_str_eq(text_of(json_object_get(nodes.guests[guest].inbox[0], "error"), "code"),
                     "bad_json");
}
END_TEST

/* What is sent behind hello, before its answer, is answered behind it. */
START_TEST(test_hello_and_more)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, ana, room);
    const int bo = nodes_connect(&nodes, 1);
    const int64_t hello = nodes_post(&nodes, bo, "hello", "{s:s}", "name", "Bo");
    const int64_t join = nodes_post(&nodes, bo, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_settle(&nodes);
    ck_assert_int_eq(number_of(nodes.guests[bo].inbox[0], "id"), hello);
    json_t *reply = nodes_reply(&nodes, bo, join);
    ck_assert_msg(json_object_get(reply, "ok"), "%s",
                  text_of(json_object_get(reply, "error"), "code"));
    json_decref(reply);
}
END_TEST

START_TEST(test_seats_of_all_parts)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    char rooms[4][9];
    for (int node = 0; node < 3; node++) {
        const int host = nodes_guest(&nodes, node, "Host");
        nodes_room(&nodes, host, rooms[node]);
        nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", rooms[node], "seat", 1);
    }
    for (int node = 0; node < 3; node++) {
        const int again = nodes_connect(&nodes, node);
        json_t *ok = nodes_ok(&nodes, again, "hello", "{s:s}", "token", nodes.guests[ana].token);
        const json_t *seats = json_object_get(ok, "seats");
        ck_assert_uint_eq(json_array_size(seats), 3);
        for (size_t room = 0; room < 3; room++) {
            bool found = false;
            for (size_t at = 0; at < 3; at++) {
                const json_t *seat = json_array_get(seats, at);
                found = found || (strcmp(text_of(seat, "room"), rooms[room]) == 0 &&
                                  number_of(seat, "seat") == 1);
            }
            ck_assert_msg(found, "no seat in %s", rooms[room]);
        }
        json_decref(ok);
    }
}
END_TEST

static size_t told_whole(int guest)
{
    size_t count = 0;
    for (size_t at = 0; at < nodes.guests[guest].count; at++)
        count += strcmp(text_of(nodes.guests[guest].inbox[at], "code"), "whole") == 0;
    return count;
}

/* Whether the list of rooms says that it is not whole. */
static bool lists_incomplete(int guest, size_t rooms)
{
    json_t *ok = nodes_ok(&nodes, guest, "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "mine")), rooms);
    const bool incomplete = json_is_true(json_object_get(ok, "incomplete"));
    ck_assert(incomplete || !json_object_get(ok, "incomplete"));
    json_decref(ok);
    return incomplete;
}

/* While nobody has a part, seats and rooms of it are missing, and each answer says so. */
START_TEST(test_what_is_left_out_is_said)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), bo = nodes_guest(&nodes, 1, "Bo");
    char room[9];
    const int host = nodes_guest(&nodes, 2, "Host");
    nodes_room(&nodes, host, room);
    const unsigned part = part_of_room(room, nodes.parts);
    ck_assert_uint_ne(part, home_of(&nodes, ana));
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    ck_assert(!lists_incomplete(ana, 1));
    nodes_lose(&nodes, part);
    nodes_settle(&nodes);
    const int again = nodes_connect(&nodes, 0);
    json_t *ok = nodes_ok(&nodes, again, "hello", "{s:s}", "token", nodes.guests[ana].token);
    ck_assert(json_is_true(json_object_get(ok, "incomplete")));
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "seats")), 0);
    json_decref(ok);
    ck_assert(lists_incomplete(bo, 0));
    nodes_pass(&nodes, 5000);
    ck_assert_uint_eq(told_whole(again) + told_whole(bo), 0);
    nodes_serve(&nodes, part, 1);
    nodes_pass(&nodes, 1000);
    nodes_pass(&nodes, 1000);
    ck_assert_uint_eq(told_whole(again), 1);
    ck_assert_uint_eq(told_whole(bo), 1);
    ck_assert_uint_eq(told_whole(host), 0);
    ck_assert(!lists_incomplete(again, 1));
    nodes_pass(&nodes, 5000);
    ck_assert_uint_eq(told_whole(again), 1);
}
END_TEST

/* ---- rooms */

/* The seqs of the events of a room that came, one after the other. */
static json_int_t check_seqs(int guest, const char *room, json_int_t seq)
{
    for (size_t at = 0; at < nodes.guests[guest].count; at++) {
        const json_t *message = nodes.guests[guest].inbox[at];
        if (strcmp(text_of(message, "push"), "event") != 0 ||
            strcmp(text_of(message, "room"), room) != 0)
            continue;
        if (seq >= 0)
            ck_assert_int_eq(number_of(message, "seq"), seq + 1);
        seq = number_of(message, "seq");
    }
    return seq;
}

/* Home, room and the two players' connections are on nodes of every combination. */
START_TEST(test_match)
{
    const int ana = nodes_guest(&nodes, _i / 3, "Ana"), host = nodes_guest(&nodes, _i % 3, "Host");
    const int players[2] = {nodes_back(&nodes, (_i + 1) % 3, ana), host};
    json_int_t seqs[2] = {-1, -1};
    char room[9];
    int moves = 0;
    nodes_room(&nodes, host, room);
    nodes_begin(&nodes, players, room);
    while (nodes_move(&nodes, players, room)) {
        nodes.now_ms += 200;
        moves++;
        for (int seat = 0; seat < 2; seat++) {
            seqs[seat] = check_seqs(players[seat], room, seqs[seat]);
            nodes_forget(&nodes, players[seat]);
        }
    }
    ck_assert_int_gt(moves, 30);
    ck_assert_int_eq(seqs[0], seqs[1]);
    ck_assert_int_gt(seqs[0], moves);
}
END_TEST

START_TEST(test_unknown_room)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    static const char *const rooms[] = {"00000000", "01000000", "02000000", "03000000"};
    for (int at = 0; at < 4; at++)
        nodes_refused(&nodes, ana, "unknown_room", "watch", "{s:s}", "room", rooms[at]);
    nodes_refused(&nodes, ana, "bad_field", "watch", "{s:s}", "room", "u");
}
END_TEST

/* ---- the list */

enum { MANY = 130 };

START_TEST(test_list)
{
    static char seen[MANY][9];
    char after[9] = "";
    size_t count = 0;
    bool more = true;
    for (int at = 0; at < MANY; at++) {
        char room[9];
        const int host = nodes_guest(&nodes, at % 3, "Host");
        nodes_room(&nodes, host, room);
        nodes_disconnect(&nodes, host);
        nodes.now_ms += 1000;
    }
    const int ana = nodes_guest(&nodes, 1, "Ana");
    while (more) {
        json_t *ok = after[0] ? nodes_ok(&nodes, ana, "rooms", "{s:s}", "after", after)
                              : nodes_ok(&nodes, ana, "rooms", "");
        const json_t *rooms = json_object_get(ok, "rooms");
        more = json_is_true(json_object_get(ok, "more"));
        ck_assert_uint_le(json_array_size(rooms), 50);
        for (size_t at = 0; at < json_array_size(rooms); at++) {
            ck_assert_uint_lt(count, MANY);
            memcpy(seen[count], text_of(json_array_get(rooms, at), "room"), 9);
            ck_assert(count == 0 || strcmp(seen[count - 1], seen[count]) < 0);
            memcpy(after, seen[count++], 9);
        }
        json_decref(ok);
        nodes.now_ms += 1000;
    }
    ck_assert_uint_eq(count, MANY);
}
END_TEST

/* Lobbies come before what has begun, whichever part they are in; and one's own of all parts. */
START_TEST(test_list_order)
{
    const int one = nodes_guest(&nodes, 0, "One"), two = nodes_guest(&nodes, 1, "Two");
    const int players[2] = {one, two};
    char begun[9], lobby[9];
    nodes_room(&nodes, one, begun);
    nodes_begin(&nodes, players, begun);
    nodes_room(&nodes, two, lobby);
    nodes_do(&nodes, one, "join", "{s:s,s:i}", "room", lobby, "seat", 0);
    json_t *ok = nodes_ok(&nodes, one, "rooms", "");
    const json_t *rooms = json_object_get(ok, "rooms");
    ck_assert_uint_eq(json_array_size(rooms), 2);
    ck_assert_str_eq(text_of(json_array_get(rooms, 0), "room"), lobby);
    ck_assert_str_eq(text_of(json_array_get(rooms, 1), "room"), begun);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "mine")), 2);
    ck_assert_ptr_null(json_object_get(ok, "more"));
    json_decref(ok);
    ok = nodes_ok(&nodes, one, "rooms", "{s:s}", "after", lobby);
    rooms = json_object_get(ok, "rooms");
    ck_assert_uint_eq(json_array_size(rooms), 1);
    ck_assert_str_eq(text_of(json_array_get(rooms, 0), "room"), begun);
    ck_assert_ptr_null(json_object_get(ok, "mine"));
    json_decref(ok);
}
END_TEST

/* ---- one's devices, wherever they are */

START_TEST(test_devices)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    json_t *link = nodes_ok(&nodes, ana, "link", "");
    const int phone = nodes_connect(&nodes, 2);
    json_t *ok = nodes_ok(&nodes, phone, "hello", "{s:s}", "pass", text_of(link, "pass"));
    ck_assert_str_eq(text_of(ok, "session"), nodes.guests[ana].session);
    json_decref(ok);
    json_decref(link);
    ok = nodes_ok(&nodes, ana, "devices", "");
    const json_t *devices = json_object_get(ok, "devices");
    ck_assert_uint_eq(json_array_size(devices), 2);
    for (size_t at = 0; at < 2; at++) {
        const json_t *device = json_array_get(devices, at);
        if (!json_is_true(json_object_get(device, "this")))
            nodes_do(&nodes, ana, "forget", "{s:s}", "device", text_of(device, "device"));
    }
    json_decref(ok);
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes.guests[phone].close_code, 4006);
    ck_assert(nodes.guests[ana].open);
}
END_TEST

/* ---- links */

/* A push to many that watch from one node crosses the link to it once. */
START_TEST(test_many_watch)
{
    const int host = nodes_guest(&nodes, 0, "Host");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, host, "join", "{s:s,s:i}", "room", room, "seat", 0);
    for (int watcher = 0; watcher < 20; watcher++) {
        const int guest = nodes_guest(&nodes, 1, "Watcher");
        nodes_do(&nodes, guest, "watch", "{s:s}", "room", room);
        nodes.now_ms += 30000;
    }
    nodes_pass(&nodes, 5000);
    const size_t frames = nodes.nodes[0].frames;
    nodes_do(&nodes, host, "say", "{s:s,s:s}", "room", room, "text", "hi");
    ck_assert_uint_eq(nodes.nodes[0].frames - frames, 2); /* ABOUT and TELL */
}
END_TEST

/* Who is busy at a table elsewhere is not idle at home. */
START_TEST(test_idle)
{
    const int host = nodes_guest(&nodes, 0, "Host"), ana = nodes_guest(&nodes, 1, "Ana");
    const int idle = nodes_guest(&nodes, 1, "Idle");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_pass(&nodes, nodes.config.idle_timeout_ms * 3);
    ck_assert_int_eq(nodes.guests[idle].close_code, 4004);
    ck_assert(nodes.guests[ana].open);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
}
END_TEST

/* At a table elsewhere as well: then only that place is given up, and it is idle at home from then
 * on. */
START_TEST(test_idle_elsewhere)
{
    const int host = nodes_guest(&nodes, 0, "Host"), ana = nodes_guest(&nodes, 1, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, ana, "leave", "{s:s}", "room", room);
    nodes_pass(&nodes, nodes.config.idle_timeout_ms + 1000);
    ck_assert(nodes.guests[ana].open);
    nodes_pass(&nodes, nodes.config.idle_timeout_ms + 1000);
    ck_assert_int_eq(nodes.guests[ana].close_code, 4004);
}
END_TEST

/* The home of a session hears that it plays, over a link and within a node. */
START_TEST(test_news)
{
    for (int node = 0; node < 2; node++) {
        const int ana = nodes_guest(&nodes, 0, "Ana");
        int host = nodes_guest(&nodes, node, "Host");
        while (home_of(&nodes, host) == home_of(&nodes, ana))
            host = nodes_guest(&nodes, node, "Host");
        struct model_store *store = &nodes.places[home_of(&nodes, ana)].store;
        const uint64_t id = strtoull(nodes.guests[ana].session, NULL, 16);
        char room[9];
        nodes_room(&nodes, host, room);
        ck_assert_int_eq(model_session(store, id)->seen_ms, model_session(store, id)->created_ms);
        nodes.now_ms += 1000;
        nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
        nodes_settle(&nodes);
        ck_assert_int_gt(model_session(store, id)->seen_ms, model_session(store, id)->created_ms);
    }
}
END_TEST

/* A part that was only asked for its rooms, and then for one of them, stays. */
START_TEST(test_asked_and_watched)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
    nodes_post(&nodes, ana, "rooms", "");
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    nodes_do(&nodes, host, "say", "{s:s,s:s}", "room", room, "text", "hi");
    ck_assert_uint_ge(nodes.guests[ana].count, 1);
}
END_TEST

Suite *site_suite(void)
{
    Suite *suite = suite_create("site");
    TCase *tcase = tcase_create("site");
    tcase_add_checked_fixture(tcase, three_nodes, release);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_hello_everywhere);
    tcase_add_test(tcase, test_hello_refused);
    tcase_add_test(tcase, test_hello_and_more);
    tcase_add_test(tcase, test_seats_of_all_parts);
    tcase_add_test(tcase, test_what_is_left_out_is_said);
    tcase_add_loop_test(tcase, test_match, 0, 9);
    tcase_add_test(tcase, test_unknown_room);
    tcase_add_test(tcase, test_list);
    tcase_add_test(tcase, test_list_order);
    tcase_add_test(tcase, test_devices);
    tcase_add_test(tcase, test_many_watch);
    tcase_add_test(tcase, test_idle);
    tcase_add_test(tcase, test_idle_elsewhere);
    tcase_add_test(tcase, test_news);
    tcase_add_test(tcase, test_asked_and_watched);
    suite_add_tcase(suite, tcase);
    return suite;
}
