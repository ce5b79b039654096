/* Accounts of a site: one handle for one of all, and known in every part that its client is in. */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <hub/admin.h>
#include <registry/registry.h>
#include <site/documents.h>
#include <site/operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;

static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

static const char *handle_of(const json_t *ok)
{
    return text_of(json_object_get(ok, "account"), "handle");
}

/* What the seat shows to somebody who looks on. */
static void seat_shows(int guest, const char *room, const char *seat, const char *handle)
{
    json_t *ok = nodes_ok(&nodes, guest, "watch", "{s:s}", "room", room);
    const json_t *seats = json_object_get(json_object_get(ok, "state"), "seats");
    ck_assert_str_eq(text_of(json_object_get(seats, seat), "handle"), handle);
    json_decref(ok);
}

/* Somebody whose home is that part. */
static int guest_at(unsigned part, int node)
{
    int guest = nodes_guest(&nodes, node, "Ana");
    while (home_of(&nodes, guest) != part)
        guest = nodes_guest(&nodes, node, "Ana");
    return guest;
}

/* At home in one part, known in a room of another: here, and at another node. */
static void room_of(unsigned part, char room[static 9])
{
    nodes_room(&nodes, guest_at(part, (int)part % 3), room);
}

START_TEST(test_known_in_other_parts)
{
    char room[9];
    const int ana = guest_at(0, 0);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    room_of((unsigned)_i, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    seat_shows(ana, room, "1", "Ana-1");
}
END_TEST

/* Who is there already is known by it from the next seat on. */
START_TEST(test_claimed_while_it_is_elsewhere)
{
    char room[9];
    const int ana = guest_at(0, 0);
    room_of((unsigned)_i, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    seat_shows(ana, room, "1", "Ana-1");
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Hanna");
    nodes_do(&nodes, ana, "sit", "{s:s,s:s}", "room", room, "colour", "brown");
    seat_shows(ana, room, "1", "Hanna");
}
END_TEST

/* What one device claims holds on the others at once, in whatever part they are. */
START_TEST(test_claimed_by_another_device)
{
    char room[9];
    const int ana = guest_at(0, 0), other = nodes_back(&nodes, 1, ana);
    room_of((unsigned)_i, room);
    nodes_do(&nodes, other, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    nodes_do(&nodes, other, "join", "{s:s,s:i}", "room", room, "seat", 1);
    seat_shows(other, room, "1", "Ana-1");
}
END_TEST

START_TEST(test_known_after_hello_again)
{
    char room[9];
    const int ana = guest_at(0, 0);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    nodes_disconnect(&nodes, ana);
    const int again = nodes_back(&nodes, 1, ana);
    room_of((unsigned)_i, room);
    nodes_do(&nodes, again, "join", "{s:s,s:i}", "room", room, "seat", 1);
    seat_shows(again, room, "1", "Ana-1");
}
END_TEST

/* The seat is the log's: nobody has to ask who it was when the part has gone to another node. */
START_TEST(test_shown_after_a_takeover)
{
    char room[9];
    const int ana = guest_at(0, 0), bo = guest_at(2, 2);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    room_of(1, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_kill(&nodes, 1);
    nodes_serve(&nodes, 1, 2);
    nodes_settle(&nodes);
    seat_shows(bo, room, "1", "Ana-1");
}
END_TEST

/* A token that is not for playing plays nowhere, at whatever node and in whatever part; what it is
 * for it may, and its end ends all of it. */
START_TEST(test_a_token_is_held_to_its_scope_elsewhere)
{
    char room[9];
    const int ana = guest_at(0, 0), robot = nodes_connect(&nodes, 1);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    json_t *made = nodes_ok(&nodes, ana, "token_add", "{s:s,s:s,s:i}", "name", "reader", "scope",
                            "games", "days", 3);
    nodes_do(&nodes, robot, "hello", "{s:s}", "token", text_of(made, "token"));
    room_of((unsigned)_i, room);
    nodes_refused(&nodes, robot, "not_allowed", "watch", "{s:s}", "room", room);
    nodes_refused(&nodes, robot, "not_allowed", "join", "{s:s}", "room", room);
    nodes_refused(&nodes, robot, "not_allowed", "say", "{s:s,s:s}", "room", room, "text", "x");
    if (_i != 0) { /* its home comes back, and knows it by its hash */
        nodes_lose(&nodes, 0);
        nodes_serve(&nodes, 0, 2);
        nodes_settle(&nodes);
        nodes_refused(&nodes, robot, "not_allowed", "join", "{s:s}", "room", room);
        nodes_refused(&nodes, robot, "not_allowed", "devices", "");
    }
    nodes_do(&nodes, robot, "games", "");
    json_t *listed = nodes_ok(&nodes, ana, "tokens", "");
    const json_t *token = json_array_get(json_object_get(listed, "tokens"), 0);
    nodes_do(&nodes, ana, "token_drop", "{s:s}", "key", text_of(token, "key"));
    ck_assert(!nodes.guests[robot].open);
    json_decref(listed);
    json_decref(made);
}
END_TEST

static void silence(int guest)
{
    char text[256];
    const int len = snprintf(text, sizeof text,
                             "{\"bans\":1}\n{\"target\":\"%s\",\"silence\":true,\"since\":%lld,"
                             "\"until\":%lld}\n{\"end\":1}\n",
                             nodes.guests[guest].session, (long long)nodes.now_ms,
                             (long long)nodes.now_ms + 3600000);
    for (int node = 0; node < NODES; node++)
        ck_assert(
            site_document(nodes.nodes[node].site, "bans", text, (size_t)len, 2, nodes.now_ms));
}

/* Else a program would be the way around it: at its home or at another node, in whatever part. */
START_TEST(test_what_its_owner_may_not_say_a_program_may_not)
{
    char room[9];
    const int ana = guest_at(0, 0), robot = nodes_connect(&nodes, _i % 2);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    nodes_do(&nodes, ana, "bot_account", "{s:s}", "handle", "ana-bot");
    json_t *made = nodes_ok(&nodes, ana, "token_add", "{s:s,s:s,s:i,s:s}", "name", "x", "scope",
                            "play", "days", 3, "handle", "ana-bot");
    nodes_do(&nodes, robot, "hello", "{s:s}", "token", text_of(made, "token"));
    room_of((unsigned)_i / 2, room);
    nodes_do(&nodes, robot, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, robot, "say", "{s:s,s:s}", "room", room, "text", "x");
    silence(ana);
    nodes_refused(&nodes, robot, "silenced", "say", "{s:s,s:s}", "room", room, "text", "x");
    if (_i / 2 != 0) { /* its home goes to another node: there it is known by its hash */
        nodes_lose(&nodes, 0);
        nodes_serve(&nodes, 0, 2);
        nodes_settle(&nodes);
        nodes_refused(&nodes, robot, "silenced", "say", "{s:s,s:s}", "room", room, "text", "x");
    }
    json_decref(made);
}
END_TEST

/* Who has come to appeal may nothing else, in whatever part. */
START_TEST(test_who_comes_to_appeal)
{
    char room[9];
    const int ana = guest_at(0, 0), door = nodes_connect(&nodes, 1);
    room_of((unsigned)_i, room);
    json_t *ok = nodes_ok(&nodes, door, "hello", "{s:s,s:s}", "token", nodes.guests[ana].token,
                          "for", "appeal");
    ck_assert_int_eq(number_of(ok, "banned_ms"), 0);
    json_decref(ok);
    nodes_refused(&nodes, door, "not_allowed", "watch", "{s:s}", "room", room);
    nodes_refused(&nodes, door, "not_allowed", "join", "{s:s}", "room", room);
    nodes_refused(&nodes, door, "not_allowed", "say", "{s:s,s:s}", "room", room, "text", "x");
    nodes_refused(&nodes, door, "unknown_judgement", "appeal", "{s:i,s:s}", "judgement", 7, "text",
                  "x");
}
END_TEST

static bool hears(int guest, int speaker, const char *room)
{
    bool heard = false;
    nodes_forget(&nodes, guest);
    nodes_do(&nodes, speaker, "say", "{s:s,s:s}", "room", room, "text", "hi");
    for (size_t at = 0; at < nodes.guests[guest].count; at++)
        heard = heard || strcmp(text_of(nodes.guests[guest].inbox[at], "push"), "said") == 0;
    return heard;
}

static void is_quiet(int guest, int speaker, const char *room, bool quiet)
{
    if (quiet)
        nodes_refused(&nodes, guest, "quiet", "say", "{s:s,s:s}", "room", room, "text", "x");
    else
        nodes_do(&nodes, guest, "say", "{s:s,s:s}", "room", room, "text", "x");
    ck_assert(hears(guest, speaker, room) != quiet);
}

/* In rooms of all parts, at the node of the part and at others; also in one that it has come to
 * before, on another device, and after its home has gone elsewhere. */
START_TEST(test_quiet_everywhere)
{
    char room[9];
    const int ana = guest_at(0, 0), bo = guest_at(1, 1);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    const int other = nodes_back(&nodes, 2, ana);
    room_of((unsigned)_i, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, bo, "watch", "{s:s}", "room", room);
    is_quiet(ana, bo, room, false);
    nodes_do(&nodes, other, "quiet", "{s:b}", "on", 1);
    is_quiet(ana, bo, room, true);
    nodes_do(&nodes, other, "watch", "{s:s}", "room", room);
    is_quiet(other, bo, room, true);
    if (_i != 0) {
        nodes_lose(&nodes, 0);
        nodes_serve(&nodes, 0, 2);
        nodes_settle(&nodes);
        is_quiet(ana, bo, room, true);
    }
    nodes_do(&nodes, ana, "quiet", "{s:b}", "on", 0);
    is_quiet(ana, bo, room, false);
    is_quiet(other, bo, room, false);
}
END_TEST

/* By the name that it has come to, whatever its account says. */
START_TEST(test_a_quiet_connection)
{
    char room[9];
    const int bo = guest_at(1, 1), eve = nodes_connect(&nodes, 0);
    site_set_quiet(nodes.nodes[0].site, nodes.guests[eve].peer);
    json_t *ok = nodes_ok(&nodes, eve, "hello", "{s:s}", "name", "Eve");
    ck_assert(json_is_true(json_object_get(ok, "quiet")));
    json_decref(ok);
    nodes_do(&nodes, eve, "claim", "{s:s}", "handle", "Eve-1");
    room_of((unsigned)_i, room);
    nodes_do(&nodes, eve, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, bo, "watch", "{s:s}", "room", room);
    is_quiet(eve, bo, room, true);
    nodes_do(&nodes, eve, "quiet", "{s:b}", "on", 1);
    nodes_do(&nodes, eve, "quiet", "{s:b}", "on", 0);
    is_quiet(eve, bo, room, true);
    nodes_lose(&nodes, (unsigned)_i);
    nodes_serve(&nodes, (unsigned)_i, 2);
    nodes_settle(&nodes);
    is_quiet(eve, bo, room, true);
}
END_TEST

/* Who is there is asked of the node where they are at home; one that is not reached says nothing.
 */
START_TEST(test_friends_at_two_nodes)
{
    const int ana = guest_at(0, 0), bo = guest_at(1, 1);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    nodes_do(&nodes, bo, "claim", "{s:s}", "handle", "Bo-1");
    nodes_do(&nodes, ana, "follow", "{s:s}", "handle", "Bo-1");
    nodes_do(&nodes, bo, "follow", "{s:s}", "handle", "Ana-1");
    json_t *ok = nodes_ok(&nodes, ana, "friends", "");
    const json_t *one = json_array_get(json_object_get(ok, "friends"), 0);
    ck_assert_str_eq(text_of(one, "handle"), "Bo-1");
    ck_assert(json_is_true(json_object_get(one, "online")));
    json_decref(ok);
    nodes_cut(&nodes, 0, 1);
    const int64_t id = nodes_post(&nodes, ana, "friends", "");
    nodes_pass(&nodes, 2000);
    json_t *reply = nodes_reply(&nodes, ana, id);
    ok = json_object_get(reply, "ok");
    one = json_array_get(json_object_get(ok, "friends"), 0);
    ck_assert_str_eq(text_of(one, "handle"), "Bo-1");
    ck_assert(!json_object_get(one, "online"));
    ck_assert(json_is_true(json_object_get(ok, "incomplete")));
    json_decref(reply);
}
END_TEST

/* At whatever nodes they are: the store says which of two has it. */
START_TEST(test_of_two_at_once_one_has_it)
{
    int granted = 0;
    const int guests[] = {guest_at(0, 0), guest_at((unsigned)_i, _i % 3)};
    const int64_t ids[] = {nodes_post(&nodes, guests[0], "claim", "{s:s}", "handle", "same"),
                           nodes_post(&nodes, guests[1], "claim", "{s:s}", "handle", "SAME")};
    nodes_settle(&nodes);
    for (int at = 0; at < 2; at++) {
        json_t *reply = nodes_reply(&nodes, guests[at], ids[at]);
        const json_t *ok = json_object_get(reply, "ok");
        granted += ok != NULL;
        if (!ok)
            ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "handle_taken");
        json_decref(reply);
    }
    ck_assert_int_eq(granted, 1);
}
END_TEST

/* A batch that is stored, though the hub is not told so, has claimed what it claims. */
START_TEST(test_claimed_though_nobody_was_told)
{
    const int ana = guest_at(0, 0), bo = guest_at(1, 1);
    nodes.places[0].storing = STORED_UNKNOWN;
    (void)nodes_post(&nodes, ana, "claim", "{s:s}", "handle", "same");
    nodes_settle(&nodes);
    nodes_lose(&nodes, 0);
    nodes.places[0].storing = STORED;
    nodes_serve(&nodes, 0, 2);
    nodes_settle(&nodes);
    nodes_refused(&nodes, bo, "handle_taken", "claim", "{s:s}", "handle", "same");
    const int again = nodes_connect(&nodes, 2);
    json_t *ok = nodes_ok(&nodes, again, "hello", "{s:s}", "token", nodes.guests[ana].token);
    ck_assert_str_eq(handle_of(ok), "same");
    json_decref(ok);
}
END_TEST

/* Where the message is in the inbox that is the push or the reply. */
static size_t place_of(int guest, const char *push, json_int_t id)
{
    const struct guest *to = &nodes.guests[guest];
    for (size_t at = 0; at < to->count; at++) {
        if (push ? strcmp(text_of(to->inbox[at], "push"), push) == 0
                 : number_of(to->inbox[at], "id") == id)
            return at;
    }
    ck_abort_msg("it has not come");
}

/*
 * Whoever has the part now has to ask the store whom she has blocked before she follows the room:
 * what she is answered waits for that.
 */
START_TEST(test_an_event_comes_before_its_reply_after_a_takeover)
{
    char room[9];
    const int ana = guest_at(0, 0);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    room_of(1, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_forget(&nodes, ana);
    nodes.places[1].storing = STORED_UNKNOWN;
    const int64_t ready = nodes_post(&nodes, ana, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    nodes_settle(&nodes);
    nodes_lose(&nodes, 1);
    nodes.places[1].storing = STORED;
    nodes_serve(&nodes, 1, 2);
    const int64_t after = nodes_post(&nodes, ana, "moves", "{s:s}", "room", room);
    nodes_settle(&nodes);
    ck_assert_uint_lt(place_of(ana, "event", 0), place_of(ana, NULL, ready));
    ck_assert_uint_lt(place_of(ana, NULL, ready), place_of(ana, NULL, after));
}
END_TEST

/* ---- moderators */

static enum admin_outcome ask_operator(int node, const char *text)
{
    struct admin_request request;
    struct refusal refusal = {0};
    struct buffer line;
    const struct site_inquiry inquiry = {.request = &request, .server = "s", .most = 1};
    struct site *site = nodes.nodes[node].site;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert(admin_request_read(&request, registry, text, strlen(text), &refusal));
    enum admin_outcome outcome =
        site_operator_ask(site, &inquiry, nodes.now_ms, &line, &line, &refusal);
    while (outcome == ADMIN_WAITS) {
        nodes_settle(&nodes);
        outcome = site_operator_next(site, nodes.now_ms, &line, &refusal);
    }
    buffer_release(&line);
    return outcome;
}

/* Asked of each node, as one of them has the account's home. */
static void by_operator(const char *text)
{
    int node = 0;
    while (node < 3 && ask_operator(node, text) != ADMIN_DONE)
        node++;
    ck_assert_int_lt(node, 3);
}

/* The queue is at the desk, whatever part of the site somebody is at home in, and whatever node
 * they came to; what was taken away is gone for who is there already. */
START_TEST(test_moderates_from_any_part)
{
    const int home = guest_at((unsigned)_i, _i % 3);
    nodes_do(&nodes, home, "claim", "{s:s}", "handle", "Ana-1");
    const int ana = nodes_back(&nodes, (_i + 1) % 3, home);
    nodes_refused(&nodes, ana, "not_moderator", "cases", "");
    by_operator("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Ana-1\"}");
    json_t *ok = nodes_ok(&nodes, ana, "cases", "");
    ck_assert(json_is_array(json_object_get(ok, "reports")));
    json_decref(ok);
    nodes_refused(&nodes, ana, "unknown_case", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict",
                  "warn", "why", "talk");
    by_operator("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Ana-1\",\"cancel\":true}");
    nodes_refused(&nodes, ana, "not_moderator", "cases", "");
}
END_TEST

Suite *account_suite(void)
{
    Suite *suite = suite_create("account");
    TCase *tests = tcase_create("accounts of a site");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, test_known_in_other_parts, 0, 4);
    tcase_add_loop_test(tests, test_claimed_while_it_is_elsewhere, 0, 4);
    tcase_add_loop_test(tests, test_claimed_by_another_device, 0, PARTS);
    tcase_add_loop_test(tests, test_known_after_hello_again, 0, 4);
    tcase_add_test(tests, test_shown_after_a_takeover);
    tcase_add_loop_test(tests, test_a_token_is_held_to_its_scope_elsewhere, 0, 4);
    tcase_add_loop_test(tests, test_who_comes_to_appeal, 0, PARTS);
    tcase_add_loop_test(tests, test_quiet_everywhere, 0, PARTS);
    tcase_add_loop_test(tests, test_a_quiet_connection, 0, PARTS);
    tcase_add_loop_test(tests, test_what_its_owner_may_not_say_a_program_may_not, 0, 2 * PARTS);
    tcase_add_test(tests, test_an_event_comes_before_its_reply_after_a_takeover);
    tcase_add_test(tests, test_friends_at_two_nodes);
    tcase_add_loop_test(tests, test_of_two_at_once_one_has_it, 0, 4);
    tcase_add_test(tests, test_claimed_though_nobody_was_told);
    tcase_add_loop_test(tests, test_moderates_from_any_part, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
