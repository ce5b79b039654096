/* The queue of questions for worker threads: in which order they are taken, and how many wait. */
#include "suites.h"
#include "waiting/think_queue.h"
#include "world.h"
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 2, MEMORY = 64 };

static struct world world;
static _Alignas(max_align_t) unsigned char memory[MEMORY];
static unsigned done_count, released_count, gave_way_count;

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

static struct think_job *make_shared(enum think_kind kind, uint16_t share)
{
    struct think_job *job = calloc(1, sizeof *job);
    ck_assert_ptr_nonnull(job);
    job->kind = kind;
    job->share = share;
    job->run = fake_run;
    job->done = fake_done;
    job->release = fake_release;
    return job;
}

static struct think_job *add_made(struct think_job *job)
{
    if (think_add(world.hub, job))
        return job;
    free(job);
    return NULL;
}

/* For an address that has this share; 0: for none. */
static struct think_job *add_shared(enum think_kind kind, uint16_t share)
{
    return add_made(make_shared(kind, share));
}

static void fake_give_way(struct hub *hub, struct think_job *job)
{
    ck_assert_ptr_eq(hub, world.hub);
    (void)job;
    gave_way_count++;
}

/* For an address of these networks, from the narrowest on. */
static struct think_job *add_from(enum think_kind kind, uint16_t address, uint16_t wide,
                                  uint16_t widest)
{
    struct think_job *job = make_shared(kind, address);
    job->origin = (struct origin){{address, wide, widest}, address};
    job->give_way = fake_give_way;
    return add_made(job);
}

static struct think_job *add_fake(enum think_kind kind)
{
    return add_shared(kind, 0);
}

static struct think_job *take(void)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    return job;
}

static void answer(struct think_job *job, int64_t elapsed_us)
{
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, elapsed_us, world.now_ms);
}

/* Takes the next one, which must be of this kind, and hands it back answered. */
static void expect_kind(enum think_kind kind)
{
    struct think_job *job = take();
    ck_assert_int_eq(job->kind, kind);
    answer(job, 1);
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
    done_count = released_count = gave_way_count = 0;
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

/* Pages are somebody else's: one at a time, and after each something that somebody plays by. */
START_TEST(test_pages_let_others_by)
{
    begin_with(10, 3000);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(add_fake(THINK_PAGE));
    struct think_job *page = take();
    ck_assert_int_eq(page->kind, THINK_PAGE);
    ck_assert_ptr_null(hub_think_take(world.hub)); /* though a worker is free */
    for (int i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(add_fake(THINK_ANALYSIS));
    ck_assert_ptr_nonnull(add_fake(THINK_ALONE));
    expect_kind(THINK_ALONE);
    answer(page, 1);
    static const enum think_kind order[] = {THINK_PAGE, THINK_ANALYSIS, THINK_PAGE, THINK_ANALYSIS};
    for (size_t at = 0; at < sizeof order / sizeof order[0]; at++)
        expect_kind(order[at]);
    ck_assert_ptr_nonnull(add_fake(THINK_PAGE));
    ck_assert_ptr_nonnull(add_fake(THINK_PAGE));
    for (int i = 0; i < 2; i++) /* if nobody else waits */
        expect_kind(THINK_PAGE);
    ck_assert_ptr_null(hub_think_take(world.hub));
    world_release(&world);
}
END_TEST

/* Takes the next one, which must be for this address. */
static void expect_share(uint16_t share)
{
    struct think_job *job = take();
    ck_assert_uint_eq(job->share, share);
    answer(job, 1);
}

/* One address asks for much, and others come later: they have their turns. */
START_TEST(test_addresses_take_turns)
{
    begin_with(20, 3000);
    for (int i = 0; i < 6; i++)
        ck_assert_ptr_nonnull(add_shared(THINK_HINT, 1));
    expect_share(1);
    for (uint16_t share = 2; share <= 3; share++) {
        for (int i = 0; i < 2; i++)
            ck_assert_ptr_nonnull(add_shared(THINK_HINT, share));
    }
    static const uint16_t order[] = {2, 3, 1, 2, 3};
    for (size_t at = 0; at < sizeof order / sizeof order[0]; at++)
        expect_share(order[at]);
    /* Who comes now has missed nothing, and does not have turns of before either. */
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(add_shared(THINK_HINT, 4));
    static const uint16_t rest[] = {4, 1, 4, 1, 4, 1, 1};
    for (size_t at = 0; at < sizeof rest / sizeof rest[0]; at++)
        expect_share(rest[at]);
    ck_assert_ptr_null(hub_think_take(world.hub));
    world_release(&world);
}
END_TEST

/* Somebody who asks again and again, as soon as there is an answer, overtakes nobody. */
START_TEST(test_no_address_starves)
{
    begin_with(20, 3000);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(add_shared(THINK_HINT, 1));
    ck_assert_ptr_nonnull(add_shared(THINK_HINT, 2));
    int of_one = 0;
    for (int i = 0; i < 6; i++) {
        struct think_job *job = take();
        of_one += job->share == 1;
        if (job->share == 2)
            ck_assert_ptr_nonnull(add_shared(THINK_HINT, 2));
        answer(job, 1);
    }
    ck_assert_int_eq(of_one, 3);
    world_release(&world);
}
END_TEST

START_TEST(test_moves_do_not_starve_the_others)
{
    begin_with(10, 3000);
    for (int i = 0; i < 20; i++)
        add_fake(THINK_MOVE);
    add_fake(THINK_ANALYSIS);
    add_fake(THINK_ANALYSIS);
    for (int i = 0; i < 8; i++)
        expect_kind(THINK_MOVE);
    expect_kind(THINK_ANALYSIS);
    for (int i = 0; i < 8; i++)
        expect_kind(THINK_MOVE);
    expect_kind(THINK_ANALYSIS);
    world_release(&world);
}
END_TEST

/* Whatever it is that waits beside them; and only moves that it was waiting for are counted. */
START_TEST(test_moves_in_a_row)
{
    begin_with(10, 3000);
    for (int i = 0; i < 20; i++)
        add_fake(THINK_MOVE);
    for (int i = 0; i < 5; i++)
        expect_kind(THINK_MOVE);
    add_fake((enum think_kind)_i);
    for (int i = 0; i < 8; i++)
        expect_kind(THINK_MOVE);
    expect_kind((enum think_kind)_i);
    expect_kind(THINK_MOVE);
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

/* ---- lists */

/* One that waits is not wanted any more, whichever it is, and then another comes. */
START_TEST(test_any_may_be_dropped)
{
    struct think_job *jobs[4];
    begin_with(3, 3000);
    for (int i = 0; i < 3; i++)
        jobs[i] = add_fake(THINK_HINT);
    think_drop(world.hub, &jobs[_i], THINK_CANCELLED);
    jobs[3] = add_fake(THINK_HINT);
    ck_assert_ptr_nonnull(jobs[3]);
    ck_assert_ptr_null(add_fake(THINK_HINT));
    for (int i = 0; i < 4; i++) {
        if (i == _i)
            continue;
        struct think_job *job = take();
        ck_assert_ptr_eq(job, jobs[i]);
        answer(job, 1);
    }
    ck_assert_ptr_null(hub_think_take(world.hub));
    ck_assert_uint_eq(done_count, 3);
    world_release(&world);
    ck_assert_uint_eq(released_count, 4);
}
END_TEST

static const unsigned back_rows[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* They come back in any order, or not at all. */
START_TEST(test_back_in_any_order)
{
    struct think_job *jobs[3];
    for (unsigned back = 0; back <= 3; back++) {
        begin_with(10, 3000);
        hub_think_workers(world.hub, 3, MEMORY);
        for (int i = 0; i < 5; i++)
            add_fake(THINK_HINT);
        for (int i = 0; i < 3; i++)
            jobs[i] = take();
        for (unsigned i = 0; i < back; i++) {
            ck_assert_ptr_null(hub_think_take(world.hub));
            answer(jobs[back_rows[_i][i]], 1);
            ck_assert_uint_eq(released_count, i + 1);
            if (i < 2)
                (void)take();
        }
        ck_assert_uint_eq(done_count, back);
        world_release(&world);
        ck_assert_uint_eq(released_count, 5);
    }
}
END_TEST

/* ---- shares of addresses */

START_TEST(test_shares)
{
    world_init(&world);
    world.config.think_per_address = 2;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    released_count = 0;
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_nonnull(add_fake(THINK_HINT)); /* for no address: not counted */
    struct think_job *waiting = add_shared(THINK_HINT, 1);
    ck_assert_ptr_nonnull(add_shared(THINK_ANALYSIS, 1));
    ck_assert_ptr_null(add_shared(THINK_HINT, 1));
    ck_assert_ptr_nonnull(add_shared(THINK_HINT, 2));
    think_drop(world.hub, &waiting, THINK_CANCELLED);
    waiting = add_shared(THINK_HINT, 1);
    ck_assert_ptr_nonnull(waiting);
    for (int i = 0; i < 3; i++)
        expect_kind(THINK_HINT); /* of nobody, of the other address, of nobody */
    struct think_job *out = take();
    ck_assert_ptr_eq(out, waiting);
    think_drop(world.hub, &waiting, THINK_CANCELLED);
    ck_assert_ptr_null(add_shared(THINK_HINT, 1)); /* a worker has it still */
    answer(out, 1);
    ck_assert_ptr_nonnull(add_shared(THINK_HINT, 1));
    world_release(&world);
    ck_assert_uint_eq(released_count, 9);
}
END_TEST

/* One address has half of what waits, of each kind for itself. */
START_TEST(test_half_is_an_addresses)
{
    begin_with(5, 3000);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(add_from(THINK_HINT, 1, 1, 1));
        ck_assert_ptr_nonnull(add_from(THINK_ANALYSIS, 1, 1, 1));
    }
    ck_assert_ptr_null(add_from(THINK_HINT, 1, 1, 1));
    ck_assert_ptr_nonnull(add_from(THINK_HINT, 2, 1, 1));
    (void)take();
    ck_assert_ptr_nonnull(add_from(THINK_HINT, 1, 1, 1));
    ck_assert_uint_eq(gave_way_count, 0);
    world_release(&world);
}
END_TEST

/* Five addresses fill it, and whoever comes then has a place all the same; as long as somebody has
 * more than they would have then. */
START_TEST(test_heaviest_gives_way)
{
    static const uint16_t others[] = {6, 7, 8};
    begin_with(10, 3000);
    for (uint16_t i = 0; i < 10; i++)
        ck_assert_ptr_nonnull(add_from(THINK_HINT, 1 + i / 2, 1 + i / 2, 1 + i / 2));
    for (unsigned i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(add_from(THINK_HINT, others[i], others[i], others[i]));
    ck_assert_uint_eq(gave_way_count, 3);
    ck_assert_uint_eq(released_count, 3);
    expect_count("hint", "refused", 3);
    ck_assert_ptr_null(add_from(THINK_HINT, 6, 6, 6));
    ck_assert_ptr_null(add_shared(THINK_HINT, 9)); /* from nowhere that is known */
    ck_assert_uint_eq(gave_way_count, 3);
    uint16_t first_turn[9] = {0};
    for (int i = 0; i < 8; i++) {
        struct think_job *job = take();
        first_turn[job->share]++;
        answer(job, 1);
    }
    for (int share = 1; share <= 8; share++)
        ck_assert_uint_eq(first_turn[share], 1); /* nobody has lost a first one */
    world_release(&world);
    ck_assert_uint_eq(released_count, 13);
}
END_TEST

/* Many addresses of one network are not many who ask. */
START_TEST(test_a_network_gives_way)
{
    begin_with(8, 3000);
    for (uint16_t i = 0; i < 8; i++)
        ck_assert_ptr_nonnull(add_from(THINK_ANALYSIS, i + 1, 1 + i / 4, 1));
    struct think_job *other = add_from(THINK_ANALYSIS, 20, 20, 20);
    ck_assert_ptr_nonnull(other);
    ck_assert_ptr_null(add_from(THINK_ANALYSIS, 21, 1, 1)); /* one more of it */
    ck_assert_uint_eq(gave_way_count, 1);
    for (uint16_t i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(add_from(THINK_ANALYSIS, 20, 20, 20));
    ck_assert_ptr_null(add_from(THINK_ANALYSIS, 20, 20, 20));
    ck_assert_uint_eq(gave_way_count, 4);
    world_release(&world);
}
END_TEST

/* A turn that was not had is had by the next one of the address. */
START_TEST(test_a_turn_comes_back)
{
    begin_with(4, 3000);
    for (int i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(add_from(THINK_HINT, 1, 1, 1));
    for (uint16_t i = 2; i < 5; i++)
        ck_assert_ptr_nonnull(add_from(THINK_HINT, i, i, i));
    ck_assert_uint_eq(gave_way_count, 1);
    expect_kind(THINK_HINT);
    struct think_job *again = add_from(THINK_HINT, 1, 1, 1);
    ck_assert_ptr_nonnull(again);
    ck_assert_uint_eq(again->turn, 1);
    world_release(&world);
}
END_TEST

/* ---- how long answers take */

enum { WAIT_MS = 3000, MEAN_OF = 8 };

/* The mean becomes so long, from nothing. */
static void take_long(int64_t mean_us)
{
    add_fake(THINK_MOVE);
    answer(take(), mean_us * MEAN_OF);
}

/* The one that comes behind another must wait for half the mean, as there are two workers. */
static bool waits_too_long(void)
{
    ck_assert_ptr_nonnull(add_fake(THINK_MOVE));
    struct think_job *second = add_fake(THINK_MOVE);
    bool refused = !second;
    answer(take(), 0);
    think_drop(world.hub, &second, THINK_CANCELLED);
    return refused;
}

START_TEST(test_longest_wait)
{
    begin_with(10, WAIT_MS);
    take_long(INT64_C(1000) * (WORKERS * WAIT_MS - 2));
    ck_assert(!waits_too_long());
    world_release(&world);
    begin_with(10, WAIT_MS);
    take_long(INT64_C(1000) * WORKERS * WAIT_MS);
    ck_assert(waits_too_long());
    world_release(&world);
}
END_TEST

/* What is not a move, or was stopped early, says nothing of how long a move takes. */
START_TEST(test_what_is_counted)
{
    begin_with(10, WAIT_MS);
    add_fake(THINK_HINT);
    answer(take(), INT64_C(1000) * WORKERS * WAIT_MS * MEAN_OF);
    ck_assert(!waits_too_long());
    world_release(&world);
    begin_with(10, WAIT_MS);
    add_fake(THINK_ALONE);
    answer(take(), INT64_C(1000) * WORKERS * WAIT_MS * MEAN_OF);
    struct think_job *dropped = add_fake(THINK_MOVE), *out = take();
    think_drop(world.hub, &dropped, THINK_CANCELLED);
    answer(out, 0);
    ck_assert(waits_too_long());
    world_release(&world);
}
END_TEST

/* ---- how thoroughly */

static const struct {
    int64_t bound, mean_ms;
    enum think_kind kind;
    uint32_t simulations;
} thorough_rows[] = {
    {0, WAIT_MS / 4, THINK_MOVE, 0},
    {0, WAIT_MS / 4 + 1, THINK_MOVE, 50},
    {0, WAIT_MS / 4, THINK_ALONE, 0},
    {0, WAIT_MS / 4 + 1, THINK_ALONE, 50},
    {0, WAIT_MS, THINK_HINT, 0},
    {0, WAIT_MS, THINK_ANALYSIS, 0},
    {49, WAIT_MS / 4 + 1, THINK_MOVE, 49},
    {51, WAIT_MS / 4 + 1, THINK_MOVE, 50},
    {500, WAIT_MS / 4 + 1, THINK_MOVE, 50},
    {500, WAIT_MS / 4, THINK_MOVE, 500},
    {500, WAIT_MS, THINK_HINT, 500},
};

/* A move that must wait for more than a quarter of its time: two are ahead of two workers. */
START_TEST(test_thorough)
{
    world_init(&world);
    world.config.think_simulations = thorough_rows[_i].bound;
    world.config.think_wait_ms = WAIT_MS;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    take_long(1000 * thorough_rows[_i].mean_ms);
    add_fake(thorough_rows[_i].kind);
    add_fake(thorough_rows[_i].kind);
    ck_assert_uint_eq(take()->simulations_max, thorough_rows[_i].simulations);
    world_release(&world);
}
END_TEST

Suite *think_queue_suite(void)
{
    Suite *suite = suite_create("queue of thoughts");
    TCase *tcase = tcase_create("queue of thoughts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_order_of_kinds);
    tcase_add_test(tcase, test_pages_let_others_by);
    tcase_add_test(tcase, test_addresses_take_turns);
    tcase_add_test(tcase, test_no_address_starves);
    tcase_add_test(tcase, test_moves_do_not_starve_the_others);
    tcase_add_test(tcase, test_order_of_hints);
    tcase_add_test(tcase, test_who_waits_for_whom);
    tcase_add_test(tcase, test_a_cancelled_answer_is_none);
    tcase_add_test(tcase, test_bound_of_what_is_asked_for);
    tcase_add_loop_test(tcase, test_moves_in_a_row, THINK_HINT, THINK_KINDS);
    tcase_add_loop_test(tcase, test_any_may_be_dropped, 0, 3);
    tcase_add_loop_test(tcase, test_back_in_any_order, 0, sizeof back_rows / sizeof *back_rows);
    tcase_add_test(tcase, test_shares);
    tcase_add_test(tcase, test_half_is_an_addresses);
    tcase_add_test(tcase, test_heaviest_gives_way);
    tcase_add_test(tcase, test_a_network_gives_way);
    tcase_add_test(tcase, test_a_turn_comes_back);
    tcase_add_test(tcase, test_longest_wait);
    tcase_add_test(tcase, test_what_is_counted);
    tcase_add_loop_test(tcase, test_thorough, 0, sizeof thorough_rows / sizeof *thorough_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
