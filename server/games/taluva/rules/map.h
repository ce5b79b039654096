/*
 * The island as bits: one bit a hex over the bounding box with a margin of two empty hexes, so that
 * whatever touches the island is on the map.
 *
 *        q0      column q: `stride` bits, r ascending          bit = (q - q0) * stride + (r - r0)
 *        |                                                     so bits ascend by q, then r
 *   [guard][..............|..............|.... ... ........][guard]
 *
 * A step in direction d is the same distance for every bit, `off[d]`, so a question about all hexes
 * and their neighbours at once is a few shifts of the whole string. A step over the end of a column
 * lands in the margin of the next, which is as empty as the margin left behind.
 *
 * Built on the call stack for one question and then discarded.
 */
#ifndef RULES_MAP_H
#define RULES_MAP_H

#include "grid.h"

enum {
    MAP_MARGIN = 2,
    MAP_SIDE = TALUVA_SPAN_MAX + 2 * MAP_MARGIN,
    MAP_WORDS = (MAP_SIDE * MAP_SIDE + 63) / 64,
    MAP_GUARD = (MAP_SIDE + 1) / 64 + 1, /* words that the longest step can reach over an end */
};

/* bit b is in words[MAP_GUARD + b / 64]; only the map's words and its guards are ever touched */
struct rules_bits {
    uint64_t words[MAP_GUARD + MAP_WORDS + MAP_GUARD + 1];
};

struct rules_map {
    int q0, r0, stride, columns;
    unsigned n_words;
    int off[6];
    struct rules_bits land;
};

void rules_map_init(struct rules_map *map, const struct taluva *game);

void rules_bits_clear(const struct rules_map *map, struct rules_bits *bits);

static inline unsigned rules_map_bit(const struct rules_map *map, int q, int r)
{
    return (unsigned)((q - map->q0) * map->stride + (r - map->r0));
}

static inline bool rules_map_holds(const struct rules_map *map, int q, int r)
{
    return q >= map->q0 && q < map->q0 + map->columns && r >= map->r0 && r < map->r0 + map->stride;
}

static inline struct taluva_hex rules_map_hex(const struct rules_map *map, unsigned bit)
{
    return (struct taluva_hex){(int16_t)(map->q0 + (int)bit / map->stride),
                               (int16_t)(map->r0 + (int)bit % map->stride)};
}

static inline void rules_bits_set(struct rules_bits *bits, unsigned bit)
{
    bits->words[MAP_GUARD + bit / 64] |= (uint64_t)1 << bit % 64;
}

static inline bool rules_bits_has(const struct rules_bits *bits, unsigned bit)
{
    return bits->words[MAP_GUARD + bit / 64] >> bit % 64 & 1;
}

static inline void rules_bits_remove(const struct rules_map *map, struct rules_bits *bits,
                                     const struct rules_bits *others)
{
    for (unsigned i = 0; i < map->n_words; i++)
        bits->words[MAP_GUARD + i] &= ~others->words[MAP_GUARD + i];
}

/* Word i, bits moved so that each hex sees the bit of the hex `off` away. */
static inline uint64_t rules_bits_seen(const struct rules_bits *bits, unsigned i, int off)
{
    const int at = (int)(64 * (MAP_GUARD + i)) + off;
    const unsigned word = (unsigned)at / 64, shift = (unsigned)at % 64;
    return bits->words[word] >> shift | (bits->words[word + 1] << 1) << (63 - shift);
}

/* Word i of the hexes that have a neighbour in `bits`. */
static inline uint64_t rules_bits_beside(const struct rules_map *map, const struct rules_bits *bits,
                                         unsigned i)
{
    uint64_t seen = 0;
    for (unsigned d = 0; d < 6; d++)
        seen |= rules_bits_seen(bits, i, map->off[d]);
    return seen;
}

/* The compiler's builtin may call its runtime library, and this library calls no other. */
static inline unsigned rules_popcount(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)((x * 0x0101010101010101u) >> 56);
}

/* The lowest bit set, or -1. */
int rules_bits_first(const struct rules_map *map, const struct rules_bits *bits);

/* Grows `bits` over `room` as far as it is connected. */
void rules_bits_flood(const struct rules_map *map, struct rules_bits *bits,
                      const struct rules_bits *room);

#endif
