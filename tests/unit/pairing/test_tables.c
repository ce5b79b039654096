/* Tables of three to five, in thousands of events by chance. */
#include "../../support/failing_alloc.h"
#include "../../support/rng.h"
#include "suites.h"
#include <pairing/tables.h>
#include <string.h>

enum { EVENTS = 1000, LARGE_EVENTS = 40, MOST = 40 };

static struct pairing_seeker seekers[MOST];
static uint8_t met[MOST * MOST];
static struct pairing_tables tables, again;

static uint32_t draw_lot(void *context, uint32_t n)
{
    return rng_below(context, n);
}

static bool seat_all(unsigned count, uint64_t seed, struct pairing_tables *result)
{
    struct rng rng = {seed};
    const struct pairing_lots lots = {draw_lot, &rng};
    return pairing_tables(seekers, count, &(struct pairing_met){met}, &lots, result);
}

/* Nobody is left out, and nobody sits twice. */
static void check_seats(unsigned count)
{
    bool there[MOST] = {false};
    unsigned seated = 0;
    for (unsigned table = 0; table < tables.tables; table++) {
        ck_assert_uint_ge(tables.seats[table], TABLE_SEATS_MIN);
        ck_assert_uint_le(tables.seats[table], TABLE_SEATS_MAX);
        ck_assert(tables.seats[table] < TABLE_SEATS_MAX || count == TABLE_SEATS_MAX);
        for (unsigned i = 0; i < tables.seats[table]; i++, seated++) {
            ck_assert_uint_lt(tables.seat[table][i], count);
            ck_assert(!there[tables.seat[table][i]]);
            there[tables.seat[table][i]] = true;
        }
    }
    ck_assert_uint_eq(seated, count);
}

/* The first player of each table has been that least often of those who sit there. */
static void check_first(void)
{
    for (unsigned table = 0; table < tables.tables; table++) {
        for (unsigned i = 1; i < tables.seats[table]; i++)
            ck_assert_uint_le(seekers[tables.seat[table][0]].began,
                              seekers[tables.seat[table][i]].began);
    }
}

static void note_met(unsigned count)
{
    for (unsigned table = 0; table < tables.tables; table++) {
        seekers[tables.seat[table][0]].began++;
        for (unsigned i = 0; i < tables.seats[table]; i++) {
            for (unsigned j = 0; j < tables.seats[table]; j++) {
                if (i != j)
                    met[tables.seat[table][i] * count + tables.seat[table][j]]++;
            }
        }
    }
}

static void begin_event(unsigned count)
{
    memset(seekers, 0, sizeof seekers);
    memset(met, 0, (size_t)count * count);
}

START_TEST(everybody_sits_at_a_table_of_three_to_five)
{
    for (uint64_t seed = 1; seed <= EVENTS; seed++) {
        struct rng rng = {seed};
        const unsigned count = 3 + rng_below(&rng, seed % 20 == 0 ? MOST - 2 : 10);
        begin_event(count);
        for (unsigned round = 0; round < 2; round++) {
            for (unsigned i = 0; i < count; i++)
                seekers[i].points = 10 * (count - i) / count;
            ck_assert(seat_all(count, seed + round, &tables));
            check_seats(count);
            check_first();
            note_met(count);
        }
    }
}
END_TEST

/* So many that three rounds need no two to meet again: then no two do. */
START_TEST(nobody_meets_again_where_that_can_be_avoided)
{
    for (uint64_t seed = 1; seed <= LARGE_EVENTS; seed++) {
        struct rng rng = {seed};
        const unsigned count = 20 + rng_below(&rng, MOST - 19);
        begin_event(count);
        for (unsigned round = 0; round < 3; round++) {
            ck_assert(seat_all(count, 100 * seed + round, &tables));
            ck_assert_msg(pairing_tables_repeats(&tables, count, &(struct pairing_met){met}) == 0,
                          "seed %u, %u entrants, round %u", (unsigned)seed, count, round);
            note_met(count);
        }
    }
}
END_TEST

/* Four groups of four with the same points: they sit together. */
START_TEST(points_are_near_where_nobody_has_met)
{
    begin_event(16);
    for (unsigned i = 0; i < 16; i++)
        seekers[i].points = 10 * (3 - i / 4);
    ck_assert(seat_all(16, 1, &tables));
    for (unsigned table = 0; table < 4; table++) {
        for (unsigned i = 1; i < 4; i++)
            ck_assert_uint_eq(seekers[tables.seat[table][i]].points,
                              seekers[tables.seat[table][0]].points);
    }
}
END_TEST

START_TEST(the_same_lots_give_the_same_tables)
{
    begin_event(23);
    ck_assert(seat_all(23, 9, &tables));
    ck_assert(seat_all(23, 9, &again));
    ck_assert_mem_eq(&tables, &again, sizeof tables);
    ck_assert(seat_all(23, 10, &again));
    ck_assert_mem_ne(&tables, &again, sizeof tables);
}
END_TEST

START_TEST(two_are_no_table)
{
    begin_event(3);
    ck_assert(!seat_all(2, 1, &tables));
    ck_assert(!pairing_table_sizes(PAIRING_ENTRANTS_MAX + 1, &tables));
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const bool seated = seat_all(3, 1, &tables);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert(!seated);
}
END_TEST

Suite *tables_suite(void)
{
    Suite *suite = suite_create("tables");
    TCase *cases = tcase_create("all");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, everybody_sits_at_a_table_of_three_to_five);
    tcase_add_test(cases, nobody_meets_again_where_that_can_be_avoided);
    tcase_add_test(cases, points_are_near_where_nobody_has_met);
    tcase_add_test(cases, the_same_lots_give_the_same_tables);
    tcase_add_test(cases, two_are_no_table);
    suite_add_tcase(suite, cases);
    return suite;
}
