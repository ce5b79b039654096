/*
 * Which settlements are beside a hex, of the island or of the table around it: found once for all
 * the places of a position, in a map of the box around the island.
 */
#ifndef COMPUTER_AROUND_H
#define COMPUTER_AROUND_H

#include "survey.h"

enum {
    AROUND_MARGIN = 3, /* a tile on the table reaches two hexes from the island */
    AROUND_SIDE = TALUVA_SPAN_MAX + 2 * AROUND_MARGIN,
    AROUND_HEXES = TALUVA_SEATS_MAX * 25 * 6 + 1, /* number 0 is a hex with nothing beside it */
};

/* The settlements beside a hex, by ascending number. */
struct beside {
    uint8_t n;
    uint8_t settlements[6];
};

struct around {
    int q0, r0, rows;
    unsigned n;
    struct beside beside[AROUND_HEXES];
    uint8_t cell[AROUND_SIDE * AROUND_SIDE]; /* or TALUVA_NO_CELL */
    uint16_t hex[AROUND_SIDE * AROUND_SIDE]; /* number in `beside` */
};

/* Of the board's game: without a tile that was laid on the board since. */
void around_init(struct around *around, const struct board *board, const struct survey *survey);

/* Of a hex at most AROUND_MARGIN from the island's box. */
static inline unsigned around_at(const struct around *around, struct taluva_hex hex)
{
    return (unsigned)((hex.q - around->q0) * around->rows + (hex.r - around->r0));
}

#endif
