#include "placements.h"

#include "fit.h"
#include "lagoon.h"
#include "zone.h"
#include <assert.h>
#include <string.h>

/* §2a in every direction: all of it water that is open, some of it beside the island. */
static void add_extensions(struct rules_places *places, const struct taluva *game, taluva_tile tile)
{
    const struct rules_map *const map = &places->map;
    const bool three = rules_tile_hexes(tile) == 3;
    struct rules_bits blocked, beach;
    rules_lagoons_closed(map, game, &blocked);
    rules_bits_clear(map, &beach);
    for (unsigned i = 0; i < map->n_words; i++) {
        blocked.words[MAP_GUARD + i] |= map->land.words[MAP_GUARD + i];
        beach.words[MAP_GUARD + i] =
            rules_bits_beside(map, &map->land, i) & ~blocked.words[MAP_GUARD + i];
    }
    for (unsigned k = 0; k < rules_tile_turns(tile); k++) {
        const int second = map->off[k], third = three ? map->off[rules_turn(k, 1)] : second;
        for (unsigned i = 0; i < map->n_words; i++) {
            const uint64_t taken = blocked.words[MAP_GUARD + i] |
                                   rules_bits_seen(&blocked, i, second) |
                                   rules_bits_seen(&blocked, i, third);
            const uint64_t touches = beach.words[MAP_GUARD + i] |
                                     rules_bits_seen(&beach, i, second) |
                                     rules_bits_seen(&beach, i, third);
            places->fits[k].words[MAP_GUARD + i] = touches & ~taken;
        }
    }
}

/* §2b in every direction from one cell. */
static void add_eruptions_at(struct rules_places *places, const struct taluva *game,
                             taluva_tile tile, unsigned cell)
{
    const struct taluva_hex hex = game->cells[cell].hex;
    uint8_t cells[3] = {(uint8_t)cell, 0, 0};
    unsigned which;
    for (unsigned k = 0; k < rules_tile_turns(tile); k++) {
        cells[1] = game->near[cell][k];
        cells[2] = game->near[cell][rules_turn(k, 1)];
        if (cells[1] == TALUVA_NO_CELL ||
            (cells[2] == TALUVA_NO_CELL && rules_tile_hexes(tile) == 3))
            continue;
        if (rules_check_eruption(game, tile, k, cells, &which) == TALUVA_OK)
            rules_bits_set(&places->fits[k], rules_map_bit(&places->map, hex.q, hex.r));
    }
}

static void add_eruptions(struct rules_places *places, const struct taluva *game, taluva_tile tile)
{
    if (tile == TALUVA_TILE_2JJ)
        return;
    for (unsigned cell = 0; cell < game->n_cells; cell++) {
        /* Only 2VV can erupt with its second hex. */
        if (game->cells[cell].terrain == TALUVA_VOLCANO || tile == TALUVA_TILE_2VV)
            add_eruptions_at(places, game, tile, cell);
    }
}

/* Hexes of the map that lie on the board whole, and those that do not lie off it whole. */
static void find_board(const struct rules_map *map, enum taluva_zone zone, struct rules_bits *whole,
                       struct rules_bits *partly)
{
    rules_bits_clear(map, whole);
    rules_bits_clear(map, partly);
    for (int q = map->q0; q < map->q0 + map->columns; q++) {
        for (int r = map->r0; r < map->r0 + map->stride; r++) {
            const int out = rules_zone_depth(zone, q, r);
            if (out < 0)
                continue;
            rules_bits_set(partly, rules_map_bit(map, q, r));
            if (out > 0)
                rules_bits_set(whole, rules_map_bit(map, q, r));
        }
    }
}

/* Word i of the placements all of whose hexes are in `bits`. */
static uint64_t all_in(const struct rules_map *map, const struct rules_bits *bits, taluva_tile tile,
                       unsigned k, unsigned i)
{
    uint64_t in = bits->words[MAP_GUARD + i] & rules_bits_seen(bits, i, map->off[k]);
    if (rules_tile_hexes(tile) == 3)
        in &= rules_bits_seen(bits, i, map->off[rules_turn(k, 1)]);
    return in;
}

static void drop_overhanging(struct rules_places *places, enum taluva_zone zone, taluva_tile tile)
{
    const struct rules_map *const map = &places->map;
    struct rules_bits whole, partly;
    find_board(map, zone, &whole, &partly);
    for (unsigned k = 0; k < rules_tile_turns(tile); k++) {
        for (unsigned i = 0; i < map->n_words; i++) {
            uint64_t *const word = &places->fits[k].words[MAP_GUARD + i];
            *word &= all_in(map, &partly, tile, k, i);
            uint64_t left = *word & ~all_in(map, &whole, tile, k, i);
            for (; left != 0; left &= left - 1) {
                const unsigned bit = 64 * i + (unsigned)__builtin_ctzll(left);
                const struct taluva_placement placement = {rules_map_hex(map, bit), (uint8_t)k,
                                                           tile};
                if (taluva_points_outside(zone, &placement) > RULES_OVERHANG_MAX)
                    *word &= ~(left & -left);
            }
        }
    }
}

void rules_places_init(struct rules_places *places, const struct taluva *game, taluva_tile tile)
{
    rules_map_init(&places->map, game);
    for (unsigned k = 0; k < 6; k++)
        rules_bits_clear(&places->map, &places->fits[k]);
    if (game->n_cells == 0) {
        rules_bits_set(&places->fits[0], rules_map_bit(&places->map, 0, 0));
        return;
    }
    add_extensions(places, game, tile);
    add_eruptions(places, game, tile);
    if (game->options.zone != TALUVA_ZONE_NONE)
        drop_overhanging(places, (enum taluva_zone)game->options.zone, tile);
}

bool rules_fits_somewhere(const struct taluva *game, taluva_tile tile)
{
    if (game->options.zone == TALUVA_ZONE_NONE)
        return true;
    struct rules_places places;
    rules_places_init(&places, game, tile);
    for (unsigned k = 0; k < 6; k++) {
        if (rules_bits_first(&places.map, &places.fits[k]) >= 0)
            return true;
    }
    return false;
}
