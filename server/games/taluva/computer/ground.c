#include "ground.h"

/* Directions in which both hexes beside the volcano are level with it and may be built over. */
static unsigned open_ways(const struct board *board, unsigned volcano)
{
    unsigned fits = 0;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned cell = board->near[volcano][d];
        fits |= (unsigned)(board->level[cell] == board->level[volcano] &&
                           board->kind[cell] == TALUVA_HUT)
                << d;
    }
    fits &= fits >> 1 | fits << 5;
    return board->facing[volcano] < 6 ? fits & ~(1U << board->facing[volcano]) : fits;
}

static unsigned turn_by(unsigned direction, unsigned by)
{
    return direction + by < 6 ? direction + by : direction + by - 6;
}

static void add_opening(struct ground *ground, const struct board *board, unsigned volcano,
                        unsigned k)
{
    struct opening *const opening = &ground->openings[ground->n_openings++];
    const uint8_t first = board->near[volcano][k];
    const uint8_t second = board->near[volcano][turn_by(k, 1)];
    opening->level = board->level[volcano];
    opening->cells[0] = first;
    opening->cells[1] = second;
    for (unsigned i = 0; i < 4; i++)
        opening->ring[i] = board->near[first][turn_by(turn_by(k, 4), i)];
    for (unsigned i = 1; i < 4; i++)
        opening->ring[3 + i] = board->near[second][turn_by(k, i)];
}

void ground_init(struct ground *ground, const struct board *board)
{
    ground->n_land = 0;
    ground->n_openings = 0;
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (board->terrain[cell] != TALUVA_VOLCANO) {
            ground->land[ground->n_land++] = (uint8_t)cell;
            continue;
        }
        for (unsigned ways = open_ways(board, cell); ways != 0; ways &= ways - 1)
            add_opening(ground, board, cell, (unsigned)__builtin_ctz(ways));
    }
}
