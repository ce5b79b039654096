/* Swiss events: who meets whom is for server/pairing; here that it is asked for the right event. */
#include "../../support/failing_alloc.h"
#include "people.h"
#include "suites.h"
#include <event/report.h>
#include <event/standings.h>
#include <pairing/compare.h>
#include <pairing/trf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct held *held;
static struct event_standing standings[EVENT_ENTRANTS_MAX];
static struct pairing_event report;

/* The first is rated best; as seeds they have the numbers in which they join. */
static void begin_swiss(unsigned entrants, unsigned rounds)
{
    held_make(held, held_rules(EVENT_SWISS, rounds));
    for (unsigned number = 1; number <= entrants; number++) {
        struct event_entry entry = held_entry(held, EVENT_JOINED, FIRST_ACCOUNT + number);
        entry.u.who.entrant = (uint16_t)number;
        entry.u.who.account = FIRST_ACCOUNT + number;
        entry.u.who.rating = (uint16_t)(2000 - number);
        held_enter(held, &entry);
    }
    ck_assert(held_wait(held));
}

/* "1-3 2-4 5": tables of the round that comes next, the lower number first, and who rests. */
static void check_next(const char *tables)
{
    char text[256] = "";
    if (!event_open_round(&held->event))
        ck_assert(held_wait(held));
    const struct event_round *round = event_open_round(&held->event);
    for (unsigned i = 0; round && i < round->tables; i++) {
        const unsigned a = round->table[i].seat[0], b = round->table[i].seat[1];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u-%u", i ? " " : "",
                 a < b ? a : b, a < b ? b : a);
    }
    if (round && round->rests)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %u", (unsigned)round->rests);
    ck_assert_str_eq(text, tables);
}

/* The lower number of each table wins, or nobody. */
static void give(bool shared)
{
    const struct event_round *round = event_open_round(&held->event);
    for (unsigned i = 0, tables = round->tables; i < tables; i++) {
        const bool first = round->table[i].seat[0] < round->table[i].seat[1];
        ck_assert_int_eq(held_result(held, i + 1, shared ? "11" : first ? "12" : "21"), EVENT_FINE);
    }
}

START_TEST(halves_meet_and_then_those_with_as_much)
{
    begin_swiss(8, 3);
    check_next("1-5 2-6 3-7 4-8");
    give(false);
    check_next("1-4 2-3 5-8 6-7");
    give(false);
    check_next("1-2 3-5 4-6 7-8");
    give(false);
    (void)held_advance(held);
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    ck_assert(event_standings(&held->event, standings));
    ck_assert_uint_eq(standings[0].entrant, 1);
    ck_assert_uint_eq(standings[0].points, 3 * EVENT_POINT);
    event_release(&held->event);
}
END_TEST

/* Nobody rests twice, and nobody meets twice: so it ends before its time. */
START_TEST(it_ends_when_all_have_met)
{
    begin_swiss(3, 9);
    for (unsigned round = 0; round < 3; round++) {
        ck_assert_uint_eq(event_open_round(&held->event)->tables, 1);
        ck_assert_uint_ne(event_open_round(&held->event)->rests, 0);
        give(true);
        ck_assert(held_wait(held));
    }
    ck_assert_int_eq(held->event.phase, EVENT_IS_OVER);
    ck_assert_uint_eq(held->event.rounds, 3);
    ck_assert(event_standings(&held->event, standings));
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(standings[i].place, 1);
        ck_assert_uint_eq(standings[i].points, 2 * EVENT_POINT);
        ck_assert_uint_eq(standings[i].played, 2);
    }
    event_release(&held->event);
}
END_TEST

/* 1 and 2 have won their first, and shared the second. */
START_TEST(opponents_tell_equals_apart)
{
    begin_swiss(4, 2);
    check_next("1-3 2-4");
    give(false);
    check_next("1-2 3-4");
    give(true);
    ck_assert(event_standings(&held->event, standings));
    ck_assert_uint_eq(standings[0].points, 3 * EVENT_POINT / 2);
    ck_assert_uint_eq(standings[0].place, 1);
    ck_assert_uint_eq(standings[1].place, 1);
    ck_assert_int_eq(standings[0].tie[0], 15);
    ck_assert_int_eq(standings[0].tie[1], 15 + 5);
    ck_assert_int_eq(standings[0].tie[2], 15 * 5 + 5 * 10);
    ck_assert_int_eq(standings[0].tie[3], 1);
    event_release(&held->event);
}
END_TEST

/* Behind all others, until half of the rounds. */
START_TEST(whoever_comes_late_has_missed_a_round)
{
    begin_swiss(4, 3);
    give(false);
    ck_assert_int_eq(held_come(held), EVENT_FINE);
    ck_assert(held_wait(held));
    ck_assert(event_report(&report, &held->event, held->secret));
    ck_assert_uint_eq(report.entrants, 5);
    ck_assert_uint_eq(report.rounds, 1);
    ck_assert_int_eq(pairing_meeting_of(&report, 5, 1)->result, 'Z');
    ck_assert_str_eq(report.entrant[4].name, "000000000000a005");
    pairing_event_release(&report);
    ck_assert_int_eq(held_come(held), EVENT_LATE);
    event_release(&held->event);
}
END_TEST

/* By hand as well all play but one. */
START_TEST(tables_can_be_made_by_hand)
{
    begin_swiss(5, 3);
    give(false);
    struct event_entry entry = held_entry(held, EVENT_PAIRED, DIRECTOR);
    strcpy(entry.reason, "sisters");
    entry.u.paired =
        (struct event_seating){.round = 2, .tables = 2, .seats = {2, 2}, .seat = {{5, 1}, {2, 4}}};
    ck_assert_int_eq(event_check(&held->event, &entry), EVENT_FINE);
    entry.u.paired.seat[1][1] = 5;
    ck_assert_int_eq(event_check(&held->event, &entry), EVENT_BAD_TABLES);
    entry.u.paired.tables = 1;
    ck_assert_int_eq(event_check(&held->event, &entry), EVENT_BAD_TABLES);
    event_release(&held->event);
}
END_TEST

/* Whoever has the report file finds the rounds in it that were played, unless a result was judged
 * otherwise after the next one. */
static void check_report(void)
{
    static char text[1 << 17];
    static struct pairing_event again;
    static struct pairing_round round;
    static struct pairing_difference difference;
    struct trf_place place;
    ck_assert(event_report(&report, &held->event, held->secret));
    const size_t len = trf_write(&report, text, sizeof text);
    ck_assert(pairing_event_init(&again));
    ck_assert_int_eq(trf_read(&again, text, len, &place), TRF_OK);
    ck_assert_uint_eq(again.rounds, held->event.rounds);
    for (unsigned i = 1; i <= again.rounds; i++) {
        if (held->event.round[i - 1].by_hand)
            continue;
        ck_assert_int_eq(pairing_dutch(&again, i, &round), PAIRING_DONE);
        ck_assert(!pairing_compare(&again, i, &round, &difference));
    }
    pairing_event_release(&again);
    pairing_event_release(&report);
}

START_TEST(its_report_has_the_same_rounds)
{
    unsigned rounds = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct rng rng = {seed};
        people_make_event(held, &rng);
        const bool swiss = held->event.rules.form == EVENT_SWISS;
        do {
            for (unsigned i = rng_below(&rng, 4); swiss && i > 0; i--)
                people_do_something(held, &rng);
        } while (swiss && people_wait(held, &rng));
        if (swiss && held->event.phase == EVENT_IS_OVER && held->event.judged == 0) {
            check_report();
            rounds += held->event.rounds;
        }
        event_release(&held->event);
    }
    ck_assert_uint_gt(rounds, 20);
}
END_TEST

START_TEST(without_memory_nothing_is_reported)
{
    begin_swiss(4, 3);
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const bool made = event_report(&report, &held->event, held->secret);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert(!made);
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

Suite *swiss_suite(void)
{
    Suite *suite = suite_create("swiss");
    TCase *cases = tcase_create("all");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, halves_meet_and_then_those_with_as_much);
    tcase_add_test(cases, it_ends_when_all_have_met);
    tcase_add_test(cases, opponents_tell_equals_apart);
    tcase_add_test(cases, whoever_comes_late_has_missed_a_round);
    tcase_add_test(cases, tables_can_be_made_by_hand);
    tcase_add_test(cases, its_report_has_the_same_rounds);
    tcase_add_test(cases, without_memory_nothing_is_reported);
    suite_add_tcase(suite, cases);
    return suite;
}
