/*
 * Matches that end come into the lists of their players, whichever parts these are at home in, by
 * letters between the nodes.
 */
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <stdlib.h>

enum { PEOPLE = 4 };

static struct nodes nodes;
static int guests[PEOPLE];

/* At several nodes and parts; each at home somewhere else, as the order of their ids has it. */
static void set_up(void)
{
    nodes_init(&nodes, 3, 3);
    for (int at = 0; at < PEOPLE; at++)
        guests[at] = nodes_guest(&nodes, at % 3, "Ana");
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

static uint64_t session_of(int guest)
{
    return strtoull(nodes.guests[guest].session, NULL, 16);
}

/* Begun by the one, given up by the other. */
static void play(int one, int other)
{
    char room[9];
    const int players[2] = {one, other};
    nodes_room(&nodes, one, room);
    nodes_begin(&nodes, players, room);
    nodes_do(&nodes, other, "resign", "{s:s}", "room", room);
    nodes_settle(&nodes);
}

static size_t listed(int guest)
{
    json_t *ok = nodes_ok(&nodes, guest, "games", "");
    const size_t count = json_array_size(json_object_get(ok, "games"));
    json_decref(ok);
    return count;
}

static size_t letters(void)
{
    size_t count = 0;
    for (unsigned part = 0; part < nodes.parts; part++)
        count += model_rows(&nodes.places[part].store, &store_letter_table);
    return count;
}

START_TEST(a_match_is_listed_wherever_its_players_are_at_home)
{
    for (int at = 0; at < PEOPLE; at++)
        play(guests[at], guests[(at + 1) % PEOPLE]);
    for (int at = 0; at < PEOPLE; at++)
        ck_assert_uint_eq(listed(guests[at]), 2);
    ck_assert_uint_eq(letters(), 0);
}
END_TEST

/* The letter waits in the database: for the next owner, or for who has the addressee in another
 * division. */
START_TEST(a_letter_waits_for_the_part_of_its_addressee)
{
    const unsigned home = part_of_session(session_of(guests[0]), 3);
    int other = 1;
    while (part_of_session(session_of(guests[other]), 3) == home)
        other++;
    ck_assert_int_lt(other, PEOPLE);
    char room[9];
    const int players[2] = {guests[other], guests[0]};
    do
        nodes_room(&nodes, guests[other], room);
    while (part_of_room(room, 3) == home);
    nodes_begin(&nodes, players, room);
    nodes_leave(&nodes, home);
    nodes_do(&nodes, guests[other], "resign", "{s:s}", "room", room);
    nodes_settle(&nodes);
    ck_assert_uint_eq(letters(), 1);
    ck_assert_uint_eq(listed(guests[other]), 1);
    if (_i) {
        nodes_divide(&nodes, (unsigned)_i);
        guests[0] = nodes_back(&nodes, 0, guests[0]);
    } else {
        nodes_serve(&nodes, home, 1);
        nodes_settle(&nodes);
    }
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(listed(guests[0]), 1);
}
END_TEST

/* A list without the rooms of a part would look like a whole one. */
START_TEST(what_one_part_refuses_is_refused)
{
    const int guest = guests[0];
    for (int64_t asked = 0; asked < nodes.config.requests_burst; asked++)
        (void)nodes_post(&nodes, guest, "ping", "");
    nodes_settle(&nodes);
    nodes_refused(&nodes, guest, "slow_down", "rooms", "");
    nodes_pass(&nodes, 10000);
    nodes_do(&nodes, guest, "rooms", "");
}
END_TEST

Suite *lists_suite(void)
{
    Suite *suite = suite_create("lists of finished matches");
    TCase *tests = tcase_create("lists");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_match_is_listed_wherever_its_players_are_at_home);
    tcase_add_loop_test(tests, a_letter_waits_for_the_part_of_its_addressee, 0, 3);
    tcase_add_test(tests, what_one_part_refuses_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
