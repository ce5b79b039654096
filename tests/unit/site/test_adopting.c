/* A guest that an account adopts, with matches in other parts of the site, and nodes that die. */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <history/game_table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;
static int ana, bo, gil; /* Ana's is part 1, Gil's 2, Bo's 0 */
static uint64_t gil_id;
static char room[9], other[9];

/* At home in that part. */
static int person(unsigned part, const char *name)
{
    int guest = nodes_guest(&nodes, (int)part % 3, name);
    while (home_of(&nodes, guest) != part) {
        nodes_disconnect(&nodes, guest);
        nodes_forget(&nodes, guest);
        guest = nodes_guest(&nodes, (int)part % 3, name);
    }
    return guest;
}

static void begin_match(int host, char id[9])
{
    const int players[2] = {host, host == bo ? gil : bo};
    nodes_room(&nodes, host, id);
    nodes_begin(&nodes, players, id);
}

static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
    ana = person(1, "Ana");
    bo = person(0, "Bo");
    gil = person(2, "Gil");
    gil_id = strtoull(nodes.guests[gil].session, NULL, 16);
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1903");
    begin_match(bo, room);
    begin_match(gil, other);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

static void adopt(void)
{
    nodes_do(&nodes, ana, "adopt", "{s:s}", "token", nodes.guests[gil].token);
}

/* Borrowed; NULL: nothing was said of it. */
static const json_t *told(void)
{
    const struct guest *guest = &nodes.guests[ana];
    for (size_t at = 0; at < guest->count; at++) {
        if (strcmp(text_of(guest->inbox[at], "push"), "adopted") == 0)
            return guest->inbox[at];
    }
    return NULL;
}

static json_int_t seat_in(int guest, const char *id)
{
    json_t *ok = nodes_ok(&nodes, guest, "watch", "{s:s}", "room", id);
    const json_t *seat = json_object_get(json_object_get(ok, "you"), "seat");
    const json_int_t number = seat ? json_integer_value(seat) : -1;
    json_decref(ok);
    return number;
}

/* In no log, no list, and among no sessions of any part. */
static void expect_gone(void)
{
    for (unsigned part = 0; part < nodes.parts; part++) {
        const struct model_store *store = &nodes.places[part].store;
        ck_assert_ptr_null(model_session(store, gil_id));
        for (size_t at = 0; at < store->room_count; at++) {
            ck_assert_uint_ne(store->rooms[at].row.seed.host, gil_id);
            for (size_t i = 0; i < store->rooms[at].count; i++)
                ck_assert_uint_ne(store->rooms[at].events[i].origin.session, gil_id);
        }
        ck_assert_ptr_null(model_row(store, &game_table, gil_id, 0));
    }
}

static void expect_all_is_anas(void)
{
    ck_assert_int_eq(seat_in(ana, room), 1);
    ck_assert_int_eq(seat_in(ana, other), 0);
    expect_gone();
}

START_TEST(its_matches_in_all_parts)
{
    adopt();
    nodes_pass(&nodes, 60000);
    expect_all_is_anas();
}
END_TEST

START_TEST(one_that_is_over)
{
    nodes_do(&nodes, bo, "resign", "{s:s}", "room", room);
    adopt();
    nodes_pass(&nodes, 60000);
    json_t *ok = nodes_ok(&nodes, ana, "games", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "games")), 1);
    json_decref(ok);
    expect_all_is_anas();
}
END_TEST

/* Any node, at any step; another one has its parts a moment later. */
START_TEST(a_node_dies_meanwhile)
{
    const int node = _i % 3;
    adopt();
    nodes_pass(&nodes, 100 * (int64_t)(_i / 3));
    nodes_kill(&nodes, node);
    nodes_pass(&nodes, 2000);
    nodes_start(&nodes, node);
    for (unsigned part = 0; part < nodes.parts; part++) {
        if (!nodes.places[part].hub)
            nodes_serve(&nodes, part, (int)part % 3);
    }
    nodes_pass(&nodes, 120000);
    expect_gone();
}
END_TEST

/* That is found where the secret leads. */
START_TEST(nobody_has_that_token)
{
    char token[PROTOCOL_TOKEN_BYTES + 1];
    for (int at = 0; at < 16 && !told(); at++) {
        memcpy(token, nodes.guests[gil].token, sizeof token);
        token[at] = token[at] == 'A' ? 'B' : 'A';
        const int64_t id = nodes_post(&nodes, ana, "adopt", "{s:s}", "token", token);
        nodes_pass(&nodes, 60000);
        json_decref(nodes_reply(&nodes, ana, id));
    }
    ck_assert_str_eq(text_of(told(), "refused"), "unknown_token");
    ck_assert_int_eq(seat_in(gil, room), 1);
}
END_TEST

Suite *adopting_suite(void)
{
    Suite *suite = suite_create("adopting");
    TCase *tests = tcase_create("a guest that an account adopts");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, its_matches_in_all_parts);
    tcase_add_test(tests, one_that_is_over);
    tcase_add_loop_test(tests, a_node_dies_meanwhile, 0, 24);
    tcase_add_test(tests, nobody_has_that_token);
    suite_add_tcase(suite, tests);
    return suite;
}
