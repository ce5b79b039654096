#include "wide.h"

#include <assert.h>

struct wide {
    uint64_t high, low;
};

static struct wide multiply_whole(uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t low = a0 * b0, across = a1 * b0 + (low >> 32);
    const uint64_t middle = a0 * b1 + (across & UINT32_MAX);
    return (struct wide){.high = a1 * b1 + (across >> 32) + (middle >> 32),
                         .low = middle << 32 | (low & UINT32_MAX)};
}

static uint64_t shift_down(struct wide value, unsigned bits)
{
    assert(bits >= 1 && bits <= 63 && value.high >> bits == 0);
    return value.high << (64 - bits) | value.low >> bits;
}

uint64_t wide_shift(uint64_t a, uint64_t b, unsigned bits)
{
    return shift_down(multiply_whole(a, b), bits);
}

uint64_t wide_shift_near(uint64_t a, uint64_t b, unsigned bits)
{
    struct wide value = multiply_whole(a, b);
    const uint64_t half = UINT64_C(1) << (bits - 1);
    value.low += half;
    value.high += value.low < half;
    return shift_down(value, bits);
}

/* Bit by bit, from the highest that can be set. */
uint32_t wide_root(uint64_t square)
{
    uint64_t root = 0, rest = square;
    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
        const uint64_t trial = root + bit;
        root >>= 1;
        if (rest >= trial) {
            rest -= trial;
            root += bit;
        }
    }
    return (uint32_t)root;
}
