/*
 * What a tile settles and a build does not change: which cells are land, and where one may erupt
 * as far as the land goes. Found once for all the builds that are looked at after a tile.
 */
#ifndef COMPUTER_GROUND_H
#define COMPUTER_GROUND_H

#include "board.h"

enum {
    GROUND_RING = 7,
    GROUND_OPENINGS = 6 * (TALUVA_TILES_MAX + 2 * TALUVA_TWO_HEX_MAX), /* volcanoes, directions */
};

/* Two cells that one eruption covers beside its volcano, level with it. */
struct opening {
    uint8_t level;
    uint8_t cells[2];
    /*
     * Around the two, in order, from one side of the volcano to the other: the first four are
     * beside the first cell, the last four beside the second. TALUVA_NO_CELL is table.
     */
    uint8_t ring[GROUND_RING];
};

struct ground {
    uint8_t n_land;
    uint16_t n_openings;
    uint8_t land[TALUVA_HEXES_MAX]; /* ascending */
    struct opening openings[GROUND_OPENINGS];
};

/* Nobody can erupt over a tower or a temple that stands already; later ones are to be asked for. */
void ground_init(struct ground *ground, const struct board *board);

#endif
