#include "fit.h"

#include "lagoon.h"
#include "zone.h"
#include <string.h>

enum { FAR_OUT = TALUVA_SPAN_MAX + 4 };

static bool is_far_out(struct taluva_hex hex)
{
    return hex.q > FAR_OUT || hex.q < -FAR_OUT || hex.r > FAR_OUT || hex.r < -FAR_OUT;
}

unsigned rules_cells_under(const struct taluva *game, const struct taluva_placement *placement,
                           uint8_t cells[3])
{
    const int q = placement->at.q, r = placement->at.r;
    unsigned on_land = 0;
    for (unsigned i = 0; i < rules_tile_hexes(placement->tile); i++) {
        const unsigned d = rules_turn(placement->k, i == 2);
        cells[i] = (uint8_t)(i == 0 ? rules_find(game, q, r)
                                    : rules_find(game, q + rules_dq[d], r + rules_dr[d]));
        on_land += cells[i] != TALUVA_NO_CELL;
    }
    return on_land;
}

static bool is_beside_island(const struct taluva *game, int q, int r)
{
    for (unsigned d = 0; d < 6; d++) {
        if (rules_find(game, q + rules_dq[d], r + rules_dr[d]) != TALUVA_NO_CELL)
            return true;
    }
    return false;
}

/* §2a: all of the tile lies on the table. */
static enum taluva_status check_extension(const struct taluva *game,
                                          const struct taluva_placement *placement)
{
    struct taluva_hex hexes[3];
    const size_t n = taluva_placement_hexes(placement, hexes);
    bool beside = false;
    for (size_t i = 0; i < n && !beside; i++)
        beside = is_beside_island(game, hexes[i].q, hexes[i].r);
    if (!beside)
        return TALUVA_NOT_ADJACENT_TO_ISLAND;
    if (rules_lagoon_is_closed(game, placement->at.q, placement->at.r, (unsigned)n))
        return TALUVA_LAGOON_HAS_BOAT;
    return TALUVA_OK;
}

static enum taluva_status check_volcanoes(const struct taluva *game, taluva_tile tile, unsigned k,
                                          const uint8_t cells[3], unsigned *which)
{
    const unsigned n = rules_tile_hexes(tile);
    bool erupts = false;
    unsigned same = n;
    for (unsigned i = 0; i < n; i++) {
        const struct taluva_cell *const below = &game->cells[cells[i]];
        if (below->terrain != TALUVA_VOLCANO || taluva_tile_terrain(tile, i) != TALUVA_VOLCANO)
            continue;
        erupts = true;
        if (below->facing == rules_tile_facing(tile, i, k))
            same = i;
    }
    *which = same < n ? same : 0;
    if (!erupts)
        return TALUVA_NOT_ON_VOLCANO;
    return same < n ? TALUVA_VOLCANO_FACES_SAME_WAY : TALUVA_OK;
}

/* Whether a building beside this cell, of its owner, stays outside the tile. */
static bool has_own_outside(const struct taluva *game, unsigned cell, const uint8_t *cells,
                            unsigned n)
{
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = game->near[cell][d];
        if (other == TALUVA_NO_CELL || game->cells[other].owner != game->cells[cell].owner)
            continue;
        if (!memchr(cells, (int)other, n))
            return true;
    }
    return false;
}

/*
 * The hexes of a tile touch each other, so those of one colour belong to one settlement, and it
 * stays if one of them has a neighbour of that colour outside.
 */
static bool settlement_stays(const struct taluva *game, const uint8_t *cells, unsigned n,
                             unsigned i)
{
    for (unsigned j = 0; j < n; j++) {
        if (game->cells[cells[j]].owner == game->cells[cells[i]].owner &&
            has_own_outside(game, cells[j], cells, n))
            return true;
    }
    return false;
}

static bool covers(const struct taluva *game, const uint8_t *cells, unsigned n,
                   enum taluva_kind kind, unsigned *which)
{
    for (unsigned i = 0; i < n; i++) {
        if (game->cells[cells[i]].kind == kind) {
            *which = i;
            return true;
        }
    }
    return false;
}

static enum taluva_status check_buildings(const struct taluva *game, const uint8_t *cells,
                                          unsigned n, unsigned *which)
{
    if (covers(game, cells, n, TALUVA_TOWER, which))
        return TALUVA_COVERS_TOWER;
    if (covers(game, cells, n, TALUVA_TEMPLE, which))
        return TALUVA_COVERS_TEMPLE;
    for (unsigned i = 0; i < n; i++) {
        if (game->cells[cells[i]].owner != TALUVA_NO_SEAT && !settlement_stays(game, cells, n, i)) {
            *which = i;
            return TALUVA_COVERS_WHOLE_SETTLEMENT;
        }
    }
    return TALUVA_OK;
}

enum taluva_status rules_check_eruption(const struct taluva *game, taluva_tile tile, unsigned k,
                                        const uint8_t cells[3], unsigned *which)
{
    const unsigned n = rules_tile_hexes(tile);
    *which = 0;
    if (tile == TALUVA_TILE_2JJ)
        return TALUVA_NO_VOLCANO_ABOVE_LEVEL_1;
    for (unsigned i = 1; i < n; i++) {
        if (game->cells[cells[i]].level != game->cells[cells[0]].level) {
            *which = i;
            return TALUVA_LEVELS_DIFFER;
        }
    }
    const enum taluva_status status = check_volcanoes(game, tile, k, cells, which);
    return status != TALUVA_OK ? status : check_buildings(game, cells, n, which);
}

static enum taluva_status check_shape(const struct taluva_placement *placement)
{
    if (placement->tile >= TALUVA_TILES)
        return TALUVA_NO_SUCH_TILE;
    if (placement->k >= 6)
        return TALUVA_BAD_DIRECTION;
    return placement->k >= rules_tile_turns(placement->tile) ? TALUVA_HALF_TURN : TALUVA_OK;
}

static void detail_hex(struct taluva_detail *detail, const struct taluva_placement *placement,
                       unsigned which)
{
    struct taluva_hex hexes[3];
    taluva_placement_hexes(placement, hexes);
    detail->has_hex = true;
    detail->hex = hexes[which];
}

static enum taluva_status check_ground(const struct taluva *game,
                                       const struct taluva_placement *placement,
                                       struct taluva_detail *detail)
{
    if (game->n_cells == 0)
        return placement->at.q == 0 && placement->at.r == 0 && placement->k == 0
                   ? TALUVA_OK
                   : TALUVA_FIRST_TILE_AT_ORIGIN;
    if (is_far_out(placement->at))
        return TALUVA_NOT_ADJACENT_TO_ISLAND;
    uint8_t cells[3];
    unsigned which;
    const unsigned on_land = rules_cells_under(game, placement, cells);
    if (on_land == 0)
        return check_extension(game, placement);
    if (on_land < rules_tile_hexes(placement->tile))
        return TALUVA_OVERLAPS_ISLAND_EDGE;
    const enum taluva_status status =
        rules_check_eruption(game, placement->tile, placement->k, cells, &which);
    if (status != TALUVA_OK)
        detail_hex(detail, placement, which);
    return status;
}

enum taluva_status taluva_check_fit(const struct taluva *game,
                                    const struct taluva_placement *placement,
                                    struct taluva_detail *detail)
{
    struct taluva_detail scratch;
    struct taluva_detail *const out = detail ? detail : &scratch;
    memset(out, 0, sizeof *out);
    enum taluva_status status = check_shape(placement);
    if (status == TALUVA_OK)
        status = check_ground(game, placement, out);
    if (status != TALUVA_OK || game->options.zone == TALUVA_ZONE_NONE)
        return status;
    const int outside = taluva_points_outside((enum taluva_zone)game->options.zone, placement);
    if (outside > RULES_OVERHANG_MAX) {
        out->has_number = true;
        out->number = outside;
        return TALUVA_OVERHANGS_BOARD;
    }
    return TALUVA_OK;
}
