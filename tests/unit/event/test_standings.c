/* Who stands where, in events of which everything is said here. */
#include "../../support/failing_alloc.h"
#include "held.h"
#include "suites.h"
#include <event/standings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct held *held;
static struct event_standing standings[EVENT_ENTRANTS_MAX];

/* ---- what a table gives */

static const struct {
    enum event_points rule;
    const char *places;
    uint32_t points[EVENT_SEATS_MAX]; /* of EVENT_POINT */
} tables[] = {
    {EVENT_WINS, "1234", {60, 0, 0, 0}},
    {EVENT_WINS, "2211", {0, 0, 30, 30}},
    {EVENT_WINS, "11111", {12, 12, 12, 12, 12}},
    {EVENT_WINS, "111", {20, 20, 20}},
    {EVENT_WINS, "010", {0, 60, 0}},
    {EVENT_WINS, "000", {0, 0, 0}},
    {EVENT_WINS, "12", {60, 0}},
    {EVENT_WINS, "11", {30, 30}},
    {EVENT_PLACES, "1234", {300, 180, 120, 60}},
    {EVENT_PLACES, "3142", {120, 300, 60, 180}},
    {EVENT_PLACES, "123", {300, 180, 60}},
    {EVENT_PLACES, "12345", {300, 180, 120, 60, 0}},
    {EVENT_PLACES, "1134", {240, 240, 120, 60}},
    {EVENT_PLACES, "1222", {300, 120, 120, 120}},
    {EVENT_PLACES, "111", {180, 180, 180}},
    {EVENT_PLACES, "11145", {200, 200, 200, 60, 0}},
    {EVENT_PLACES, "11111", {132, 132, 132, 132, 132}},
    {EVENT_PLACES, "1203", {300, 180, 0, 120}},
    {EVENT_PLACES, "0000", {0, 0, 0, 0}},
};

START_TEST(a_table_gives_points)
{
    struct event_table table = {.over = true, .seats = (uint8_t)strlen(tables[_i].places)};
    uint32_t points[EVENT_SEATS_MAX] = {0};
    for (unsigned i = 0; i < EVENT_SEATS_MAX && tables[_i].places[i]; i++)
        table.place[i] = (uint8_t)(tables[_i].places[i] - '0');
    event_table_points(tables[_i].rule, &table, points);
    for (unsigned i = 0; i < table.seats; i++)
        ck_assert_msg(points[i] == tables[_i].points[i], "%s, seat %u: %u", tables[_i].places, i,
                      points[i]);
}
END_TEST

/* ---- whole events: each round a list of tables, each its entrants and their places */

struct played {
    unsigned seats;
    uint16_t seat[EVENT_SEATS_MAX];
    const char *places; /* NULL: is open */
};

static void play_round(const struct played list[], unsigned count)
{
    struct event_entry entry = held_entry(held, EVENT_PAIRED, 0);
    entry.u.paired.round = (uint16_t)(held->event.rounds + 1);
    entry.u.paired.tables = (uint16_t)count;
    for (unsigned i = 0; i < count; i++) {
        entry.u.paired.seats[i] = (uint8_t)list[i].seats;
        memcpy(entry.u.paired.seat[i], list[i].seat, sizeof list[i].seat);
    }
    held_enter(held, &entry);
    for (unsigned i = 0; i < count; i++) {
        if (list[i].places)
            ck_assert_int_eq(held_result(held, i + 1, list[i].places), EVENT_FINE);
    }
}

static void begin_event(enum event_form form, unsigned rounds, unsigned entrants)
{
    held_make(held, held_rules(form, rounds));
    held_join(held, entrants);
    held->now_ms = START_MS;
    struct event_entry entry = held_entry(held, EVENT_BEGAN, 0);
    held_enter(held, &entry);
}

/* "1 3 2=4": the entrants in their order, `=` before one who shares the place of the one before. */
static void check_order(const char *order)
{
    char text[128] = "";
    ck_assert(event_standings(&held->event, standings));
    for (unsigned i = 0; i < held->event.entrants; i++) {
        const char *before = i == 0 ? "" : standings[i].place == standings[i - 1].place ? "=" : " ";
        char one[16];
        snprintf(one, sizeof one, "%s%s%u", before, standings[i].counts ? "" : "-",
                 (unsigned)standings[i].entrant);
        strcat(text, one);
    }
    ck_assert_str_eq(text, order);
}

START_TEST(points_come_first_at_tables)
{
    begin_event(EVENT_TABLES, 2, 6);
    check_order("1=2=3=4=5=6");
    play_round((const struct played[]){{3, {1, 2, 3}, "312"}, {3, {4, 5, 6}, "123"}}, 2);
    play_round((const struct played[]){{3, {1, 2, 4}, "132"}, {3, {3, 5, 6}, NULL}}, 2);
    /* 1, 2, 4 have won once. Whom they met have, without the lowest, on average: 1 of 2 3 2 4 and 2
     * of 1 3 1 4 one, 4 of 5 6 1 2 two thirds. At their tables 2 was before 1, and 1 before 2. Of
     * 3, 5 and 6, whose opponents have as much, 5 was before 6. */
    check_order("1=2 4 5 3 6");
    ck_assert_int_eq(standings[0].tie[1], 60000);
    ck_assert_int_eq(standings[2].tie[1], 40000);
    event_release(&held->event);
}
END_TEST

START_TEST(who_was_before_the_other_is_before)
{
    begin_event(EVENT_TABLES, 2, 3);
    play_round((const struct played[]){{3, {1, 2, 3}, "231"}}, 1);
    check_order("3 1 2");
    play_round((const struct played[]){{3, {1, 2, 3}, "321"}}, 1);
    check_order("3 1=2");
    event_release(&held->event);
}
END_TEST

/* Whatever they had before, and whoever did not come is the last of them. */
START_TEST(a_final_comes_before_all_rounds)
{
    struct event_rules rules = held_rules(EVENT_TABLES, 1);
    rules.final = true;
    held_make(held, rules);
    held_join(held, 6);
    held->now_ms = START_MS;
    struct event_entry entry = held_entry(held, EVENT_BEGAN, 0);
    held_enter(held, &entry);
    play_round((const struct played[]){{3, {1, 2, 3}, "123"}, {3, {4, 5, 6}, "123"}}, 2);
    check_order("1=4 2=5 3=6");
    play_round((const struct played[]){{4, {1, 2, 4, 5}, NULL}}, 1);
    check_order("1=4 2=5 3=6");
    ck_assert_int_eq(held_result(held, 1, "0211"), EVENT_BAD_PLACES);
    ck_assert_int_eq(held_result(held, 1, "0311"), EVENT_FINE);
    check_order("4 5 2 1 3=6");
    ck_assert_uint_eq(standings[0].points, EVENT_POINT);
    ck_assert_uint_eq(standings[1].points, 0);
    event_release(&held->event);
}
END_TEST

START_TEST(games_between_equals_decide_a_round_robin)
{
    begin_event(EVENT_ROBIN, 1, 4);
    play_round((const struct played[]){{2, {1, 4}, "12"}, {2, {2, 3}, "12"}}, 2);
    play_round((const struct played[]){{2, {4, 3}, "12"}, {2, {1, 2}, "21"}}, 2);
    /* 2: 2, 1: 1, 4: 1 with 1 before 4 by their game, 3: 0 */
    check_order("2 1 4 3");
    play_round((const struct played[]){{2, {2, 4}, "21"}, {2, {3, 1}, "21"}}, 2);
    /* 1, 2, 4: two each, in a circle; all else equal but Sonneborn-Berger, which is too */
    check_order("1=2=4 3");
    event_release(&held->event);
}
END_TEST

START_TEST(sonneborn_berger_comes_last)
{
    begin_event(EVENT_ROBIN, 1, 4);
    play_round((const struct played[]){{2, {1, 4}, "12"}, {2, {2, 3}, "11"}}, 2);
    play_round((const struct played[]){{2, {4, 3}, "21"}, {2, {1, 2}, "11"}}, 2);
    play_round((const struct played[]){{2, {2, 4}, "12"}, {2, {3, 1}, "11"}}, 2);
    /* 1: 1 + 1/2 + 1/2, 2: 1/2 + 1/2 + 1, 3: 1/2 + 1 + 1/2: all the same; 4 has nothing */
    check_order("1=2=3 4");
    ck_assert_int_eq(standings[0].points, 2 * EVENT_POINT);
    ck_assert_int_eq(standings[0].tie[2], 10 * 0 + 5 * 20 + 5 * 20);
    event_release(&held->event);
}
END_TEST

START_TEST(who_leaves_a_round_robin_early_has_played_nothing)
{
    begin_event(EVENT_ROBIN, 1, 5);
    play_round((const struct played[]){{2, {1, 2}, "12"}, {2, {3, 4}, "11"}}, 2);
    check_order("1 3=4 2=5");
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 2), EVENT_FINE);
    check_order("3=4 1=5 -2");
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 2), EVENT_FINE);
    check_order("1 3=4 2=5");
    play_round((const struct played[]){{2, {2, 5}, "21"}, {2, {3, 1}, "11"}}, 2);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 2), EVENT_FINE);
    /* half of it: that counts */
    check_order("1 5 3 4 2");
    event_release(&held->event);
}
END_TEST

START_TEST(a_walkover_is_a_point_and_no_meeting)
{
    begin_event(EVENT_ROBIN, 1, 3);
    play_round((const struct played[]){{2, {1, 2}, "10"}}, 1);
    ck_assert(event_standings(&held->event, standings));
    ck_assert_uint_eq(standings[0].entrant, 1);
    ck_assert_uint_eq(standings[0].points, EVENT_POINT);
    ck_assert_int_eq(standings[0].tie[1], 0);
    ck_assert_uint_eq(standings[1].played + standings[2].played, 0);
    event_release(&held->event);
}
END_TEST

START_TEST(standings_need_memory)
{
    for (enum event_form form = EVENT_TABLES; form <= EVENT_ROBIN; form++) {
        begin_event(form, 1, 3);
        failing_alloc_arm(1, false);
        failing_alloc_enter();
        const bool found = event_standings(&held->event, standings);
        failing_alloc_leave();
        (void)failing_alloc_disarm(NULL);
        ck_assert(!found);
        event_release(&held->event);
    }
}
END_TEST

static void begin(void)
{
    held = malloc(sizeof *held);
}

static void end(void)
{
    free(held);
}

Suite *standings_suite(void)
{
    Suite *suite = suite_create("standings");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_loop_test(cases, a_table_gives_points, 0, (int)(sizeof tables / sizeof tables[0]));
    tcase_add_test(cases, points_come_first_at_tables);
    tcase_add_test(cases, who_was_before_the_other_is_before);
    tcase_add_test(cases, a_final_comes_before_all_rounds);
    tcase_add_test(cases, games_between_equals_decide_a_round_robin);
    tcase_add_test(cases, sonneborn_berger_comes_last);
    tcase_add_test(cases, who_leaves_a_round_robin_early_has_played_nothing);
    tcase_add_test(cases, a_walkover_is_a_point_and_no_meeting);
    tcase_add_test(cases, standings_need_memory);
    suite_add_tcase(suite, cases);
    return suite;
}
