#include <pairing/arena.h>

#include "matching.h"

/* Fields of a weight, the least first; each is more where a pair is better. */
enum {
    BIT_NEAR = 0,
    BIT_REPEATS = 24,
    BIT_WAITED = 48,
    BIT_ALLOWED = 80,
    NEAR_MOST = (1 << 16) - 1,    /* so that 50 pairs have room in 24 bits */
    REPEATS_MOST = (1 << 16) - 1, /* the same */
    WAITED_MOST = (1 << 24) - 1,  /* milliseconds, over four hours; in 32 bits */
    WORDS = 3,
    RANK_LEAST = 300, /* what a rank is worth, from the last to the first */
    RANK_MORE = 1700,
};

static uint32_t distance_of(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* A rank is worth more at the top. */
static uint32_t measure_distance(const struct pairing_waiter *a, const struct pairing_waiter *b,
                                 unsigned count)
{
    const uint32_t better = a->rank < b->rank ? a->rank : b->rank;
    const uint32_t below = better < count ? count - better : 0;
    const uint64_t worth = RANK_LEAST + (uint64_t)RANK_MORE * below / count;
    const uint64_t distance =
        distance_of(a->rank, b->rank) * worth / 10 + distance_of(a->rating, b->rating);
    return distance < NEAR_MOST ? (uint32_t)distance : NEAR_MOST;
}

static bool may_play(const struct pairing_waiter waiters[], unsigned count, unsigned a, unsigned b)
{
    const bool again = waiters[a].last == (int32_t)b || waiters[b].last == (int32_t)a;
    return !again || (count <= ARENA_FEW && waiters[a].waited_ms >= ARENA_AGAIN_MS &&
                      waiters[b].waited_ms >= ARENA_AGAIN_MS);
}

static uint32_t measure_wait(const struct pairing_waiter *waiter)
{
    const int64_t waited = waiter->waited_ms > 0 ? waiter->waited_ms : 0;
    return waited < WAITED_MOST ? (uint32_t)waited : WAITED_MOST;
}

static void weigh_pair(struct matching *matching, const struct pairing_waiter waiters[],
                       unsigned count, const struct pairing_met *met, unsigned a, unsigned b)
{
    const int x = (int)a, y = (int)b;
    const uint32_t times = met->count[a * count + b];
    matching_allow(matching, x, y, true);
    if (!may_play(waiters, count, a, b))
        return;
    matching_add(matching, x, y, BIT_ALLOWED, 1);
    matching_add(matching, x, y, BIT_WAITED,
                 (uint64_t)measure_wait(&waiters[a]) + measure_wait(&waiters[b]));
    matching_add(matching, x, y, BIT_REPEATS,
                 REPEATS_MOST - (times < 255 ? times * times : REPEATS_MOST));
    matching_add(matching, x, y, BIT_NEAR,
                 NEAR_MOST - measure_distance(&waiters[a], &waiters[b], count));
}

/* An odd number has one more, with whom nobody plays. */
static void weigh_wave(struct matching *matching, const struct pairing_waiter waiters[],
                       unsigned count, const struct pairing_met *met)
{
    for (unsigned a = 0; a < count; a++) {
        for (unsigned b = 0; b < a; b++)
            weigh_pair(matching, waiters, count, met, a, b);
        if (count % 2 != 0)
            matching_allow(matching, (int)a, (int)count, true);
    }
}

bool pairing_arena(const struct pairing_waiter waiters[], unsigned count,
                   const struct pairing_met *met, struct pairing_wave *wave)
{
    struct matching matching;
    const unsigned all = count + count % 2;
    wave->pairs = 0;
    if (count < 2)
        return true;
    if (!matching_init(&matching, (int)all, (int)all, WORDS))
        return false;
    weigh_wave(&matching, waiters, count, met);
    const bool solved = matching_solve(&matching);
    for (unsigned a = 0; solved && a < count; a++) {
        const unsigned b = (unsigned)matching.mate[a];
        if (b <= a || b >= count || !may_play(waiters, count, a, b))
            continue;
        wave->pair[wave->pairs][0] = (uint16_t)a;
        wave->pair[wave->pairs++][1] = (uint16_t)b;
    }
    matching_release(&matching);
    return true;
}
