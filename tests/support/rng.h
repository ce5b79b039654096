/* Random numbers for tests, beside <base/rng.h>. */
#ifndef SUPPORT_RNG_H
#define SUPPORT_RNG_H

#include <base/rng.h>

/*
 * 0 to n - 1 by scaling one number. Not `rng_below`, which may draw several: the seeds in
 * tests/sim/seeds and the fuzzer's corpus must keep their meaning.
 */
static inline unsigned rng_scaled(struct rng *rng, unsigned n)
{
    return (unsigned)((rng_next(rng) >> 32) * n >> 32);
}

/* from..to, both included */
static inline int64_t rng_between(struct rng *rng, int64_t from, int64_t to)
{
    return from + (int64_t)(rng_next(rng) % (uint64_t)(to - from + 1));
}

#endif
