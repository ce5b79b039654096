/*
 * Numbers for computer players that one can have again: the same seed, the same numbers, on every
 * machine. Not for secrets.
 */
#ifndef CLI_DICE_H
#define CLI_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state;
};

/* The next number from 0 to n - 1, all equally likely; n >= 1. */
uint32_t dice_below(struct dice *dice, uint32_t n);

#endif
