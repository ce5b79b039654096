/* Waves of an arena, beside all that there are where few wait. */
#include "../../support/failing_alloc.h"
#include "../../support/rng.h"
#include "suites.h"
#include <pairing/arena.h>
#include <string.h>

enum { WAVES = 3000, FEW = 8, MOST = ARENA_WAVE_MAX };

/* What a wave is worth, the first first. */
struct worth {
    uint64_t pairs, waited, repeats;
};

static struct pairing_waiter waiters[MOST];
static uint8_t met[MOST * MOST];
static struct pairing_wave wave;
static unsigned count;

static bool worth_is_less(struct worth a, struct worth b)
{
    if (a.pairs != b.pairs)
        return a.pairs < b.pairs;
    return a.waited != b.waited ? a.waited < b.waited : a.repeats > b.repeats;
}

static bool may_play(unsigned a, unsigned b)
{
    if (waiters[a].last != (int32_t)b && waiters[b].last != (int32_t)a)
        return true;
    return count <= ARENA_FEW && waiters[a].waited_ms >= ARENA_AGAIN_MS &&
           waiters[b].waited_ms >= ARENA_AGAIN_MS;
}

static void add_pair(struct worth *worth, unsigned a, unsigned b)
{
    const unsigned times = met[a * count + b];
    worth->pairs++;
    worth->waited += (uint64_t)(waiters[a].waited_ms + waiters[b].waited_ms);
    worth->repeats += (uint64_t)times * times;
}

static struct worth find_best(unsigned left, struct worth so_far)
{
    unsigned first = 0;
    if (left == 0)
        return so_far;
    while (!(left >> first & 1))
        first++;
    left &= ~(1U << first);
    struct worth best = find_best(left, so_far);
    for (unsigned other = first + 1; other < count; other++) {
        struct worth with = so_far;
        if (!(left >> other & 1) || !may_play(first, other))
            continue;
        add_pair(&with, first, other);
        with = find_best(left & ~(1U << other), with);
        best = worth_is_less(best, with) ? with : best;
    }
    return best;
}

static struct worth check_wave(void)
{
    bool there[MOST] = {false};
    struct worth worth = {0};
    for (unsigned i = 0; i < wave.pairs; i++) {
        const unsigned a = wave.pair[i][0], b = wave.pair[i][1];
        ck_assert(a < b && b < count && !there[a] && !there[b] && may_play(a, b));
        there[a] = there[b] = true;
        add_pair(&worth, a, b);
    }
    return worth;
}

static void make_waiters(struct rng *rng, unsigned how_many)
{
    count = how_many;
    for (unsigned i = 0; i < count; i++) {
        waiters[i] = (struct pairing_waiter){.rank = i,
                                             .rating = 1000 + rng_below(rng, 1000),
                                             .waited_ms = 10000 * (int64_t)rng_below(rng, 6),
                                             .last = (int32_t)rng_below(rng, count + 3) - 3};
        if (waiters[i].last < 0 || waiters[i].last == (int32_t)i)
            waiters[i].last = -1;
        for (unsigned j = 0; j < i; j++)
            met[i * count + j] = met[j * count + i] = (uint8_t)(rng_below(rng, 4) / 2);
    }
}

START_TEST(are_the_best_of_all)
{
    for (uint64_t seed = 1; seed <= WAVES; seed++) {
        struct rng rng = {seed};
        make_waiters(&rng, 1 + rng_below(&rng, FEW));
        ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
        const struct worth found = check_wave();
        const struct worth best = find_best((1U << count) - 1, (struct worth){0});
        ck_assert_msg(!worth_is_less(found, best), "seed %u", (unsigned)seed);
    }
}
END_TEST

/* Two who have just played do so again when they have waited, and nobody else comes. */
START_TEST(two_do_not_wait_for_ever)
{
    struct rng rng = {1};
    make_waiters(&rng, 2);
    waiters[0].last = 1;
    waiters[1].last = 0;
    waiters[0].waited_ms = waiters[1].waited_ms = ARENA_AGAIN_MS - 1;
    ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
    ck_assert_uint_eq(wave.pairs, 0);
    waiters[0].waited_ms = waiters[1].waited_ms = ARENA_AGAIN_MS;
    ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
    ck_assert_uint_eq(wave.pairs, 1);
}
END_TEST

START_TEST(near_ones_play)
{
    count = 4;
    memset(met, 0, sizeof met);
    for (unsigned i = 0; i < count; i++)
        waiters[i] = (struct pairing_waiter){.rank = i, .rating = 1500, .last = -1};
    waiters[1].rating = waiters[2].rating = 1900;
    ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
    ck_assert_uint_eq(wave.pairs, 2);
    ck_assert_uint_eq(wave.pair[0][1], 3);
    met[1 * 4 + 2] = met[2 * 4 + 1] = 1;
    ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
    ck_assert_uint_ne(wave.pair[0][1], 3);
}
END_TEST

START_TEST(a_hundred_are_a_wave)
{
    struct rng rng = {2};
    make_waiters(&rng, MOST);
    ck_assert(pairing_arena(waiters, count, &(struct pairing_met){met}, &wave));
    ck_assert_uint_eq(check_wave().pairs, MOST / 2);
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const bool paired = pairing_arena(waiters, count, &(struct pairing_met){met}, &wave);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert(!paired);
}
END_TEST

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *cases = tcase_create("all");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, are_the_best_of_all);
    tcase_add_test(cases, two_do_not_wait_for_ever);
    tcase_add_test(cases, near_ones_play);
    tcase_add_test(cases, a_hundred_are_a_wave);
    suite_add_tcase(suite, cases);
    return suite;
}
