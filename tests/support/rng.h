/* The random numbers of all tests in C: splitmix64, so that one seed is one run everywhere. */
#ifndef SUPPORT_RNG_H
#define SUPPORT_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0..n-1 */
static inline unsigned rng_below(struct rng *rng, unsigned n)
{
    return (unsigned)((rng_next(rng) >> 32) * n >> 32);
}

/* from..to, both included */
static inline int64_t rng_between(struct rng *rng, int64_t from, int64_t to)
{
    return from + (int64_t)(rng_next(rng) % (uint64_t)(to - from + 1));
}

#endif
