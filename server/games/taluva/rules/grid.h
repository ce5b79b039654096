/*
 * The island as a graph: cells in the order in which they were added, found by hash, linked to
 * their neighbours.
 *
 *        NW   NE            4   5
 *          \ /               \ /
 *      W -- * -- E        3 -- * -- 0        q grows to the east, r to the south-east
 *          / \               / \
 *        SW   SE            2   1
 *
 * Without any rules. Coordinates are plain ints here, so that a step cannot overflow.
 */
#ifndef RULES_GRID_H
#define RULES_GRID_H

#include <rules/taluva.h>

extern const int8_t rules_dq[6], rules_dr[6];

static inline unsigned rules_turn(unsigned k, unsigned by)
{
    return k + by >= 6 ? k + by - 6 : k + by;
}

/* Direction to a terrain letter's hex of a tile: hex 1 lies towards k, hex 2 towards k + 1. */
static inline unsigned rules_tile_hexes(taluva_tile tile)
{
    return tile < TALUVA_TILE_TWO_HEX ? 3 : 2;
}

static inline unsigned rules_slot(int q, int r)
{
    return (((uint32_t)(uint16_t)q | (uint32_t)(uint16_t)r << 16) * 2654435769u) >> 23;
}

/* The cell at a hex, or TALUVA_NO_CELL. */
static inline unsigned rules_find(const struct taluva *game, int q, int r)
{
    for (unsigned slot = rules_slot(q, r);; slot = (slot + 1) % TALUVA_SLOTS) {
        const unsigned entry = game->slots[slot];
        if (entry == 0)
            return TALUVA_NO_CELL;
        const struct taluva_hex hex = game->cells[entry - 1].hex;
        if (hex.q == q && hex.r == r)
            return entry - 1;
    }
}

/* The island gains a hex where there is none; the cell has its hex and nothing else. */
unsigned rules_grid_add(struct taluva *game, int q, int r);

/* Removes the cell that was added last. */
void rules_grid_pop(struct taluva *game);

/* By q, then r. */
static inline bool rules_hex_less(struct taluva_hex a, struct taluva_hex b)
{
    return a.q != b.q ? a.q < b.q : a.r < b.r;
}

static inline bool rules_hex_equal(struct taluva_hex a, struct taluva_hex b)
{
    return a.q == b.q && a.r == b.r;
}

/* Sorts by q, then r; for the few hexes of a settlement or of an effect. */
void rules_hexes_sort(struct taluva_hex *hexes, size_t n);

#endif
