/* Events by correspondence: groups, who goes on, and pauses out of a bank. */
#include "held.h"
#include "suites.h"
#include <event/due.h>
#include <event/standings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_S = 24 * 3600 };

static struct held *held;
static struct event_standing standings[EVENT_ENTRANTS_MAX];

/* Seeds in the order in which they join; a stage lasts fifty days, the bank has ten. */
static void begin_groups(unsigned entrants, unsigned rounds)
{
    struct event_rules rules = held_rules(EVENT_GROUPS, rounds);
    rules.round_s = 50 * DAY_S;
    rules.pause_s = 10 * DAY_S;
    held_make(held, rules);
    for (unsigned number = 1; number <= entrants; number++) {
        struct event_entry entry = held_entry(held, EVENT_JOINED, FIRST_ACCOUNT + number);
        entry.u.who.entrant = (uint16_t)number;
        entry.u.who.account = FIRST_ACCOUNT + number;
        entry.u.who.rating = (uint16_t)(2000 - number);
        held_enter(held, &entry);
    }
    ck_assert(held_wait(held));
}

static const struct event_round *open_round(void)
{
    if (!event_open_round(&held->event))
        ck_assert(held_wait(held));
    const struct event_round *round = event_open_round(&held->event);
    ck_assert_ptr_nonnull(round);
    return round;
}

/* How often two sit at a table of the round. */
static unsigned count_meetings(const struct event_round *round, unsigned a, unsigned b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < round->tables; i++) {
        const uint16_t *seat = round->table[i].seat;
        count += (seat[0] == a && seat[1] == b) || (seat[0] == b && seat[1] == a);
    }
    return count;
}

/* The lower number wins each. */
static void give_all(const struct event_round *round)
{
    for (unsigned i = 0, tables = round->tables; i < tables; i++) {
        const uint16_t *seat = round->table[i].seat;
        if (!round->table[i].over)
            ck_assert_int_eq(held_result(held, i + 1, seat[0] < seat[1] ? "12" : "21"), EVENT_FINE);
    }
}

/* To and fro: 1 4 5 and 2 3 6. */
START_TEST(groups_are_even_and_their_first_go_on)
{
    static const char group[] = " 122112";
    begin_groups(6, 2);
    const struct event_round *round = open_round();
    ck_assert_uint_eq(round->tables, 12);
    for (unsigned a = 1; a <= 6; a++) {
        for (unsigned b = 1; b < a; b++)
            ck_assert_uint_eq(count_meetings(round, a, b), group[a] == group[b] ? 2 : 0);
    }
    give_all(round);
    round = open_round();
    ck_assert_uint_eq(round->tables, 2);
    ck_assert_uint_eq(count_meetings(round, 1, 2), 2);
    give_all(round);
    (void)held_advance(held);
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    ck_assert(event_standings(&held->event, standings));
    static const unsigned order[] = {1, 2, 3, 4, 5, 6}, places[] = {1, 2, 3, 3, 5, 5};
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_uint_eq(standings[i].entrant, order[i]);
        ck_assert_uint_eq(standings[i].place, places[i]);
    }
    ck_assert_uint_eq(standings[0].points, 2 * EVENT_POINT);
    event_release(&held->event);
}
END_TEST

START_TEST(as_many_as_there_may_be_have_a_line)
{
    struct event_rules rules = held_rules(EVENT_GROUPS, 2);
    rules.most = EVENT_GROUPS_ENTRANTS_MAX;
    held_make(held, rules);
    held_join(held, EVENT_GROUPS_ENTRANTS_MAX);
    ck_assert(held_wait(held));
    ck_assert_uint_eq(event_planned(&held->event), 3);
    ck_assert_uint_eq(open_round()->tables, 2 * (12 * 10 + 6));
    give_all(open_round());
    ck_assert_uint_eq(open_round()->tables, 2 * (10 + 6 + 6));
    give_all(open_round());
    ck_assert_uint_eq(open_round()->tables, 2 * 3);
    event_release(&held->event);
}
END_TEST

START_TEST(who_leaves_gives_way_to_the_next)
{
    begin_groups(6, 1);
    give_all(open_round());
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 1), EVENT_FINE);
    ck_assert_uint_eq(count_meetings(open_round(), 4, 2), 1);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 4), EVENT_FINE);
    (void)held_advance(held);
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    event_release(&held->event);
}
END_TEST

/* Whom nothing tells apart: one of them, by lot. */
START_TEST(lots_decide_between_equals)
{
    begin_groups(6, 1);
    const unsigned tables = open_round()->tables;
    for (unsigned table = 1; table <= tables; table++)
        ck_assert_int_eq(held_result(held, table, "11"), EVENT_FINE);
    ck_assert_uint_eq(open_round()->tables, 1);
    event_release(&held->event);
}
END_TEST

static enum event_fault check_made(const char *tables)
{
    struct event_entry entry = held_entry(held, EVENT_PAIRED, 0);
    entry.u.paired.round = (uint16_t)(held->event.rounds + 1);
    for (unsigned i = 0; tables[3 * i]; i++) {
        entry.u.paired.seats[i] = 2;
        entry.u.paired.seat[i][0] = (uint16_t)(tables[3 * i] - '0');
        entry.u.paired.seat[i][1] = (uint16_t)(tables[3 * i + 1] - '0');
        entry.u.paired.tables++;
    }
    return event_check(&held->event, &entry);
}

START_TEST(tables_are_those_of_whole_groups)
{
    held_make(held, held_rules(EVENT_GROUPS, 1));
    held_join(held, 6);
    held->now_ms = START_MS;
    struct event_entry entry = held_entry(held, EVENT_BEGAN, 0);
    held_enter(held, &entry);
    ck_assert_int_eq(check_made("14 45 51 23 36 62 "), EVENT_FINE);
    ck_assert_int_eq(check_made("12 23 31 45 56 64 "), EVENT_FINE);
    ck_assert_int_eq(check_made("14 45 51 23 36 "), EVENT_BAD_TABLES);
    ck_assert_int_eq(check_made("14 45 51 23 36 63 "), EVENT_BAD_TABLES);
    ck_assert_int_eq(check_made("14 45 51 "), EVENT_BAD_TABLES);
    ck_assert_int_eq(check_made("12 34 56 "), EVENT_BAD_TABLES);
    ck_assert_int_eq(check_made("11 14 45 51 23 36 62 "), EVENT_BAD_TABLES);
    ck_assert(held_wait(held));
    give_all(open_round());
    const struct event_round *first = &held->event.round[0];
    const unsigned met = count_meetings(first, 1, 2);
    ck_assert_int_eq(check_made("12 "), met ? EVENT_BAD_TABLES : EVENT_FINE);
    ck_assert_int_eq(check_made("56 "), EVENT_BAD_TABLES);
    ck_assert_int_eq(check_made("11 "), EVENT_BAD_TABLES);
    event_release(&held->event);
}
END_TEST

/* ---- pauses */

START_TEST(a_pause_is_out_of_a_bank)
{
    begin_groups(4, 1);
    ck_assert_int_eq(held_change(held, EVENT_RESUMED, 1), EVENT_AGAIN);
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_AGAIN);
    const struct event_entrant *one = &held->event.entrant[0];
    held->now_ms += 1000 * (int64_t)(4 * DAY_S);
    ck_assert_int_eq(held_change(held, EVENT_RESUMED, 1), EVENT_FINE);
    ck_assert(!one->paused);
    held->now_ms += 1000 * (int64_t)DAY_S;
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 2), EVENT_FINE);
    ck_assert_int_eq(event_due_ms(&held->event), held->now_ms + 1000 * (int64_t)(6 * DAY_S));
    struct event_entry entry = held_entry(held, EVENT_RESUMED, 0);
    entry.u.who.entrant = 1;
    ck_assert_int_eq(event_check(&held->event, &entry), EVENT_NOT_ENTITLED);
    ck_assert(held_wait(held));
    ck_assert(!one->paused && held->event.entrant[1].paused);
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_FULL);
    event_release(&held->event);
}
END_TEST

START_TEST(pauses_have_a_bound)
{
    begin_groups(4, 1);
    for (unsigned i = 0; i < EVENT_PAUSES_MAX; i++) {
        ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_FINE);
        ck_assert_int_eq(held_change(held, EVENT_RESUMED, 1), EVENT_FINE);
    }
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_FULL);
    event_release(&held->event);
    held_make(held, held_rules(EVENT_GROUPS, 1));
    held_join(held, 4);
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_NOT_NOW);
    ck_assert(held_wait(held));
    ck_assert_int_eq(held_change(held, EVENT_PAUSED, 1), EVENT_NOT_NOW);
    event_release(&held->event);
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

Suite *groups_suite(void)
{
    Suite *suite = suite_create("groups");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, groups_are_even_and_their_first_go_on);
    tcase_add_test(cases, as_many_as_there_may_be_have_a_line);
    tcase_add_test(cases, who_leaves_gives_way_to_the_next);
    tcase_add_test(cases, lots_decide_between_equals);
    tcase_add_test(cases, tables_are_those_of_whole_groups);
    tcase_add_test(cases, a_pause_is_out_of_a_bank);
    tcase_add_test(cases, pauses_have_a_bound);
    suite_add_tcase(suite, cases);
    return suite;
}
