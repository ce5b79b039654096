/* Accounts of a site: one handle for one of all, and known in every part that its client is in. */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <hub/admin.h>
#include <registry/registry.h>
#include <site/documents.h>
#include <site/operator.h>
#include <site/program.h>
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

/* ---- programs that ask by HTTP */

/* Rooms are made in the name of somebody new, at the first node. */
static struct site_program *post_rooms(const char *token, const char *body, unsigned host,
                                       struct site_program_told *told)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = (uint8_t)host};
    const struct site_program_asked asked = {
        .path = "/api/me/rooms", .token = token, .body = body, .len = strlen(body)};
    nodes.programs = true;
    return site_program_begin(nodes.nodes[0].site, &asked, address, nodes.now_ms, told);
}

/* What opens it, for rooms. */
static void make_token(char token[static 64])
{
    const int ana = guest_at(0, 0);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    json_t *made = nodes_ok(&nodes, ana, "token_add", "{s:s,s:s,s:i}", "name", "maker", "scope",
                            "room", "days", 1);
    (void)snprintf(token, 64, "%s", text_of(made, "token"));
    json_decref(made);
}

/* {"id": 1, "rooms": [{}, room]} */
static char *body_of(json_t *room)
{
    json_t *body = json_pack("{s:i,s:[{},o]}", "id", 1, "rooms", room);
    char *text = json_dumps(body, 0);
    json_decref(body);
    return text;
}

static json_t *nested(int depth)
{
    json_t *value = json_object();
    while (--depth > 0)
        value = json_pack("{s:o}", "in", value);
    return value;
}

static json_t *crowded(int members)
{
    json_t *value = json_object();
    char name[16];
    for (int at = 0; at < members; at++) {
        (void)snprintf(name, sizeof name, "m%d", at);
        (void)json_object_set_new(value, name, json_integer(at));
    }
    return value;
}

static json_t *long_one(int bytes)
{
    char title[5001];
    memset(title, 'x', sizeof title);
    title[bytes] = '\0';
    return json_pack("{s:s}", "title", title);
}

/* What would be answered without its number is refused before anything is made of the rest. */
START_TEST(test_rooms_that_cannot_be_read)
{
    static const struct {
        json_t *(*make)(int count);
        int count;
        const char *code;
    } wrong[] = {{nested, 9, "too_deep"}, {crowded, 63, NULL}, {long_one, 5000, "too_long"}};
    char token[64], expected[64] = "";
    struct site_program_told told;
    make_token(token);
    char *body = body_of(wrong[_i].make(wrong[_i].count));
    ck_assert_ptr_null(post_rooms(token, body, 9, &told));
    free(body);
    ck_assert_int_eq(told.answer.status, 400);
    if (wrong[_i].code)
        (void)snprintf(expected, sizeof expected, "{\"code\":\"%s\"}\n", wrong[_i].code);
    ck_assert_uint_ge(told.answer.len, strlen(expected));
    ck_assert(memcmp(told.answer.body, expected, strlen(expected)) == 0);
    hub_http_release(&told.answer);
}
END_TEST

/* A room that can be read, and is none, is answered in its place. */
START_TEST(test_rooms_that_are_wrong)
{
    char token[64];
    struct site_program_told told;
    make_token(token);
    char *body = body_of(crowded(2));
    struct site_program *program = post_rooms(token, body, 9, &told);
    free(body);
    ck_assert_ptr_nonnull(program);
    for (int times = 0; times < 8 && program; times++) {
        nodes_settle(&nodes);
        if (site_program_take(program, nodes.now_ms, &told))
            program = NULL;
    }
    ck_assert_ptr_null(program);
    ck_assert_int_eq(told.answer.status, 200);
    json_t *value = json_loadb((const char *)told.answer.body, told.answer.len, 0, NULL);
    const json_t *rooms = json_object_get(value, "rooms");
    ck_assert_uint_eq(json_array_size(rooms), 2);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(rooms, 0), "room"));
    ck_assert_ptr_nonnull(json_object_get(json_array_get(rooms, 1), "error"));
    json_decref(value);
    hub_http_release(&told.answer);
}
END_TEST

/* Of all places somebody has a quarter, and others have the rest. */
START_TEST(test_places_of_programs)
{
    enum { ROOMS_AT_ONCE = SITE_PROGRAMS_OF_ADDRESS };
    const char *body = "{\"id\":1,\"rooms\":[{}]}";
    struct site_program *programs[ROOMS_AT_ONCE], *other;
    char token[64];
    struct site_program_told told;
    make_token(token);
    for (int at = 0; at < ROOMS_AT_ONCE; at++) {
        programs[at] = post_rooms(token, body, 9, &told);
        ck_assert_ptr_nonnull(programs[at]);
    }
    ck_assert_ptr_null(post_rooms(token, body, 9, &told));
    ck_assert_int_eq(told.answer.status, 429);
    hub_http_release(&told.answer);
    other = post_rooms(token, body, 10, &told);
    ck_assert_ptr_nonnull(other);
    site_program_end(programs[3], nodes.now_ms); /* one in the middle */
    programs[3] = post_rooms(token, body, 9, &told);
    ck_assert_ptr_nonnull(programs[3]);
    for (int at = 0; at < ROOMS_AT_ONCE; at++)
        site_program_end(programs[at], nodes.now_ms);
    site_program_end(other, nodes.now_ms);
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
    tcase_add_loop_test(tests, test_rooms_that_cannot_be_read, 0, 3);
    tcase_add_test(tests, test_rooms_that_are_wrong);
    tcase_add_test(tests, test_places_of_programs);
    suite_add_tcase(suite, tests);
    return suite;
}
