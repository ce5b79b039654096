/* How sure a difference between two rating systems is. */
#include "interval.h"
#include "suites.h"
#include <math.h>
#include <string.h>

enum { PEOPLE = 400, MATCHES = 2000, WORLDS = 100 };

static double drawn(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

/* Matches of two of so many: what each of them adds to a match of theirs, and what chance does. */
struct matches {
    struct interval_sum accounts[PEOPLE], all;
};

static void add(struct matches *matches, unsigned one, unsigned other, double difference)
{
    struct interval_sum *const sums[] = {&matches->accounts[one], &matches->accounts[other],
                                         &matches->all};
    for (unsigned at = 0; at < 3; at++) {
        sums[at]->difference += difference;
        sums[at]->matches++;
    }
}

static void draw(struct matches *matches, struct rng *rng, unsigned people, double mean, double own,
                 double chance)
{
    double adds[PEOPLE];
    memset(matches, 0, sizeof *matches);
    for (unsigned at = 0; at < people; at++)
        adds[at] = own * (drawn(rng) - 0.5);
    for (unsigned match = 0; match < MATCHES; match++) {
        const unsigned one = rng_below(rng, people),
                       other = (one + 1 + rng_below(rng, people - 1)) % people;
        add(matches, one, other, mean + adds[one] + adds[other] + chance * (drawn(rng) - 0.5));
    }
}

/* Nothing differs: the interval is the mean. */
START_TEST(what_is_the_same_of_all_is_sure)
{
    static struct matches matches;
    struct interval interval;
    struct rng rng = {1};
    draw(&matches, &rng, PEOPLE, 0.25, 0, 0);
    ck_assert(interval_of(matches.accounts, PEOPLE, matches.all, &rng, &interval));
    ck_assert_double_eq_tol(interval.mean, 0.25, 1e-9);
    ck_assert_double_eq_tol(interval.low, 0.25, 1e-6);
    ck_assert_double_eq_tol(interval.high, 0.25, 1e-6);
}
END_TEST

/* In most worlds it has what is true, whether people differ or matches: of 100 at least 88. With
 * people who differ it is not much too wide either: in some worlds it has not. */
static const struct {
    double own, chance;
    unsigned least, most;
} worlds[] = {{1, 0, 88, 99}, {0, 1, 92, 100}, {1, 1, 88, 100}};

START_TEST(the_interval_has_what_is_true)
{
    static struct matches matches;
    struct rng rng = {7 + (uint64_t)_i};
    unsigned inside = 0;
    for (unsigned world = 0; world < WORLDS; world++) {
        struct interval interval;
        draw(&matches, &rng, 100, 0.1, worlds[_i].own, worlds[_i].chance);
        ck_assert(interval_of(matches.accounts, 100, matches.all, &rng, &interval));
        ck_assert_double_lt(interval.low, interval.mean);
        ck_assert_double_gt(interval.high, interval.mean);
        inside += interval.low <= 0.1 && 0.1 <= interval.high;
    }
    ck_assert_msg(inside >= worlds[_i].least && inside <= worlds[_i].most, "%u", inside);
}
END_TEST

/* One who has played half of all and is like nobody else is nothing that people are like. */
START_TEST(one_alone_makes_nothing_sure)
{
    static struct matches matches;
    struct interval interval;
    struct rng rng = {3};
    draw(&matches, &rng, PEOPLE, 0, 0, 0.01);
    for (unsigned match = 0; match < MATCHES / 2; match++)
        add(&matches, 0, 1 + match % (PEOPLE - 1), 1);
    ck_assert(interval_of(matches.accounts, PEOPLE, matches.all, &rng, &interval));
    ck_assert_double_gt(interval.mean, 0.3);
    ck_assert_double_lt(interval.low, 0.02);
}
END_TEST

START_TEST(of_few_nothing_is_said)
{
    static struct matches matches;
    struct interval interval;
    struct rng rng = {5};
    draw(&matches, &rng, INTERVAL_ACCOUNTS_MIN, 0.1, 1, 1);
    ck_assert(interval_of(matches.accounts, INTERVAL_ACCOUNTS_MIN, matches.all, &rng, &interval));
    ck_assert(
        !interval_of(matches.accounts, INTERVAL_ACCOUNTS_MIN - 1, matches.all, &rng, &interval));
    matches.all.matches = 0;
    ck_assert(!interval_of(matches.accounts, INTERVAL_ACCOUNTS_MIN, matches.all, &rng, &interval));
}
END_TEST

Suite *interval_suite(void)
{
    Suite *suite = suite_create("interval");
    TCase *tests = tcase_create("interval");
    tcase_add_test(tests, what_is_the_same_of_all_is_sure);
    tcase_add_loop_test(tests, the_interval_has_what_is_true, 0, sizeof worlds / sizeof worlds[0]);
    tcase_add_test(tests, one_alone_makes_nothing_sure);
    tcase_add_test(tests, of_few_nothing_is_said);
    suite_add_tcase(suite, tests);
    return suite;
}
