/* Quick match: who goes together. */
#include "pool/pool.h"
#include "suites.h"
#include "waiting/waiting.h"
#include <inttypes.h>
#include <stdio.h>

/* ---- groups */

enum { MANY = 400, NOW_MS = 1000000 };

static struct ticket tickets[MANY];
static size_t work[MANY * POOL_WORK];
static struct group group;

/* Of somebody whose rating is that at each table, in points, and who has waited so many seconds. */
static struct ticket ticket(unsigned kinds, unsigned points, unsigned deviation, int waited_s)
{
    static uint64_t sessions;
    struct ticket made = {.session = ++sessions,
                          .since_ms = NOW_MS - 1000 * waited_s,
                          .kinds = (uint16_t)kinds,
                          .clocks = 1};
    for (unsigned kind = 0; kind < POOL_KINDS; kind++)
        made.rating[kind] = (struct rating){1000 * points, 1000 * deviation};
    return made;
}

static bool next(size_t count)
{
    struct pool pool;
    pool_begin(&pool, tickets, count, NOW_MS, work);
    return pool_next(&pool, &group);
}

static bool has(size_t at)
{
    for (unsigned i = 0; i < group.size; i++) {
        if (group.at[i] == at)
            return true;
    }
    return false;
}

/* Of the first game. */
enum { TWO = 1 << 2, THREE = 1 << 3, FOUR = 1 << 4, FIVE = 1 << 5 };
enum { TOTEM = POOL_SIZE_MAX + 1, TOTEM_TWO = TOTEM + 2, TOTEM_THREE = TOTEM + 3 };

START_TEST(nobody_is_put_together_with_nobody)
{
    tickets[0] = ticket(TWO, 1500, 50, 1000);
    ck_assert(!next(0));
    ck_assert(!next(1));
    tickets[1] = ticket(THREE, 1500, 50, 1000); /* of another size */
    ck_assert(!next(2));
    tickets[1] = ticket(TWO, 1500, 50, 1000);
    tickets[1].kinds = 1 << TOTEM_TWO;
    ck_assert(!next(2));
    tickets[1].kinds = TWO;
    tickets[1].leaves = true;
    ck_assert(!next(2));
    tickets[1].leaves = false;
    ck_assert(next(2));
    ck_assert_uint_eq(group.size, 2);
}
END_TEST

/* By what one is rated in each; and whoever has a table is beside nobody at the other one's. */
START_TEST(of_several_games_each)
{
    tickets[0] = ticket(TWO | 1 << TOTEM_TWO, 1500, 50, 10);
    tickets[1] = ticket(1 << TOTEM_TWO, 1500, 50, 9);
    ck_assert(next(2));
    ck_assert_uint_eq(group.game, 1);
    ck_assert_uint_eq(group.size, 2);
    tickets[0].rating[TOTEM_TWO].strength = 2500000;
    ck_assert(!next(2));
    tickets[2] = ticket(TWO, 1500, 50, 8);
    ck_assert(next(3));
    ck_assert_uint_eq(group.game, 0);
    ck_assert(has(0) && has(2));
    tickets[0].rating[TOTEM_TWO].strength = 1500000; /* he has waited longer */
    struct pool pool;
    pool_begin(&pool, tickets, 3, NOW_MS, work);
    ck_assert(pool_next(&pool, &group));
    ck_assert_uint_eq(group.game, 1);
    ck_assert_uint_eq(pool.crowd[pool_kind(0, 2)], 1);
    tickets[0].leaves = tickets[1].leaves = true;
    ck_assert(!pool_next(&pool, &group));
    tickets[1] = ticket(1 << TOTEM_THREE, 1500, 50, 9); /* another size, as well */
    tickets[2].leaves = true;
    tickets[0].leaves = false;
    ck_assert(!next(3));
}
END_TEST

/* One clock has to be everybody's, at a table of three too; and nobody plays with their own home,
 * nor with who has their device. */
START_TEST(a_clock_of_all_and_addresses_of_their_own)
{
    const uint64_t home = UINT64_C(1) << 21; /* of its /48 the first, as kernel_source has it */
    for (size_t at = 0; at < 3; at++) {
        tickets[at] = ticket(THREE, 1500, 50, 1000);
        tickets[at].clocks = (uint8_t)(7 - (1 << at)); /* each two of them have one */
    }
    ck_assert(!next(3));
    tickets[0].clocks = 7;
    tickets[1].clocks = 6;
    tickets[2].clocks = 3;
    ck_assert(next(3));
    ck_assert_uint_eq(group.clocks, 2);
    tickets[0].source = tickets[1].source = tickets[2].source = 0; /* which says nothing */
    ck_assert(next(3));
    tickets[0].source = home;
    tickets[2].source = 2 * home;
    ck_assert(next(3));
    tickets[2].source = home + 1; /* another /64 of the same /56 */
    ck_assert(!next(3));
    tickets[2].source = 2 * home;
    tickets[0].device = tickets[1].device = 7;
    ck_assert(!next(3));
    tickets[1].device = 8;
    ck_assert(next(3));
    tickets[0].device = tickets[1].device = 0; /* which says nothing */
    ck_assert(next(3));
    tickets[1].with = tickets[0].session;
    ck_assert(!next(3)); /* wants that one alone */
}
END_TEST

/* Who has just played together does not again, if there are others, and not for ever. */
START_TEST(no_repeat_if_others_wait)
{
    tickets[0] = ticket(TWO, 1500, 50, 10);
    tickets[1] = ticket(TWO, 1500, 50, 10);
    tickets[0].met[0] = tickets[1].session;
    tickets[0].met_ms = NOW_MS - POOL_MET_MS + 1;
    ck_assert(next(2)); /* nobody else is there */
    tickets[2] = ticket(THREE, 1500, 50, 10);
    ck_assert(next(3)); /* nor for such a table */
    tickets[2] = ticket(TWO, 1600, 50, 10);
    ck_assert(next(3)); /* with one of them, who stands behind the other */
    ck_assert(has(2));
    tickets[2] = ticket(TWO, 2500, 50, 10);
    ck_assert(!next(3)); /* they wait, as it may be time for that one soon */
    tickets[1].since_ms = NOW_MS - 1000 * POOL_ANYBODY_S;
    ck_assert(!next(3));
    tickets[0].since_ms = NOW_MS - 1000 * POOL_ANYBODY_S;
    ck_assert(next(3)); /* but not too long */
    ck_assert(!has(2));
    tickets[0].since_ms = tickets[1].since_ms = NOW_MS - 10000;
    tickets[0].met_ms = NOW_MS - POOL_MET_MS;
    ck_assert(next(3));
    tickets[0].met_ms++;
    tickets[0].met[0] = 1;
    tickets[0].met[POOL_SIZE_MAX - 2] = tickets[1].session;
    ck_assert(!next(3));
}
END_TEST

/* 150 points, half a deviation, and 10 for each second of who has waited less. */
START_TEST(windows_widen)
{
    tickets[0] = ticket(TWO, 1500, 100, 0);
    tickets[1] = ticket(TWO, 1700, 200, 0);
    ck_assert(next(2)); /* 200 is within 200 and 250 */
    tickets[1] = ticket(TWO, 1701, 200, 0);
    ck_assert(!next(2));
    tickets[1].since_ms -= 30000;
    ck_assert(!next(2)); /* the other one has not waited */
    tickets[0].since_ms -= 1000;
    ck_assert(next(2));
    tickets[1] = ticket(TWO, 4000, 50, 89);
    tickets[0] = ticket(TWO, 1000, 50, 90);
    ck_assert(!next(2));
    tickets[1] = ticket(TWO, 4000, 50, 90);
    ck_assert(next(2)); /* anybody */
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS), UINT64_MAX);
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS - 100000), 175000);
}
END_TEST

/* Who has said how far is never put together with anybody who is farther; and stands in the way of
 * nobody who would be. */
START_TEST(a_reach_narrows)
{
    tickets[0] = ticket(TWO, 1500, 100, 1000);
    tickets[1] = ticket(TWO, 1700, 100, 1000);
    tickets[1].reach = 200;
    ck_assert(next(2));
    tickets[1].reach = 199;
    ck_assert(!next(2));
    tickets[1].reach = 0;
    tickets[0].reach = 199;
    ck_assert(!next(2));
    tickets[0] = ticket(TWO, 1500, 100, 0);
    tickets[0].reach = 4000;
    tickets[1] = ticket(TWO, 1701, 100, 100);
    ck_assert(!next(2)); /* and widens nothing */
    tickets[1] = ticket(TWO, 1550, 300, 0);
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS), 300000);
    tickets[1].reach = POOL_REACH_MIN;
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS), 150000);
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS + 100000), 150000);
    /* Three of them, of whom the middle one has said so. */
    for (unsigned i = 0; i < 3; i++)
        tickets[i] = ticket(THREE, 1500 + 150 * i, 100, 100);
    ck_assert(next(3));
    tickets[1].reach = 299;
    ck_assert(!next(3));
    tickets[1].reach = 300;
    ck_assert(next(3));
    for (unsigned i = 0; i < 10; i++) {
        tickets[i] = ticket(TWO, 1000 + 200 * i, 50, 1000);
        tickets[i].reach = i > 0 && i < 9 ? POOL_REACH_MIN : 0;
    }
    ck_assert(next(10));
    ck_assert(has(0) && has(9));
}
END_TEST

START_TEST(the_nearest_and_the_larger_table)
{
    tickets[0] = ticket(TWO, 1500, 100, 5);
    tickets[1] = ticket(TWO, 1600, 100, 0);
    tickets[2] = ticket(TWO, 1450, 100, 0);
    ck_assert(next(3));
    ck_assert(has(0) && has(2));
    /* Three are worth 60 points more than two. */
    for (unsigned i = 0; i < 3; i++)
        tickets[i] = ticket(TWO | THREE, 1500 + 25 * i, 100, 0);
    ck_assert(next(3));
    ck_assert_uint_eq(group.size, 3);
    tickets[2] = ticket(TWO | THREE, 1500 + 25 + 61, 100, 0);
    ck_assert(next(3));
    ck_assert_uint_eq(group.size, 2);
    /* Half a point for each second that they have waited, in the middle. */
    tickets[0] = ticket(TWO, 1500, 100, 60);
    tickets[1] = ticket(TWO, 1540, 100, 60);
    tickets[2] = ticket(TWO, 1471, 100, 0);
    ck_assert(next(3)); /* 40 - 30, and 29 - 15 */
    ck_assert(has(1));
    for (unsigned i = 0; i < 5; i++)
        tickets[i] = ticket(FIVE | FOUR, 1500, 100, 0);
    ck_assert(next(5));
    ck_assert_uint_eq(group.size, 5);
}
END_TEST

/* Others stand between each two of them, and nearer. */
static void come_new(unsigned count, unsigned kinds, int waited_s)
{
    for (unsigned at = 0; at < 2 * count; at++) {
        tickets[at] = ticket(kinds, 1500 + 10 * at, 100, waited_s);
        tickets[at].is_new = at % 2 == 0;
    }
}

/* Who is new plays with others who are, where there are four; and nobody waits long for that. */
START_TEST(who_is_new_by_themselves)
{
    come_new(4, TWO, 1);
    ck_assert(next(8));
    ck_assert(has(0) && has(2));
    tickets[0].is_new = false; /* there are three */
    ck_assert(next(8));
    ck_assert(has(0) && has(1));
    come_new(4, TWO, POOL_ANYBODY_S);
    for (unsigned at = 0; at < 8; at++)
        tickets[at].source = (UINT64_C(1) + at % 2) << 21; /* with nobody of them */
    ck_assert(next(8));
    ck_assert(tickets[group.at[0]].is_new != tickets[group.at[1]].is_new);
    for (unsigned at = 0; at < 8; at++)
        tickets[at].since_ms += 1000;
    ck_assert(!next(8));
}
END_TEST

START_TEST(no_table_of_their_own_for_too_few)
{
    come_new(4, FIVE, 1);
    ck_assert(next(8));
    ck_assert_uint_eq(group.size, 5);
    come_new(5, FIVE, 1);
    ck_assert(next(10));
    for (unsigned i = 0; i < 5; i++)
        ck_assert(tickets[group.at[i]].is_new);
}
END_TEST

static void takes_computers(struct ticket *ticket)
{
    ticket->computers = true;
}

/* After a minute, beside two at least who all take them, and as few as may be. */
START_TEST(computers_in_the_seats_of_who_is_missing)
{
    for (unsigned at = 0; at < 2; at++) {
        tickets[at] = ticket(THREE | FIVE, 1500, 100, POOL_FILL_S);
        takes_computers(&tickets[at]);
    }
    ck_assert(next(2));
    ck_assert(group.size == 2 && group.computers == 1 && has(0) && has(1));
    tickets[0].kinds = tickets[1].kinds = FIVE | 1 << TOTEM_THREE;
    ck_assert(next(2));
    ck_assert(group.game == 1 && group.computers == 1);
    tickets[0].kinds = tickets[1].kinds = FIVE;
    ck_assert(next(2));
    ck_assert(group.size == 2 && group.computers == 3);
    tickets[2] = ticket(FIVE, 1500, 100, POOL_FILL_S);
    ck_assert(next(3));
    ck_assert(!has(2)); /* has not said so */
    takes_computers(&tickets[2]);
    ck_assert(next(3));
    ck_assert(group.size == 3 && group.computers == 2);
    tickets[0].kinds |= THREE;
    tickets[1].kinds |= THREE;
    ck_assert(next(3)); /* rather more people */
    ck_assert(group.size == 3 && group.computers == 2);
    tickets[2].since_ms++;
    ck_assert(next(3));
    ck_assert(group.size == 2 && group.computers == 1);
    tickets[1].since_ms++;
    ck_assert(!next(3));
    ck_assert(!next(1)); /* by themselves */
    tickets[1] = ticket(TWO, 1500, 100, POOL_FILL_S);
    takes_computers(&tickets[1]);
    tickets[0].kinds |= TWO;
    ck_assert(next(2));
    ck_assert(group.size == 2 && group.computers == 0); /* people come first */
}
END_TEST

START_TEST(nobody_is_at_a_filled_table_with_whom_they_would_not_be)
{
    for (unsigned at = 0; at < 2; at++) {
        tickets[at] = ticket(THREE, 1500 + 900 * at, 100, POOL_FILL_S);
        takes_computers(&tickets[at]);
    }
    ck_assert(!next(2)); /* too far, after a minute */
    tickets[1].rating[3].strength = 1500000;
    ck_assert(next(2));
    tickets[0].source = tickets[1].source = 5;
    ck_assert(!next(2));
    tickets[0].source = 0;
    tickets[0].with = tickets[1].session;
    ck_assert(!next(2));
}
END_TEST

/* ---- waits and spreads, beside what other rules give */

static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static bool are_beyond(size_t one, size_t other)
{
    const uint32_t left = tickets[one].rating[2].strength,
                   right = tickets[other].rating[2].strength;
    const uint64_t spread = left < right ? right - left : left - right;
    return spread > pool_reach(&tickets[one]) || spread > pool_reach(&tickets[other]);
}

/* So many come in ten minutes, one after the other, and half of them play with nobody far away;
 * nobody goes. No compatible pair waits longer than 95 s. */
START_TEST(two_who_fit_do_not_both_wait_long)
{
    uint64_t state = (uint64_t)_i + 1;
    size_t count = 0;
    int64_t now_ms = NOW_MS;
    for (int second = 0; second < 3600; second++, now_ms += 1000) {
        if (count < MANY && drawn(&state) < 0.05 * (1 + _i % 4)) {
            const unsigned points = 700 + (unsigned)(1600 * drawn(&state));
            const unsigned sizes[] = {TWO, TWO | THREE, THREE | FOUR, FIVE | TWO, FOUR};
            tickets[count] = ticket(sizes[(int)(5 * drawn(&state))], points, 120, 0);
            tickets[count].is_new = drawn(&state) < 0.3;
            if (_i >= 4 && drawn(&state) < 0.5)
                tickets[count].reach = (uint16_t)(POOL_REACH_MIN + 300 * drawn(&state));
            tickets[count++].since_ms = now_ms;
        }
        struct pool pool;
        pool_begin(&pool, tickets, count, now_ms, work);
        while (pool_next(&pool, &group)) {
            for (unsigned i = 0; i < group.size; i++)
                tickets[group.at[i]].leaves = true;
        }
        size_t left = 0;
        for (size_t at = 0; at < count; at++) {
            if (!tickets[at].leaves)
                tickets[left++] = tickets[at];
        }
        count = left;
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < a; b++)
                ck_assert(!(tickets[a].kinds & tickets[b].kinds & TWO) || are_beyond(a, b) ||
                          now_ms - tickets[a].since_ms < 95000 ||
                          now_ms - tickets[b].since_ms < 95000);
        }
    }
}
END_TEST

/* ---- what it costs */

enum { CROWD = 2000, STEPS_MAX = 500 /* of each */ };
static struct ticket crowd[CROWD];
static size_t crowd_work[CROWD * POOL_WORK];

/* As many as there may be, who would sit at any table: near each other, far, or all the same; and
 * who have just come, or take anybody. Nobody is in two groups, and at the end nobody is left who
 * fits. */
START_TEST(a_crowd_costs_little)
{
    static const struct {
        double points;
        int waited_s;
    } kinds[] = {{1600, 30}, {1600, 120}, {0, 0}, {3900, 0}, {3900, 85}, {400, 120}};
    struct pool pool;
    uint64_t state = (uint64_t)_i + 7;
    size_t grouped = 0;
    for (size_t at = 0; at < CROWD; at++) {
        const unsigned points = 100 + (unsigned)(kinds[_i].points * drawn(&state));
        crowd[at] = ticket(TWO | THREE | FOUR | FIVE, points, 120,
                           (int)(kinds[_i].waited_s * drawn(&state)));
        crowd[at].is_new = at % 5 == 0;
        crowd[at].computers = at % 2 == 0;
        /* of one game, of the other one, or of both */
        crowd[at].kinds = (uint16_t)(crowd[at].kinds * (at % 3 == 0   ? 1U
                                                        : at % 3 == 1 ? 1U << TOTEM
                                                                      : 1U | 1U << TOTEM));
    }
    pool_begin(&pool, crowd, CROWD, NOW_MS, crowd_work);
    while (pool_next(&pool, &group)) {
        for (unsigned i = 0; i < group.size; i++) {
            struct ticket *own = &crowd[group.at[i]];
            ck_assert(!own->leaves &&
                      own->kinds >> pool_kind(group.game, group.size + group.computers) & 1);
            own->leaves = true;
            grouped++;
        }
    }
    ck_assert_uint_gt(grouped, CROWD / 2);
    ck_assert_uint_lt(pool.steps, (uint64_t)CROWD * STEPS_MAX);
    ck_assert_int_lt(pool.passes, POOL_PASSES);
    pool_begin(&pool, crowd, CROWD, NOW_MS, crowd_work);
    ck_assert(!pool_next(&pool, &group));
}
END_TEST

/* ---- those who are apart */

/* The first `count`, all as strong, would sit at any table, and each two of them are apart: every
 * one has blocked who comes next, around a ring, as many as one may. */
static void block_each_other(size_t count)
{
    static char apart[MANY][SEEK_APART_BYTES + 1];
    for (size_t at = 0; at < count; at++)
        tickets[at] = ticket(TWO | THREE | FOUR | FIVE, 1500, 100, POOL_ANYBODY_S + MANY - (int)at);
    for (size_t at = 0; at < count; at++) {
        size_t ids = 0;
        for (size_t other = 0; other < count; other++) {
            const size_t ahead = (other + count - at) % count;
            if (ahead != 0 && ahead <= count / 2)
                (void)snprintf(apart[at] + POOL_ID_DIGITS * ids++, POOL_ID_DIGITS + 1,
                               "%016" PRIx64, tickets[other].session);
        }
        tickets[at].apart = apart[at];
        tickets[at].apart_count = ids;
    }
}

START_TEST(who_are_apart_cost_little)
{
    struct pool pool;
    block_each_other(MANY);
    ck_assert_uint_eq(tickets[0].apart_count, KERNEL_BLOCKS_MAX);
    pool_begin(&pool, tickets, MANY, NOW_MS, work);
    ck_assert(!pool_next(&pool, &group));
    ck_assert_uint_lt(pool.steps, (uint64_t)MANY * STEPS_MAX);
}
END_TEST

/* The oldest one is put together with whoever is behind so many that they are apart from. */
START_TEST(some_who_are_apart_are_passed_over)
{
    for (size_t count = 2; count < 2 * POOL_APART_PASSED_MAX; count++) {
        block_each_other(count);
        tickets[count] = ticket(TWO, 1500, 100, 0);
        for (size_t at = 0; at <= count; at++)
            tickets[at].kinds = TWO;
        ck_assert(next(count + 1));
        ck_assert(has(count));
        ck_assert(has(count - 1 <= POOL_APART_PASSED_MAX ? 0 : count - 1 - POOL_APART_PASSED_MAX));
    }
}
END_TEST

Suite *pool_suite(void)
{
    Suite *suite = suite_create("pool");
    TCase *groups = tcase_create("groups");
    tcase_add_test(groups, nobody_is_put_together_with_nobody);
    tcase_add_test(groups, of_several_games_each);
    tcase_add_test(groups, a_clock_of_all_and_addresses_of_their_own);
    tcase_add_test(groups, no_repeat_if_others_wait);
    tcase_add_test(groups, windows_widen);
    tcase_add_test(groups, a_reach_narrows);
    tcase_add_test(groups, the_nearest_and_the_larger_table);
    tcase_add_test(groups, who_is_new_by_themselves);
    tcase_add_test(groups, no_table_of_their_own_for_too_few);
    tcase_add_test(groups, computers_in_the_seats_of_who_is_missing);
    tcase_add_test(groups, nobody_is_at_a_filled_table_with_whom_they_would_not_be);
    tcase_add_loop_test(groups, two_who_fit_do_not_both_wait_long, 0, 8);
    tcase_add_loop_test(groups, a_crowd_costs_little, 0, 6);
    tcase_add_test(groups, who_are_apart_cost_little);
    tcase_add_test(groups, some_who_are_apart_are_passed_over);
    suite_add_tcase(suite, groups);
    return suite;
}
