#include "around.h"

#include <assert.h>
#include <string.h>

static void map_init(struct around *around, const struct taluva *game)
{
    int q_min = 0, q_max = 0, r_min = 0, r_max = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        q_min = hex.q < q_min ? hex.q : q_min;
        q_max = hex.q > q_max ? hex.q : q_max;
        r_min = hex.r < r_min ? hex.r : r_min;
        r_max = hex.r > r_max ? hex.r : r_max;
    }
    const int columns = q_max - q_min + 1 + 2 * AROUND_MARGIN;
    around->q0 = q_min - AROUND_MARGIN;
    around->r0 = r_min - AROUND_MARGIN;
    around->rows = r_max - r_min + 1 + 2 * AROUND_MARGIN;
    assert(columns <= AROUND_SIDE && around->rows <= AROUND_SIDE);
    const size_t n = (size_t)columns * (size_t)around->rows;
    memset(around->cell, TALUVA_NO_CELL, n * sizeof around->cell[0]);
    memset(around->hex, 0, n * sizeof around->hex[0]);
}

static void add_beside(struct around *around, unsigned at, uint8_t settlement)
{
    if (around->hex[at] == 0) {
        around->hex[at] = (uint16_t)++around->n;
        around->beside[around->n].n = 0;
    }
    struct beside *const beside = &around->beside[around->hex[at]];
    unsigned i = beside->n;
    while (i > 0 && beside->settlements[i - 1] > settlement)
        i--;
    if (i > 0 && beside->settlements[i - 1] == settlement)
        return;
    for (unsigned j = beside->n++; j > i; j--)
        beside->settlements[j] = beside->settlements[j - 1];
    beside->settlements[i] = settlement;
}

void around_init(struct around *around, const struct board *board, const struct survey *survey)
{
    const struct taluva *const game = board->game;
    map_init(around, game);
    around->n = 0;
    around->beside[0].n = 0;
    for (unsigned cell = 0; cell < game->n_cells; cell++) {
        const struct taluva_hex hex = game->cells[cell].hex;
        around->cell[around_at(around, hex)] = (uint8_t)cell;
        for (unsigned d = 0; d < 6 && survey->of[cell] != 0; d++)
            add_beside(around, around_at(around, taluva_hex_step(hex, d)), survey->of[cell]);
    }
}
