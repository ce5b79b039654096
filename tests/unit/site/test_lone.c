/* A lone site: what it does is what its one hub does. */
#include "nodes.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;

static void lone(void)
{
    nodes_init_lone(&nodes);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* ---- HTTP */

/* The page, to be freed; its status must be that. */
static char *page(const char *path, int status)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 2};
    struct hub_http_answer answer;
    uint64_t ticket;
    struct site *site = nodes.nodes[0].site;
    if (!site_http_get(site, path, address, nodes.now_ms, &answer, &ticket)) {
        nodes_settle(&nodes);
        ck_assert(site_http_next(site, &ticket, &answer));
    }
    ck_assert_int_eq(answer.status, status);
    char *text = calloc(1, answer.len + 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, answer.body, answer.len);
    hub_http_release(&answer);
    return text;
}

static void check_page(const char *path, int status, const char *found, const char *missing)
{
    char *text = page(path, status);
    ck_assert_msg(strstr(text, found), "%s: %s", path, text);
    ck_assert_msg(!strstr(text, missing), "%s: %s", path, text);
    free(text);
}

/* A room is in the list as soon as it is there. */
START_TEST(test_list_is_fresh)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    for (int turn = 0; turn < 3; turn++) {
        char room[9];
        nodes_room(&nodes, ana, room);
        check_page("/api/rooms", 200, room, "more");
    }
}
END_TEST

/* Who asks for it pays. */
START_TEST(test_list_is_paid_for)
{
    int asked = 0, status = 200;
    while (status == 200 && asked < 100000) {
        static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 2};
        struct hub_http_answer answer;
        uint64_t ticket;
        ck_assert(site_http_get(nodes.nodes[0].site, "/api/rooms", address, nodes.now_ms, &answer,
                                &ticket));
        status = answer.status;
        hub_http_release(&answer);
        asked++;
    }
    ck_assert_int_eq(status, 429);
}
END_TEST

START_TEST(test_pages)
{
    check_page("/readyz", 200, "ready\n", "part");
    check_page("/metrics", 200, "taluva_rooms", "taluva_site_");
    check_page("/nothing", 404, "no such page", "part");
    hub_drain(nodes.places[0].hub, nodes.now_ms);
    check_page("/readyz", 503, "it is drained", "ready");
}
END_TEST

/* What the page says behind that name and labels; -1: nothing. */
static long figure(const char *name)
{
    char *text = page("/metrics", 200);
    const char *found = strstr(text, name);
    const long value = found ? atol(found + strlen(name)) : -1;
    free(text);
    return value;
}

/* Why the clients were closed is counted, whoever has found it. */
START_TEST(test_closes_are_counted)
{
    static const char name[] = "taluva_closes_total{code=\"1009\"}";
    struct site *site = nodes.nodes[0].site;
    char *text = calloc(1, nodes.site_config.message_bytes + 2);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', nodes.site_config.message_bytes + 1);
    ck_assert_int_eq(figure(name), 0);
    const int ana = nodes_guest(&nodes, 0, "Ana"), bo = nodes_connect(&nodes, 0);
    nodes_send(&nodes, ana, text);
    site_reject(site, nodes.guests[bo].peer, 1009);
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes.guests[ana].close_code, 1009);
    ck_assert_int_eq(nodes.guests[bo].close_code, 1009);
    ck_assert_int_eq(figure(name), 2);
    free(text);
}
END_TEST

/* ---- the part ends: nobody else will have it */

START_TEST(test_left)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), stranger = nodes_connect(&nodes, 0);
    const int asking = nodes_connect(&nodes, 0);
    nodes.places[0].storing = NOT_STORED;
    (void)nodes_post(&nodes, asking, "hello", "{s:s}", "name", "Bo");
    nodes_settle(&nodes);
    nodes_lose(&nodes, 0);
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes.guests[ana].close_code, 1012);
    ck_assert(!nodes.guests[stranger].open && nodes.guests[stranger].close_code == 1012);
    ck_assert(!nodes.guests[asking].open && nodes.guests[asking].close_code == 1012);
    ck_assert_int_eq(nodes_connect(&nodes, 0), -1);
    check_page("/readyz", 503, "no node", "ready");
}
END_TEST

/* The hub's own answer, with what one part has more than a page of. */
START_TEST(test_rooms)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, ana, room);
    json_t *ok = nodes_ok(&nodes, ana, "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
}
END_TEST

/* Clients come and go: none is taken for another one. */
START_TEST(test_slots)
{
    int guests[CLIENTS];
    for (int turn = 0; turn < 3; turn++) {
        for (int at = 0; at < CLIENTS; at++) {
            guests[at] = nodes_connect(&nodes, 0);
            ck_assert_int_ge(guests[at], 0);
            for (int before = 0; before < at; before++)
                ck_assert_uint_ne(nodes.guests[guests[at]].peer.index,
                                  nodes.guests[guests[before]].peer.index);
            ck_assert_uint_lt(nodes.guests[guests[at]].peer.index, CLIENTS);
        }
        for (int at = turn; at < CLIENTS; at += turn + 1)
            nodes_disconnect(&nodes, guests[at]);
        for (int at = 0; at < CLIENTS; at++) {
            if (nodes.guests[guests[at]].open)
                nodes_disconnect(&nodes, guests[at]);
        }
        ck_assert_uint_eq(site_clients(nodes.nodes[0].site), 0);
    }
}
END_TEST

Suite *lone_suite(void)
{
    Suite *suite = suite_create("lone");
    TCase *tests = tcase_create("lone");
    tcase_add_checked_fixture(tests, lone, release);
    tcase_add_test(tests, test_list_is_fresh);
    tcase_add_test(tests, test_list_is_paid_for);
    tcase_add_test(tests, test_pages);
    tcase_add_test(tests, test_closes_are_counted);
    tcase_add_test(tests, test_left);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_slots);
    suite_add_tcase(suite, tests);
    return suite;
}
