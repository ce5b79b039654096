#include <cli/dice.h>

/* A Weyl sequence, mixed by the finaliser of MurmurHash3 with the constants of SplitMix64. */
static uint64_t next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t dice_below(struct dice *dice, uint32_t n)
{
    uint32_t reject = (UINT32_MAX - n + 1) % n; /* 2^32 mod n */
    for (;;) {
        uint32_t number = (uint32_t)(next(dice) >> 32);
        if (number >= reject)
            return number % n;
    }
}
