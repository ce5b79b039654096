/*
 * Pseudo-random numbers (splitmix64): the same seed gives the same numbers on every machine. Not
 * for secrets.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <assert.h>
#include <stdint.h>

struct rng {
    uint64_t state; /* the seed, to begin with */
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 to n - 1, all equally likely; n >= 1. */
static inline uint32_t rng_below(struct rng *rng, uint32_t n)
{
    assert(n >= 1);
    const uint32_t reject = (UINT32_MAX - n + 1) % n; /* 2^32 mod n */
    for (;;) {
        const uint32_t number = (uint32_t)(rng_next(rng) >> 32);
        if (number >= reject)
            return number % n;
    }
}

#endif
