/*
 * A small seeded stream of numbers (splitmix64): the same seed makes the same choices. Nothing
 * secret is made with it.
 */
#ifndef LOAD_DICE_H
#define LOAD_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0..n-1; the tiny bias of a multiplication does no harm here. */
static inline uint32_t dice_roll(struct dice *dice, uint32_t n)
{
    return (uint32_t)(((dice_next(dice) >> 32) * n) >> 32);
}

#endif
