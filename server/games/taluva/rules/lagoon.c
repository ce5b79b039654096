#include "lagoon.h"

#include <string.h>

static void find_water(const struct rules_map *map, struct rules_bits *out)
{
    rules_bits_clear(map, out);
    for (unsigned i = 0; i < map->n_words; i++)
        out->words[MAP_GUARD + i] = ~map->land.words[MAP_GUARD + i];
}

void rules_lagoons(const struct rules_map *map, struct rules_bits *out)
{
    struct rules_bits wet, sea;
    find_water(map, &wet);
    rules_bits_clear(map, &sea);
    /* The margin is sea: its edges here, and the flood fills in the rest. */
    for (int i = 0; i < map->stride; i++) {
        rules_bits_set(&sea, (unsigned)i);
        rules_bits_set(&sea, (unsigned)((map->columns - 1) * map->stride + i));
    }
    for (int i = 0; i < map->columns; i++)
        rules_bits_set(&sea, (unsigned)(i * map->stride));
    rules_bits_flood(map, &sea, &wet);
    find_water(map, out);
    rules_bits_remove(map, out, &sea);
    /* Clears the bits of the last word that are beyond the map. */
    const unsigned used = (unsigned)(map->columns * map->stride) % 64;
    if (used != 0)
        out->words[MAP_GUARD + map->n_words - 1] &= ((uint64_t)1 << used) - 1;
}

/* The lagoon around one of its bits, whole. */
static void lagoon_around(const struct rules_map *map, unsigned bit, struct rules_bits *out)
{
    struct rules_bits wet;
    find_water(map, &wet);
    rules_bits_clear(map, out);
    rules_bits_set(out, bit);
    rules_bits_flood(map, out, &wet);
}

void rules_lagoons_closed(const struct rules_map *map, const struct taluva *game,
                          struct rules_bits *out)
{
    struct rules_bits wet;
    rules_bits_clear(map, out);
    if (game->n_boats == 0)
        return;
    find_water(map, &wet);
    for (unsigned i = 0; i < game->n_boats; i++)
        rules_bits_set(out, rules_map_bit(map, game->boats[i].lagoon.q, game->boats[i].lagoon.r));
    rules_bits_flood(map, out, &wet);
}

bool rules_lagoon_is_closed(const struct taluva *game, int q, int r, unsigned n)
{
    bool may_be = false;
    for (unsigned i = 0; i < game->n_boats; i++)
        may_be |= game->boats[i].n_hexes >= n;
    if (!may_be)
        return false;
    struct rules_map map;
    struct rules_bits closed;
    rules_map_init(&map, game);
    rules_lagoons_closed(&map, game, &closed);
    return rules_map_holds(&map, q, r) && rules_bits_has(&closed, rules_map_bit(&map, q, r));
}

const struct taluva_boat *rules_boat_in(const struct taluva *game, struct taluva_hex lagoon)
{
    for (unsigned i = 0; i < game->n_boats; i++) {
        if (rules_hex_equal(game->boats[i].lagoon, lagoon))
            return &game->boats[i];
    }
    return NULL;
}

/* Open lagoons' water beside buildings of the seat. */
static void open_beside_own(const struct rules_map *map, const struct taluva *game, unsigned seat,
                            const struct rules_bits *open, struct rules_bits *out)
{
    struct rules_bits own;
    rules_bits_clear(map, &own);
    rules_bits_clear(map, out);
    for (unsigned i = 0; i < game->n_cells; i++) {
        if (game->cells[i].owner == seat)
            rules_bits_set(&own, rules_map_bit(map, game->cells[i].hex.q, game->cells[i].hex.r));
    }
    for (unsigned i = 0; i < map->n_words; i++)
        out->words[MAP_GUARD + i] = rules_bits_beside(map, &own, i) & open->words[MAP_GUARD + i];
}

void rules_boat_places_init(struct rules_boat_places *places, const struct taluva *game,
                            unsigned seat)
{
    struct rules_map *const map = &places->map;
    struct rules_bits open, closed, left, one;
    rules_map_init(map, game);
    rules_bits_clear(map, &places->names);
    places->n = 0;
    if (game->reserve[seat][TALUVA_BOAT] == 0)
        return;
    rules_lagoons(map, &open);
    rules_lagoons_closed(map, game, &closed);
    rules_bits_remove(map, &open, &closed);
    open_beside_own(map, game, seat, &open, &left);
    for (int bit = rules_bits_first(map, &left); bit >= 0; bit = rules_bits_first(map, &left)) {
        lagoon_around(map, (unsigned)bit, &one);
        rules_bits_set(&places->names, (unsigned)rules_bits_first(map, &one));
        rules_bits_remove(map, &left, &one);
        places->n++;
    }
}

bool rules_boat_places_has(const struct rules_boat_places *places, struct taluva_hex name)
{
    return rules_map_holds(&places->map, name.q, name.r) &&
           rules_bits_has(&places->names, rules_map_bit(&places->map, name.q, name.r));
}

static uint16_t count_bits(const struct rules_map *map, const struct rules_bits *bits)
{
    unsigned n = 0;
    for (unsigned i = 0; i < map->n_words; i++)
        n += rules_popcount(bits->words[MAP_GUARD + i]);
    return (uint16_t)n;
}

bool taluva_lagoon_at(const struct taluva *game, struct taluva_hex hex, struct taluva_lagoon *out)
{
    struct rules_map map;
    struct rules_bits lagoons, one;
    rules_map_init(&map, game);
    if (!rules_map_holds(&map, hex.q, hex.r))
        return false;
    rules_lagoons(&map, &lagoons);
    const unsigned bit = rules_map_bit(&map, hex.q, hex.r);
    if (!rules_bits_has(&lagoons, bit))
        return false;
    lagoon_around(&map, bit, &one);
    out->hex = rules_map_hex(&map, (unsigned)rules_bits_first(&map, &one));
    out->n_hexes = count_bits(&map, &one);
    const struct taluva_boat *boat = rules_boat_in(game, out->hex);
    out->boat = !boat ? TALUVA_NO_SEAT : boat->seat;
    return true;
}

size_t taluva_list_lagoons(const struct taluva *game, struct taluva_lagoon *out)
{
    struct rules_map map;
    struct rules_bits lagoons, one;
    rules_map_init(&map, game);
    rules_lagoons(&map, &lagoons);
    size_t n = 0;
    for (int bit = rules_bits_first(&map, &lagoons); bit >= 0;
         bit = rules_bits_first(&map, &lagoons)) {
        lagoon_around(&map, (unsigned)bit, &one);
        if (out) {
            out[n].hex = rules_map_hex(&map, (unsigned)bit);
            out[n].n_hexes = count_bits(&map, &one);
            const struct taluva_boat *boat = rules_boat_in(game, out[n].hex);
            out[n].boat = !boat ? TALUVA_NO_SEAT : boat->seat;
        }
        n++;
        rules_bits_remove(&map, &lagoons, &one);
    }
    return n;
}
