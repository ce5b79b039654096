/*
 * Whole numbers of several words, with a sign: two's complement, the lowest word first. Both sides
 * of an operation have the same number of words; who calls leaves room, so nothing overflows.
 */
#ifndef PAIRING_WIDE_H
#define PAIRING_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline void wide_zero(uint64_t *a, unsigned words)
{
    memset(a, 0, words * sizeof *a);
}

static inline void wide_copy(uint64_t *a, const uint64_t *b, unsigned words)
{
    memcpy(a, b, words * sizeof *a);
}

static inline void wide_add(uint64_t *a, const uint64_t *b, unsigned words)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t sum = a[i] + carry;
        carry = sum < carry;
        a[i] = sum + b[i];
        carry += a[i] < sum;
    }
}

static inline void wide_subtract(uint64_t *a, const uint64_t *b, unsigned words)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t rest = a[i] - borrow;
        borrow = rest > a[i];
        a[i] = rest - b[i];
        borrow += a[i] > rest;
    }
}

/* value << bit */
static inline void wide_add_at(uint64_t *a, unsigned bit, uint64_t value, unsigned words)
{
    const unsigned shift = bit % 64;
    uint64_t low = value << shift, high = shift == 0 ? 0 : value >> (64 - shift);
    for (unsigned i = bit / 64; i < words; i++) {
        a[i] += low;
        low = high + (a[i] < low);
        high = 0;
    }
}

static inline bool wide_is_zero(const uint64_t *a, unsigned words)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < words; i++)
        any |= a[i];
    return any == 0;
}

/* a < b */
static inline bool wide_less(const uint64_t *a, const uint64_t *b, unsigned words)
{
    const int64_t high_a = (int64_t)a[words - 1], high_b = (int64_t)b[words - 1];
    if (high_a != high_b)
        return high_a < high_b;
    for (unsigned i = words - 1; i-- > 0;) {
        if (a[i] != b[i])
            return a[i] < b[i];
    }
    return false;
}

/* Could it be doubled a few times more? */
static inline bool wide_has_room(const uint64_t *a, unsigned words)
{
    const int64_t high = (int64_t)a[words - 1] >> 56;
    return high == 0 || high == -1;
}

static inline void wide_halve(uint64_t *a, unsigned words)
{
    const uint64_t sign = a[words - 1] & (UINT64_C(1) << 63);
    for (unsigned i = 0; i + 1 < words; i++)
        a[i] = a[i] >> 1 | a[i + 1] << 63;
    a[words - 1] = a[words - 1] >> 1 | sign;
}

static inline void wide_double(uint64_t *a, unsigned words)
{
    for (unsigned i = words - 1; i > 0; i--)
        a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] <<= 1;
}

#endif
