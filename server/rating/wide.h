/* Products of 128 bits and roots, of whole numbers without a sign. */
#ifndef RATING_WIDE_H
#define RATING_WIDE_H

#include <stdint.h>

/* a * b / 2^bits, 1 to 63 of them, rounded down; it is below 2^64. */
uint64_t wide_shift(uint64_t a, uint64_t b, unsigned bits);
/* The same, rounded to the nearest, halves up. */
uint64_t wide_shift_near(uint64_t a, uint64_t b, unsigned bits);
/* Rounded down. */
uint32_t wide_root(uint64_t square);

#endif
