/* When commits begin: rates that are given, and worlds of moves that come at given times. */
#include "suites.h"
#include <hub/pacing.h>
#include <stdbool.h>

enum { S_US = 1000000, START_US = 500 * S_US };

/* ---- the interval */

static const struct {
    int64_t max_us, per_s, interval_us;
} intervals[] = {
    {4000, 0, 0},          {4000, 20, 0},         {4000, 200, 0},        {4000, 249, 0},
    {4000, 250, 500},      {4000, 500, 1000},     {4000, 2000, 4000},    {4000, 4000, 4000},
    {4000, 8000, 2000},    {4000, 16000, 1000},   {4000, 32000, 500},    {4000, 32001, 0},
    {4000, 1000000, 0},    {1000, 2000, 1000},    {1000, 500, 1000},     {0, 2000, 0},
    {400, 2000, 0},        {6000, 2000, 4000},    {6000, 2828, 5656},    {6000, 3000, 5333},
    {1000000, 2000, 4000}, {1000000, 2828, 5656}, {1000000, 2829, 5655},
};

START_TEST(test_interval)
{
    struct pacing pacing;
    pacing_init(&pacing, intervals[_i].max_us);
    ck_assert_int_eq(pacing_interval_us(&pacing), 0);
    pacing_begin(&pacing, START_US, 1);
    pacing.per_s = intervals[_i].per_s;
    ck_assert_int_eq(pacing_interval_us(&pacing), intervals[_i].interval_us);
    ck_assert_int_eq(pacing_due_us(&pacing, 1), START_US + intervals[_i].interval_us);
    ck_assert_int_eq(pacing_due_us(&pacing, PACING_ENOUGH - 1),
                     START_US + intervals[_i].interval_us);
    ck_assert_int_eq(pacing_due_us(&pacing, PACING_ENOUGH), START_US);
}
END_TEST

/* ---- when who waits looks */

static const struct {
    int64_t per_s;
    size_t waiting;
    int64_t at_us, until_us; /* since the last commit began */
    bool is_long;
} looks[] = {
    {2000, 1, 600, 4000, true},      /* to the end: 7 will have come */
    {2000, 2, 600, 4000, true},      /* 13 */
    {2000, 3, 600, 1600, true},      /* 20: more than enough, so it is looked at again */
    {2000, 15, 3700, 4000, true},    /* not beyond the end */
    {2000, 8, 2000, 3000, true},     /* just enough */
    {2000, 5, 4000, 4000, true},     /* it is over */
    {2000, 1, 0, 1000, true},        /* nothing is known yet */
    {500, 1, 250, 1000, true},       /* long */
    {499, 1, 250, 250 + 249, false}, /* and not */
    {20000, 4, 300, 500, false},     {20000, 4, 700, 800, false},
};

START_TEST(test_look)
{
    struct pacing pacing;
    pacing_init(&pacing, 4000);
    pacing_begin(&pacing, START_US, 1);
    pacing.per_s = looks[_i].per_s;
    ck_assert(pacing_is_long(&pacing) == looks[_i].is_long);
    ck_assert_int_eq(pacing_look_us(&pacing, looks[_i].waiting, START_US + looks[_i].at_us),
                     START_US + looks[_i].until_us);
}
END_TEST

/* ---- a second of moves */

struct run {
    struct pacing pacing;
    int64_t free_us; /* when the disk is */
    size_t waiting, commits, moves;
    int64_t first_us, last_us; /* when the first that waits came, and the last */
    int64_t longest_us;        /* the longest wait for a commit to begin */
};

/* Commits what waits, if it is due and the disk is free until `now_us`. */
static void commit_until(struct run *run, int64_t now_us, int64_t sync_us)
{
    int64_t at_us = pacing_due_us(&run->pacing, run->waiting);
    if (at_us < run->free_us)
        at_us = run->free_us;
    if (at_us < run->last_us)
        at_us = run->last_us;
    if (run->waiting == 0 || at_us > now_us)
        return;
    pacing_begin(&run->pacing, at_us, run->waiting);
    if (at_us - run->first_us > run->longest_us)
        run->longest_us = at_us - run->first_us;
    run->free_us = at_us + sync_us;
    run->waiting = 0;
    run->commits++;
}

static void moves_at(struct run *run, size_t count, int64_t now_us, int64_t sync_us)
{
    commit_until(run, now_us, sync_us);
    if (run->waiting == 0)
        run->first_us = now_us;
    run->last_us = now_us;
    run->waiting += count;
    run->moves += count;
    commit_until(run, now_us, sync_us);
}

static const struct {
    int64_t per_s;
    size_t at_once; /* they come together */
    int64_t sync_us;
    size_t commits_min, commits_max;
    int64_t wait_max_us;
} seconds[] = {
    {1, 1, 300, 1, 1, 0},
    {20, 1, 300, 20, 20, 0},
    {200, 1, 300, 200, 200, 0},
    {20, 4, 300, 5, 5, 0},
    {240, 24, 300, 10, 10, 0},
    {500, 1, 300, 400, 500, 0},
    {1000, 1, 300, 500, 560, 2000},
    {2000, 1, 300, 250, 310, 4000},
    {2000, 1, 9000, 105, 120, 9000}, /* a slow disk: whatever came meanwhile */
    {4000, 1, 300, 250, 290, 4000},
    {20000, 1, 300, 1200, 1300, 1000},
    {20000, 100, 300, 190, 201, 0}, /* enough each time */
};

START_TEST(test_second)
{
    struct run run = {0};
    const int64_t step_us = (int64_t)seconds[_i].at_once * S_US / seconds[_i].per_s;
    pacing_init(&run.pacing, 4000);
    for (int64_t us = 0; us < S_US; us += step_us)
        moves_at(&run, seconds[_i].at_once, START_US + us, seconds[_i].sync_us);
    commit_until(&run, START_US + 2 * S_US, 0);
    ck_assert_uint_eq(run.waiting, 0);
    ck_assert_uint_eq(run.moves, (size_t)seconds[_i].per_s);
    ck_assert_msg(run.commits >= seconds[_i].commits_min && run.commits <= seconds[_i].commits_max,
                  "%zu commits", run.commits);
    const int64_t most_us = seconds[_i].wait_max_us + seconds[_i].sync_us;
    ck_assert_msg(run.longest_us <= most_us, "%lld us", (long long)run.longest_us);
}
END_TEST

/* ---- what becomes of a rate */

START_TEST(test_rate_is_forgotten)
{
    struct pacing pacing;
    pacing_init(&pacing, 4000);
    for (int i = 0; i < 100; i++)
        pacing_begin(&pacing, START_US + i * 4000, 8);
    ck_assert_int_ge(pacing.per_s, 1900);
    ck_assert_int_le(pacing.per_s, 2000);
    const int64_t last_us = START_US + 99 * 4000;
    ck_assert_int_le(pacing_due_us(&pacing, 1), last_us + 4000); /* later it is at once */
    pacing_begin(&pacing, last_us + PACING_WINDOW_US, 1);
    ck_assert_int_eq(pacing.per_s, 15);
    ck_assert_int_eq(pacing_interval_us(&pacing), 0);
}
END_TEST

/* A burst after quiet counts as what it is, and time that goes back as none. */
START_TEST(test_odd_times)
{
    struct pacing pacing;
    pacing_init(&pacing, 4000);
    pacing_begin(&pacing, START_US, 100000);
    ck_assert_int_eq(pacing.per_s, 200);
    pacing_begin(&pacing, START_US, 100);
    ck_assert_int_ge(pacing.per_s, 1500);
    const int64_t before = pacing.per_s;
    pacing_begin(&pacing, START_US - 100, 0);
    ck_assert_int_eq(pacing.per_s, before);
    pacing_begin(&pacing, START_US + (int64_t)1000000 * S_US, 0);
    ck_assert_int_eq(pacing.per_s, 0);
}
END_TEST

Suite *pacing_suite(void)
{
    Suite *suite = suite_create("pacing");
    TCase *all = tcase_create("pacing");
    tcase_add_loop_test(all, test_interval, 0, sizeof intervals / sizeof intervals[0]);
    tcase_add_loop_test(all, test_look, 0, sizeof looks / sizeof looks[0]);
    tcase_add_loop_test(all, test_second, 0, sizeof seconds / sizeof seconds[0]);
    tcase_add_test(all, test_rate_is_forgotten);
    tcase_add_test(all, test_odd_times);
    suite_add_tcase(suite, all);
    return suite;
}
