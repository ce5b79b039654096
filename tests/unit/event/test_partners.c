/* Entrants who are two: both want to, each is in one pair, and either can leave. */
#include "held.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>

static struct held *held;

static enum event_fault join(unsigned number, uint64_t account, uint64_t partner)
{
    struct event_entry entry = held_entry(held, EVENT_JOINED, account);
    entry.u.who.entrant = (uint16_t)number;
    entry.u.who.account = account;
    entry.u.who.partner = partner;
    return held_try(held, &entry);
}

static enum event_fault enter(enum event_kind kind, unsigned number, uint64_t by)
{
    struct event_entry entry = held_entry(held, kind, by);
    entry.u.who.entrant = (uint16_t)number;
    return held_try(held, &entry);
}

static void begin_pairs(void)
{
    struct event_rules rules = held_rules(EVENT_ROBIN, 1);
    rules.pairs = true;
    held_make(held, rules);
    ck_assert_int_eq(join(1, 0xa, 0xb), EVENT_FINE);
}

START_TEST(a_pair_is_two)
{
    begin_pairs();
    ck_assert_int_eq(join(2, 0xc, 0), EVENT_BAD_PARTNER);
    ck_assert_int_eq(join(2, 0xc, 0xc), EVENT_BAD_PARTNER);
    ck_assert_int_eq(join(2, 0xa, 0xd), EVENT_AGAIN);
    event_release(&held->event);
    held_make(held, held_rules(EVENT_ROBIN, 1));
    ck_assert_int_eq(join(1, 0xa, 0xb), EVENT_BAD_PARTNER);
    event_release(&held->event);
    struct event_rules rules = held_rules(EVENT_TABLES, 1);
    struct event_entry entry = {.n = 1, .by = DIRECTOR, .kind = EVENT_MADE};
    rules.pairs = true;
    entry.u.made = rules;
    held->event = (struct event){0};
    ck_assert_int_eq(event_check(&held->event, &entry), EVENT_BAD_RULES);
}
END_TEST

START_TEST(a_pair_is_in_it_once_both_are)
{
    begin_pairs();
    ck_assert(!event_is_in(&held->event.entrant[0]));
    ck_assert_uint_eq(event_find(&held->event, 0xa), 1);
    ck_assert_uint_eq(event_find(&held->event, 0xb), 0);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xa), EVENT_NOT_ENTITLED);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, DIRECTOR), EVENT_NOT_ENTITLED);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0), EVENT_NOT_ENTITLED);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xb), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xb), EVENT_AGAIN);
    ck_assert(event_is_in(&held->event.entrant[0]));
    ck_assert_uint_eq(event_find(&held->event, 0xb), 1);
    ck_assert_int_eq(join(2, 0xb, 0xc), EVENT_AGAIN);
    event_release(&held->event);
}
END_TEST

/* Whoever is named somewhere is free to play with somebody else, and so is whoever named them. */
START_TEST(nobody_is_bound_by_being_named)
{
    begin_pairs();
    ck_assert_int_eq(join(2, 0xc, 0xb), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_AGREED, 2, 0xb), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xb), EVENT_AGAIN);
    ck_assert_int_eq(enter(EVENT_WITHDREW, 1, 0xa), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_RETURNED, 1, 0xa), EVENT_BAD_PARTNER);
    ck_assert_uint_eq(event_find(&held->event, 0xa), 0);
    ck_assert_int_eq(join(3, 0xa, 0xd), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_WITHDREW, 3, 0xd), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_AGREED, 3, 0xd), EVENT_AGAIN);
    ck_assert_int_eq(join(4, 0xa, 0xe), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_WITHDREW, 4, 0xa), EVENT_FINE);
    ck_assert_int_eq(join(5, 0xa, 0xf), EVENT_FULL);
    event_release(&held->event);
}
END_TEST

START_TEST(either_leaves_for_both)
{
    begin_pairs();
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xb), EVENT_FINE);
    ck_assert_int_eq(enter(EVENT_WITHDREW, 1, 0xb), EVENT_FINE);
    ck_assert(!event_is_in(&held->event.entrant[0]));
    ck_assert_int_eq(enter(EVENT_RETURNED, 1, 0xa), EVENT_FINE);
    ck_assert(event_is_in(&held->event.entrant[0]));
    ck_assert_int_eq(enter(EVENT_WITHDREW, 1, 0xc), EVENT_NOT_ENTITLED);
    event_release(&held->event);
}
END_TEST

/* Who has not agreed by the beginning is not in it. */
START_TEST(whoever_is_late_to_agree_is_out)
{
    begin_pairs();
    held_join(held, 2);
    ck_assert(held_wait(held));
    ck_assert_uint_eq(held->event.field, 2);
    ck_assert_int_eq(enter(EVENT_AGREED, 1, 0xb), EVENT_LATE);
    ck_assert_uint_eq(event_open_round(&held->event)->tables, 1);
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

Suite *partners_suite(void)
{
    Suite *suite = suite_create("partners");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, a_pair_is_two);
    tcase_add_test(cases, a_pair_is_in_it_once_both_are);
    tcase_add_test(cases, nobody_is_bound_by_being_named);
    tcase_add_test(cases, either_leaves_for_both);
    tcase_add_test(cases, whoever_is_late_to_agree_is_out);
    suite_add_tcase(suite, cases);
    return suite;
}
