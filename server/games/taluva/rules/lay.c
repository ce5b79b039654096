#include "lay.h"

#include "build.h"
#include "fit.h"
#include <string.h>

static void lay_hex(struct taluva_cell *cell, const struct taluva_placement *placement, unsigned i)
{
    cell->level++;
    cell->terrain = taluva_tile_terrain(placement->tile, i);
    cell->facing = (uint8_t)rules_tile_facing(placement->tile, i, placement->k);
    cell->owner = TALUVA_NO_SEAT;
    cell->kind = 0;
    cell->count = 0;
}

void rules_lay(struct taluva *game, const struct taluva_placement *placement,
               struct rules_covered *covered)
{
    struct taluva_hex hexes[3];
    covered->n = (uint8_t)taluva_placement_hexes(placement, hexes);
    covered->on_table = rules_cells_under(game, placement, covered->index) == 0;
    for (unsigned i = 0; i < covered->n; i++) {
        if (covered->on_table)
            covered->index[i] = (uint8_t)rules_grid_add(game, hexes[i].q, hexes[i].r);
        covered->cells[i] = game->cells[covered->index[i]];
        lay_hex(&game->cells[covered->index[i]], placement, i);
    }
}

void rules_lift(struct taluva *game, const struct rules_covered *covered)
{
    for (unsigned i = covered->n; i-- > 0;) {
        if (covered->on_table)
            rules_grid_pop(game);
        else
            game->cells[covered->index[i]] = covered->cells[i];
    }
}

/*
 * A hex that the tile does not cover and where a hut may be built now is enough: a tile can remove
 * buildings beside it but cannot add any.
 */
static bool hut_remains(const struct taluva *game, unsigned seat, const uint8_t *under,
                        unsigned n_under)
{
    if (game->reserve[seat][TALUVA_HUT] == 0)
        return false;
    for (unsigned i = game->n_cells; i-- > 0;) {
        if (game->cells[i].level == 1 && rules_is_free_field(&game->cells[i]) &&
            (game->options.huts_anywhere || !rules_is_beside_own(game, i, seat)) &&
            memchr(under, (int)i, n_under) == NULL)
            return true;
    }
    return false;
}

bool rules_is_dead_end(const struct taluva *game, unsigned seat,
                       const struct taluva_placement *placement)
{
    uint8_t under[3];
    rules_cells_under(game, placement, under);
    if (hut_remains(game, seat, under, rules_tile_hexes(placement->tile)))
        return false;
    struct taluva copy = *game;
    struct rules_covered covered;
    rules_lay(&copy, placement, &covered);
    return !rules_can_build(&copy, seat);
}
