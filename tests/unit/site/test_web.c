/* What is asked of a whole site by HTTP. */
#include "nodes.h"
#include "suites.h"
#include "visit.h"
#include <hub/part.h>
#include <stdio.h>
#include <string.h>

static struct nodes nodes;
static struct visit visit;

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

static uint64_t ask(int node, const char *path)
{
    return visit_ask(&visit, &nodes, node, path);
}

static bool is_answered(int node, uint64_t ticket)
{
    return visit_is_answered(&visit, &nodes, node, ticket);
}

static int get(int node, const char *path)
{
    return visit_get(&visit, &nodes, node, path);
}

/* Where the room of a match that is over is, by its part. */
static void play(int node, char path[static 32])
{
    const int ana = nodes_guest(&nodes, node, "Ana"), bo = nodes_guest(&nodes, 2 - node, "Bo");
    const int players[2] = {ana, bo};
    char room[9];
    nodes_room(&nodes, ana, room);
    for (int seat = 0; seat < 2; seat++) {
        nodes_do(&nodes, players[seat], "join", "{s:s,s:i}", "room", room, "seat", seat);
        nodes_do(&nodes, players[seat], "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
                 "00112233445566778899aabbccddeeff");
    }
    nodes_do(&nodes, ana, "start", "{s:s}", "room", room);
    nodes_do(&nodes, bo, "resign", "{s:s}", "room", room);
    nodes_disconnect(&nodes, ana);
    nodes_disconnect(&nodes, bo);
    (void)snprintf(path, 32, "/api/records/%s", room);
}

static unsigned part_of(const char *path)
{
    return part_of_room(strrchr(path, '/') + 1, 4);
}

static size_t count_rooms(const char *title)
{
    size_t count = 0;
    json_t *list = json_loads(visit.body, 0, NULL);
    const json_t *rooms = json_object_get(list, "rooms");
    ck_assert_ptr_nonnull(rooms);
    for (size_t at = 0; at < json_array_size(rooms); at++)
        count += !title || strcmp(text_of(json_array_get(rooms, at), "room"), title) == 0;
    json_decref(list);
    return count;
}

/* ---- records */

/* At every node the same as at the one that has it; also when it is not in memory any more. */
START_TEST(test_record)
{
    char path[32], first[4096];
    size_t first_len = 0;
    play(1, path);
    if (_i)
        nodes_pass(&nodes, 1200000);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, path), 200);
        ck_assert_str_eq(visit.answer.type, "text/plain; charset=utf-8");
        ck_assert_ptr_nonnull(strstr(visit.body, "resign"));
        ck_assert_uint_lt(visit.len, sizeof first);
        ck_assert(!first_len ||
                  (first_len == visit.len && memcmp(first, visit.body, visit.len) == 0));
        memcpy(first, visit.body, visit.len);
        first_len = visit.len;
    }
}
END_TEST

START_TEST(test_no_record)
{
    const int ana = nodes_guest(&nodes, 1, "Ana");
    char room[9], path[32];
    nodes_room(&nodes, ana, room);
    (void)snprintf(path, sizeof path, "/api/records/%s", room);
    static const char *const wrong[] = {"/api/records/",         "/api/records/0",
                                        "/api/records/00000000", "/api/records/zzzzzzzz",
                                        "/api/records/?",        "/api/records/000000000",
                                        "/api/record",           "/"};
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, path), 404);
        for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++)
            ck_assert_int_eq(get(node, wrong[at]), 404);
    }
}
END_TEST

/* Who asks too much is refused by the part, wherever it asks. */
START_TEST(test_record_paid)
{
    char path[32];
    int status = 200;
    play(1, path);
    for (int times = 0; times < 6000 && status == 200; times++)
        status = get(0, path);
    ck_assert_int_eq(status, 429);
    ck_assert_int_eq(get(2, path), 429);
}
END_TEST

START_TEST(test_record_of_nobody)
{
    char path[32];
    play(1, path);
    nodes_leave(&nodes, part_of(path));
    nodes_settle(&nodes);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, path), 503);
        ck_assert_int_eq(visit.answer.retry_s, 1);
    }
    nodes_serve(&nodes, part_of(path), 2);
    nodes_settle(&nodes);
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, path), 200);
}
END_TEST

/* The question is on its way, or the answer is. */
START_TEST(test_record_link_lost)
{
    char path[32];
    play(1, path);
    const uint64_t ticket = ask(0, path);
    ck_assert_uint_ne(ticket, 0);
    ck_assert(!is_answered(0, ticket));
    if (_i) {
        size_t len;
        const unsigned char *bytes;
        while ((bytes = site_link_output(nodes.nodes[0].links[1], &len)) != NULL) {
            ck_assert(site_link_receive(nodes.nodes[1].links[0], bytes, len, nodes.now_ms));
            site_link_sent(nodes.nodes[0].links[1]);
        }
        ck_assert_ptr_nonnull(site_link_output(nodes.nodes[1].links[0], &len));
    }
    nodes_cut(&nodes, 0, 1);
    ck_assert(is_answered(0, ticket));
    ck_assert_int_eq(visit.answer.status, 503);
    nodes_settle(&nodes);
    ck_assert(!is_answered(0, ticket));
}
END_TEST

/* Nothing is said of a part that is held; what waited for it comes afterwards. */
START_TEST(test_held)
{
    char path[32], room[9];
    play(1, path);
    struct site *site = nodes.nodes[1].site;
    const unsigned part = part_of(path);
    nodes_pass(&nodes, 1200000);
    const int host = nodes_guest(&nodes, 1, "Host");
    nodes_room(&nodes, host, room);
    ck_assert_int_eq(get(1, "/api/rooms"), 200);
    ck_assert_uint_eq(count_rooms(room), 1);
    const uint64_t waits = ask(1, path);
    site_hold(site, part, true, nodes.now_ms);
    nodes_settle(&nodes);
    ck_assert(!is_answered(1, waits));
    ck_assert_int_eq(get(1, "/api/rooms"), 200);
    ck_assert_uint_eq(count_rooms(room), 0);
    for (int node = 0; node < 2; node++)
        ck_assert_int_eq(get(node, path), 503);
    ck_assert_int_eq(get(1, "/.well-known/taluva-keys.json"), 200); /* of another node */
    ck_assert_int_eq(get(1, "/readyz"), 503);
    ck_assert_ptr_nonnull(strstr(visit.body, "its lease is lost"));
    site_hold(site, part, false, nodes.now_ms);
    nodes_settle(&nodes);
    ck_assert(is_answered(1, waits));
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_int_eq(get(1, "/readyz"), 200);
    site_hold(site, part, true, nodes.now_ms);
    nodes_leave(&nodes, part);
    nodes_serve(&nodes, part, 2);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(1, path), 200);
}
END_TEST

/* It is read from the store when the link is lost, or the part given back. */
START_TEST(test_record_lost_in_the_middle)
{
    char path[32], room[9];
    size_t len;
    play(1, path);
    nodes_pass(&nodes, 1200000);
    const uint64_t ticket = ask(0, path);
    const unsigned char *bytes = site_link_output(nodes.nodes[0].links[1], &len);
    ck_assert(site_link_receive(nodes.nodes[1].links[0], bytes, len, nodes.now_ms));
    site_link_sent(nodes.nodes[0].links[1]);
    struct place *place = &nodes.places[part_of(path)];
    ck_assert(hub_read_take(place->hub, room));
    if (_i == 0)
        nodes_cut(&nodes, 0, 1);
    else
        site_leave(nodes.nodes[1].site, part_of(path), nodes.now_ms);
    model_read(&place->store, place->hub, room, nodes.now_ms);
    if (_i == 1) {
        hub_destroy(place->hub);
        place->hub = NULL;
    }
    nodes_settle(&nodes);
    ck_assert(is_answered(0, ticket));
    ck_assert_int_eq(visit.answer.status, 503);
}
END_TEST

START_TEST(test_record_cancelled)
{
    char path[32];
    play(1, path);
    if (_i)
        nodes_pass(&nodes, 1200000);
    for (int node = 0; node < 2; node++) {
        const uint64_t first = ask(node, path), second = ask(node, path);
        site_http_cancel(nodes.nodes[node].site, first);
        site_http_cancel(nodes.nodes[node].site, first);
        nodes_settle(&nodes);
        ck_assert(!second || is_answered(node, second));
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert(!is_answered(node, first));
        const uint64_t third = ask(node, path);
        nodes_settle(&nodes);
        site_http_cancel(nodes.nodes[node].site, third); /* though it is there */
        ck_assert(!is_answered(node, third));
    }
}
END_TEST

/* A node that does not answer. */
START_TEST(test_record_late)
{
    char path[32];
    size_t len;
    play(1, path);
    const uint64_t ticket = ask(0, path);
    struct site *site = nodes.nodes[0].site;
    nodes.now_ms += 4999;
    ck_assert_int_eq(site_deadline_ms(site), nodes.now_ms + 1);
    site_tick(site, nodes.now_ms);
    ck_assert(!is_answered(0, ticket));
    site_tick(site, ++nodes.now_ms);
    ck_assert(is_answered(0, ticket));
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert_int_eq(visit.answer.retry_s, 1);
    ck_assert_ptr_nonnull(site_link_output(nodes.nodes[0].links[1], &len));
    nodes_settle(&nodes); /* the answer comes too late */
    ck_assert(!is_answered(0, ticket));
}
END_TEST

START_TEST(test_too_many_wait)
{
    char path[32];
    uint64_t tickets[256], got;
    play(1, path);
    for (size_t at = 0; at < 256; at++) {
        tickets[at] = ask(0, path);
        ck_assert_uint_ne(tickets[at], 0);
    }
    ck_assert_uint_eq(ask(0, path), 0);
    ck_assert_int_eq(visit.answer.status, 503);
    ck_assert_uint_eq(ask(0, "/api/rooms"), 0);
    ck_assert_int_eq(visit.answer.status, 503);
    nodes_settle(&nodes);
    for (size_t at = 0; at < 256; at++) {
        ck_assert(site_http_next(nodes.nodes[0].site, &got, &visit.answer));
        ck_assert_uint_eq(got, tickets[at]);
        hub_http_release(&visit.answer);
    }
    ck_assert_uint_ne(ask(0, path), 0);
    site_http_cancel(nodes.nodes[0].site, tickets[255] + 1);
}
END_TEST

/* ---- the list of rooms */

START_TEST(test_list)
{
    char rooms[3][9];
    for (int node = 0; node < 3; node++) {
        const int host = nodes_guest(&nodes, node, "Host");
        nodes_room(&nodes, host, rooms[node]);
    }
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, "/api/rooms"), 200);
        ck_assert_str_eq(visit.answer.type, "application/json");
        ck_assert_uint_eq(count_rooms(NULL), 3);
        for (int room = 0; room < 3; room++)
            ck_assert_uint_eq(count_rooms(rooms[room]), 1);
    }
}
END_TEST

/* At most 50, and then there are more; in one order. */
START_TEST(test_list_long)
{
    char room[9], last[9] = "";
    for (int at = 0; at < 60; at++) {
        const int host = nodes_guest(&nodes, at % 3, "Host");
        nodes_room(&nodes, host, room);
        nodes_disconnect(&nodes, host);
    }
    ck_assert_int_eq(get(0, "/api/rooms"), 200);
    json_t *list = json_loads(visit.body, 0, NULL);
    const json_t *rooms = json_object_get(list, "rooms");
    ck_assert_uint_eq(json_array_size(rooms), 50);
    ck_assert(json_is_true(json_object_get(list, "more")));
    for (size_t at = 0; at < 50; at++) {
        (void)snprintf(room, sizeof room, "%s", text_of(json_array_get(rooms, at), "room"));
        ck_assert_int_gt(strcmp(room, last), 0);
        memcpy(last, room, sizeof last);
    }
    json_decref(list);
}
END_TEST

/* However many ask, the links are crossed once in a second. */
START_TEST(test_list_flood)
{
    enum { FLOOD = 200 };
    const int host = nodes_guest(&nodes, 1, "Host");
    char rooms[2][9];
    uint64_t got;
    nodes_room(&nodes, host, rooms[0]);
    const size_t before = nodes.nodes[0].frames;
    for (int at = 0; at < FLOOD; at++)
        ck_assert_uint_ne(ask(0, "/api/rooms"), 0);
    nodes_settle(&nodes);
    for (int at = 0; at < FLOOD; at++) {
        ck_assert(site_http_next(nodes.nodes[0].site, &got, &visit.answer));
        ck_assert_int_eq(visit.answer.status, 200);
        visit_keep(&visit);
        ck_assert_uint_eq(count_rooms(rooms[0]), 1);
    }
    ck_assert_uint_eq(nodes.nodes[0].frames, before + 2); /* parts 1 and 2; 0 and 3 are here */
    nodes_room(&nodes, host, rooms[1]);
    nodes.now_ms += 999;
    for (int at = 0; at < FLOOD; at++)
        ck_assert_uint_eq(ask(0, "/api/rooms"), 0);
    ck_assert_uint_eq(count_rooms(rooms[1]), 0);
    nodes.now_ms++;
    ck_assert_int_eq(get(0, "/api/rooms"), 200);
    ck_assert_uint_eq(count_rooms(rooms[1]), 1);
}
END_TEST

/* Parts that nobody has, that are lost meanwhile, or that do not answer. */
START_TEST(test_list_without)
{
    char rooms[3][9];
    for (int node = 0; node < 3; node++) {
        const int host = nodes_guest(&nodes, node, "Host");
        nodes_room(&nodes, host, rooms[node]);
    }
    if (_i == 0) {
        nodes_leave(&nodes, part_of_room(rooms[1], 4));
        nodes_settle(&nodes);
    }
    const uint64_t ticket = ask(0, "/api/rooms");
    if (_i == 1)
        nodes_cut(&nodes, 0, 1);
    if (_i == 2) {
        size_t len;
        while (site_link_output(nodes.nodes[0].links[1], &len))
            site_link_sent(nodes.nodes[0].links[1]); /* goes astray */
    }
    nodes_settle(&nodes);
    if (_i == 2) {
        ck_assert(!is_answered(0, ticket));
        nodes_pass(&nodes, 2000);
    }
    ck_assert(is_answered(0, ticket));
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert_uint_eq(count_rooms(rooms[0]), 1);
    ck_assert_uint_eq(count_rooms(rooms[1]), 0);
    ck_assert_uint_eq(count_rooms(rooms[2]), 1);
}
END_TEST

/* What it had said before is not shown to who asks only afterwards. */
START_TEST(test_list_held_meanwhile)
{
    char rooms[2][9];
    for (int node = 0; node < 2; node++) {
        const int host = nodes_guest(&nodes, node, "Host");
        nodes_room(&nodes, host, rooms[node]);
    }
    ck_assert_uint_ne(ask(0, "/api/rooms"), 0);
    site_hold(nodes.nodes[0].site, part_of_room(rooms[0], 4), true, nodes.now_ms);
    const uint64_t later = ask(0, "/api/rooms");
    nodes_settle(&nodes);
    uint64_t got = 0;
    while (got != later && site_http_next(nodes.nodes[0].site, &got, &visit.answer))
        visit_keep(&visit);
    ck_assert_uint_eq(got, later);
    ck_assert_uint_eq(count_rooms(rooms[0]), 0);
    ck_assert_uint_eq(count_rooms(rooms[1]), 1);
}
END_TEST

START_TEST(test_list_cancelled)
{
    const uint64_t first = ask(0, "/api/rooms"), second = ask(0, "/api/rooms");
    site_http_cancel(nodes.nodes[0].site, first);
    nodes_settle(&nodes);
    ck_assert(is_answered(0, second));
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert(!is_answered(0, first));
}
END_TEST

Suite *web_suite(void)
{
    Suite *suite = suite_create("web");
    TCase *web = tcase_create("web");
    tcase_add_checked_fixture(web, three_nodes, release);
    tcase_add_loop_test(web, test_record, 0, 2);
    tcase_add_test(web, test_no_record);
    tcase_add_test(web, test_record_paid);
    tcase_add_test(web, test_record_of_nobody);
    tcase_add_loop_test(web, test_record_link_lost, 0, 2);
    tcase_add_loop_test(web, test_record_lost_in_the_middle, 0, 2);
    tcase_add_loop_test(web, test_record_cancelled, 0, 2);
    tcase_add_test(web, test_held);
    tcase_add_test(web, test_record_late);
    tcase_add_test(web, test_too_many_wait);
    tcase_add_test(web, test_list);
    tcase_add_test(web, test_list_long);
    tcase_add_test(web, test_list_flood);
    tcase_add_loop_test(web, test_list_without, 0, 3);
    tcase_add_test(web, test_list_held_meanwhile);
    tcase_add_test(web, test_list_cancelled);
    suite_add_tcase(suite, web);
    return suite;
}
