/* The queue of questions for worker threads: in which order they are taken, and how many wait. */
#include "suites.h"
#include "think_queue.h"
#include "world.h"
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 2, MEMORY = 64 };

static struct world world;
static _Alignas(max_align_t) unsigned char memory[MEMORY];
static unsigned done_count, released_count;

static bool fake_run(struct think_job *job, struct game_thinking *thinking)
{
    (void)job;
    thinking->simulations = 1;
    return true;
}

static void fake_done(struct hub *hub, struct think_job *job, bool answered)
{
    ck_assert_ptr_eq(hub, world.hub);
    (void)job;
    done_count += answered;
}

static void fake_release(struct think_job *job)
{
    released_count++;
    free(job);
}

static struct think_job *add_fake(enum think_kind kind)
{
    struct think_job *job = calloc(1, sizeof *job);
    ck_assert_ptr_nonnull(job);
    job->kind = kind;
    job->run = fake_run;
    job->done = fake_done;
    job->release = fake_release;
    if (think_add(world.hub, job))
        return job;
    free(job);
    return NULL;
}

/* Takes the next one, which must be of this kind, and hands it back answered. */
static void expect_kind(enum think_kind kind)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    ck_assert_int_eq(job->kind, kind);
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, 1, world.now_ms);
}

static void expect_count(const char *kind, const char *outcome, int count)
{
    char line[96];
    (void)snprintf(line, sizeof line, "think_jobs_total{kind=\"%s\",outcome=\"%s\"}", kind,
                   outcome);
    ck_assert_msg(world_figure(&world, line) == count, "%s", line);
}

static void begin_with(int64_t asks, int64_t wait_ms)
{
    world_init(&world);
    world.config.think_asks = asks;
    world.config.think_wait_ms = wait_ms;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    done_count = released_count = 0;
}

START_TEST(test_order_of_kinds)
{
    begin_with(10, 3000);
    for (int kind = THINK_ANALYSIS; kind >= THINK_MOVE; kind--)
        ck_assert_ptr_nonnull(add_fake((enum think_kind)kind));
    for (int kind = THINK_MOVE; kind <= THINK_ANALYSIS; kind++)
        expect_kind((enum think_kind)kind);
    ck_assert_uint_eq(done_count, THINK_KINDS);
    ck_assert_uint_eq(released_count, THINK_KINDS);
    expect_count("analysis", "answered", 1);
    world_release(&world);
}
END_TEST

START_TEST(test_moves_do_not_starve_the_others)
{
    begin_with(10, 3000);
    for (int i = 0; i < 12; i++)
        add_fake(THINK_MOVE);
    add_fake(THINK_ANALYSIS);
    add_fake(THINK_ANALYSIS);
    for (int i = 0; i < 8; i++)
        expect_kind(THINK_MOVE);
    expect_kind(THINK_ANALYSIS);
    for (int i = 0; i < 4; i++)
        expect_kind(THINK_MOVE);
    expect_kind(THINK_ANALYSIS);
    world_release(&world);
}
END_TEST

/* Moves of computers alone wait for all others, and so do not make people's moves wait. */
START_TEST(test_who_waits_for_whom)
{
    begin_with(10, 3000);
    add_fake(THINK_ALONE);
    struct think_job *job = hub_think_take(world.hub);
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, INT64_C(1000) * 3000 * 8 * WORKERS, world.now_ms);
    ck_assert_ptr_nonnull(add_fake(THINK_ALONE));
    ck_assert_ptr_null(add_fake(THINK_ALONE));
    ck_assert_ptr_nonnull(add_fake(THINK_MOVE));
    ck_assert_ptr_null(add_fake(THINK_MOVE));
    world_release(&world);
}
END_TEST

/* What was found before it was cancelled may be anything. */
START_TEST(test_a_cancelled_answer_is_none)
{
    begin_with(10, 3000);
    add_fake(THINK_HINT);
    struct think_job *job = hub_think_take(world.hub);
    hub_think_cancel(job);
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, 1, world.now_ms);
    ck_assert_uint_eq(done_count, 0);
    expect_count("hint", "failed", 1);
    world_release(&world);
}
END_TEST

/* First come, first served. */
START_TEST(test_order_of_hints)
{
    struct think_job *jobs[3];
    begin_with(10, 3000);
    for (int i = 0; i < 3; i++)
        jobs[i] = add_fake(THINK_HINT);
    think_drop(world.hub, &jobs[1], THINK_CANCELLED);
    ck_assert_ptr_null(jobs[1]);
    think_drop(world.hub, &jobs[1], THINK_CANCELLED);
    ck_assert_ptr_eq(hub_think_take(world.hub), jobs[0]);
    ck_assert_ptr_eq(hub_think_take(world.hub), jobs[2]);
    expect_count("hint", "cancelled", 1);
    world_release(&world);
    ck_assert_uint_eq(done_count, 0);
    ck_assert_uint_eq(released_count, 3);
}
END_TEST

/* Hints and analyses have a bound of their own, and do not mind how long moves wait. */
START_TEST(test_bound_of_what_is_asked_for)
{
    begin_with(2, 0);
    ck_assert_ptr_nonnull(add_fake(THINK_HINT));
    ck_assert_ptr_nonnull(add_fake(THINK_HINT));
    ck_assert_ptr_null(add_fake(THINK_HINT));
    ck_assert_ptr_null(add_fake(THINK_MOVE));
    expect_count("hint", "refused", 1);
    world_release(&world);
}
END_TEST

Suite *think_queue_suite(void)
{
    Suite *suite = suite_create("queue of thoughts");
    TCase *tcase = tcase_create("queue of thoughts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_order_of_kinds);
    tcase_add_test(tcase, test_moves_do_not_starve_the_others);
    tcase_add_test(tcase, test_order_of_hints);
    tcase_add_test(tcase, test_who_waits_for_whom);
    tcase_add_test(tcase, test_a_cancelled_answer_is_none);
    tcase_add_test(tcase, test_bound_of_what_is_asked_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
