/* Cups: who meets whom after what, and who has come how far. */
#include "held.h"
#include "suites.h"
#include <event/due.h>
#include <event/standings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct held *held;
static struct event_standing standings[EVENT_ENTRANTS_MAX];

/* Seeds in the order in which they join, as each is rated below the one before. */
static void begin_cup(unsigned entrants, unsigned matches, bool third)
{
    struct event_rules rules = held_rules(EVENT_CUP, matches);
    rules.final = third;
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

/* "1-8 4-5": the tables of the round that comes next. */
static void check_next(const char *tables)
{
    char text[256] = "";
    if (!event_open_round(&held->event))
        ck_assert(held_wait(held));
    const struct event_round *round = event_open_round(&held->event);
    for (unsigned i = 0; round && i < round->tables; i++) {
        const struct event_table *table = &round->table[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u-%u", i ? " " : "",
                 (unsigned)table->seat[0], (unsigned)table->seat[1]);
    }
    ck_assert_str_eq(text, tables);
}

/* Places of each table of it: "12 21". */
static void give(const char *places)
{
    for (unsigned table = 1; *places; table++) {
        char one[3] = {places[0], places[1]};
        ck_assert_int_eq(held_result(held, table, one), EVENT_FINE);
        places += places[2] ? 3 : 2;
    }
}

/* "1 2 3=4": who has which place, once it is over. */
static void check_end(const char *order)
{
    char text[256] = "";
    (void)held_advance(held);
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    ck_assert(event_standings(&held->event, standings));
    for (unsigned i = 0; i < held->event.entrants; i++) {
        const bool equal = i > 0 && standings[i].place == standings[i - 1].place;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u",
                 i == 0  ? ""
                 : equal ? "="
                         : " ",
                 (unsigned)standings[i].entrant);
    }
    ck_assert_str_eq(text, order);
    event_release(&held->event);
}

START_TEST(the_best_meet_last)
{
    begin_cup(8, 1, false);
    check_next("1-8 4-5 3-6 2-7");
    give("12 12 21 12");
    check_next("1-4 2-6");
    give("12 12");
    check_next("1-2");
    give("21");
    check_end("2 1 4=6 3=5=7=8");
}
END_TEST

START_TEST(the_best_rest_where_there_are_too_few)
{
    begin_cup(5, 1, false);
    check_next("4-5");
    give("21");
    check_next("1-5 2-3");
    give("12 12");
    check_next("1-2");
    give("12");
    check_end("1 2 3=5 4");
}
END_TEST

START_TEST(who_shares_a_match_goes_by_the_seed)
{
    begin_cup(4, 1, false);
    check_next("1-4 2-3");
    give("11 01");
    check_next("1-3");
    give("11");
    check_end("1 3 2=4");
}
END_TEST

START_TEST(a_third_place_is_played_for)
{
    begin_cup(4, 1, true);
    check_next("1-4 2-3");
    give("21 21");
    check_next("3-4 1-2");
    give("12 21");
    check_end("3 4 2 1");
}
END_TEST

/* The sides change each time; who has won twice is through. */
START_TEST(the_best_of_three_goes_on)
{
    begin_cup(4, 3, true);
    ck_assert_uint_eq(event_planned(&held->event), 6);
    check_next("1-4 2-3");
    give("12 12");
    check_next("4-1 3-2");
    give("21 12");
    check_next("2-3");
    give("21");
    check_next("1-3 2-4");
    give("12 11");
    check_next("3-1 4-2");
    give("21 11");
    check_next("2-4");
    give("11");
    check_end("1 3 2 4");
}
END_TEST

/* Nothing tells them apart but who was there, at one of three. */
START_TEST(who_came_once_is_before_who_never_did)
{
    begin_cup(2, 3, false);
    check_next("1-2");
    give("00");
    check_next("2-1");
    give("00");
    while (held_wait(held)) /* both are withdrawn, and the third match is nobody's */
        continue;
    ck_assert_uint_eq(held->event.rounds, 3);
    check_end("1=2");
}
END_TEST

/* Where neither came, whoever was to meet them goes on without a table; and so does a whole half.
 */
START_TEST(a_round_without_a_tie_is_none)
{
    begin_cup(8, 1, false);
    check_next("1-8 4-5 3-6 2-7");
    give("00 21 00 12");
    check_next("2-5");
    give("12");
    check_end("2 5 1=3=4=6=7=8");
}
END_TEST

START_TEST(who_leaves_gives_way)
{
    begin_cup(4, 1, false);
    check_next("1-4 2-3");
    give("12 12");
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 4), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 4), EVENT_LATE);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 2), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_RETURNED, 2), EVENT_FINE);
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 1), EVENT_FINE);
    check_end("2 1 3=4");
}
END_TEST

START_TEST(who_leaves_during_the_last_match_has_lost_it)
{
    begin_cup(2, 1, false);
    check_next("1-2");
    ck_assert_int_eq(held_change(held, EVENT_WITHDREW, 1), EVENT_FINE);
    check_end("2 1");
}
END_TEST

static enum event_fault judge(unsigned round, unsigned table, const char *places)
{
    struct event_entry entry = held_entry(held, EVENT_JUDGED, DIRECTOR);
    entry.u.outcome =
        (struct event_outcome){.round = (uint16_t)round,
                               .table = (uint16_t)table,
                               .seats = 2,
                               .place = {(uint8_t)(places[0] - '0'), (uint8_t)(places[1] - '0')}};
    strcpy(entry.reason, "saw it");
    return held_try(held, &entry);
}

/* Until the next round follows from it. */
START_TEST(the_last_round_can_be_judged)
{
    begin_cup(4, 1, false);
    check_next("1-4 2-3");
    give("12 12");
    ck_assert_int_eq(judge(1, 1, "21"), EVENT_FINE);
    check_next("2-4");
    ck_assert_int_eq(judge(1, 1, "12"), EVENT_BAD_ROUND);
    ck_assert_int_eq(judge(2, 1, "12"), EVENT_FINE);
    check_end("2 4 1=3");
}
END_TEST

static enum event_fault pair(const char *tables, unsigned count, uint64_t by)
{
    struct event_entry entry = held_entry(held, EVENT_PAIRED, by);
    entry.u.paired.round = (uint16_t)(held->event.rounds + 1);
    entry.u.paired.tables = (uint16_t)count;
    for (unsigned i = 0; i < count; i++) {
        entry.u.paired.seats[i] = 2;
        entry.u.paired.seat[i][0] = (uint16_t)(tables[3 * i] - '0');
        entry.u.paired.seat[i][1] = (uint16_t)(tables[3 * i + 1] - '0');
    }
    strcpy(entry.reason, "so it is");
    return event_check(&held->event, &entry);
}

START_TEST(nobody_makes_tables_of_their_own)
{
    begin_cup(4, 1, true);
    ck_assert_int_eq(pair("14 23", 2, DIRECTOR), EVENT_NOT_ENTITLED);
    check_next("1-4 2-3");
    give("12 12");
    ck_assert_int_eq(pair("12 34", 2, 0), EVENT_FINE);
    ck_assert_int_eq(pair("12", 1, 0), EVENT_FINE);
    ck_assert_int_eq(pair("13 24", 2, 0), EVENT_BAD_TABLES);
    ck_assert_int_eq(pair("34 12", 2, 0), EVENT_BAD_TABLES);
    ck_assert_int_eq(pair("12 14", 2, 0), EVENT_BAD_TABLES);
    event_release(&held->event);
    begin_cup(4, 3, false);
    check_next("1-4 2-3");
    give("12 12");
    ck_assert_int_eq(pair("41 32", 2, 0), EVENT_FINE);
    ck_assert_int_eq(pair("14 32", 2, 0), EVENT_BAD_TABLES);
    ck_assert_int_eq(pair("41", 1, 0), EVENT_BAD_TABLES);
    ck_assert_int_eq(pair("12", 1, 0), EVENT_BAD_TABLES);
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

Suite *cup_suite(void)
{
    Suite *suite = suite_create("cup");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, the_best_meet_last);
    tcase_add_test(cases, the_best_rest_where_there_are_too_few);
    tcase_add_test(cases, who_shares_a_match_goes_by_the_seed);
    tcase_add_test(cases, a_third_place_is_played_for);
    tcase_add_test(cases, the_best_of_three_goes_on);
    tcase_add_test(cases, who_came_once_is_before_who_never_did);
    tcase_add_test(cases, a_round_without_a_tie_is_none);
    tcase_add_test(cases, who_leaves_gives_way);
    tcase_add_test(cases, who_leaves_during_the_last_match_has_lost_it);
    tcase_add_test(cases, the_last_round_can_be_judged);
    tcase_add_test(cases, nobody_makes_tables_of_their_own);
    suite_add_tcase(suite, cases);
    return suite;
}
