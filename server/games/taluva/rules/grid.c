#include "grid.h"

#include <assert.h>
#include <string.h>

const int8_t rules_dq[6] = {1, 0, -1, -1, 0, 1};
const int8_t rules_dr[6] = {0, 1, 1, 0, -1, -1};

struct taluva_hex taluva_hex_step(struct taluva_hex hex, unsigned direction)
{
    hex.q = (int16_t)(hex.q + rules_dq[direction % 6]);
    hex.r = (int16_t)(hex.r + rules_dr[direction % 6]);
    return hex;
}

unsigned rules_grid_add(struct taluva *game, int q, int r)
{
    assert(game->n_cells < TALUVA_HEXES_MAX);
    const unsigned cell = game->n_cells++;
    memset(&game->cells[cell], 0, sizeof game->cells[cell]);
    game->cells[cell].hex.q = (int16_t)q;
    game->cells[cell].hex.r = (int16_t)r;
    game->cells[cell].owner = TALUVA_NO_SEAT;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = rules_find(game, q + rules_dq[d], r + rules_dr[d]);
        game->near[cell][d] = (uint8_t)other;
        if (other != TALUVA_NO_CELL)
            game->near[other][rules_turn(d, 3)] = (uint8_t)cell;
    }
    unsigned slot = rules_slot(q, r);
    while (game->slots[slot] != 0)
        slot = (slot + 1) % TALUVA_SLOTS;
    game->slots[slot] = (uint8_t)(cell + 1);
    return cell;
}

void rules_grid_pop(struct taluva *game)
{
    assert(game->n_cells > 0);
    const unsigned cell = --game->n_cells;
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = game->near[cell][d];
        if (other != TALUVA_NO_CELL)
            game->near[other][rules_turn(d, 3)] = TALUVA_NO_CELL;
    }
    /* The newest entry is the last of its chain, so that freeing it breaks no other chain. */
    unsigned slot = rules_slot(game->cells[cell].hex.q, game->cells[cell].hex.r);
    while (game->slots[slot] != cell + 1)
        slot = (slot + 1) % TALUVA_SLOTS;
    game->slots[slot] = 0;
}

void rules_hexes_sort(struct taluva_hex *hexes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct taluva_hex hex = hexes[i];
        size_t j = i;
        for (; j > 0 && rules_hex_less(hex, hexes[j - 1]); j--)
            hexes[j] = hexes[j - 1];
        hexes[j] = hex;
    }
}

const struct taluva_cell *taluva_cell_at(const struct taluva *game, struct taluva_hex hex)
{
    const unsigned cell = rules_find(game, hex.q, hex.r);
    return cell == TALUVA_NO_CELL ? NULL : &game->cells[cell];
}

size_t taluva_placement_hexes(const struct taluva_placement *placement, struct taluva_hex out[3])
{
    const unsigned n = rules_tile_hexes(placement->tile);
    out[0] = placement->at;
    for (unsigned i = 1; i < n; i++)
        out[i] = taluva_hex_step(placement->at, placement->k + i - 1);
    return n;
}
