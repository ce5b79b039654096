/*
 * Placements listed.
 */
#include "build_count.h"
#include "placements.h"
#include "tile.h"

/* The bits of one word, ascending, as hexes: a column is known by where it ends. */
struct cursor {
    const struct rules_map *map;
    unsigned column_end;
    int q;
};

static struct taluva_hex advance(struct cursor *cursor, unsigned bit)
{
    while (bit >= cursor->column_end) {
        cursor->column_end += (unsigned)cursor->map->stride;
        cursor->q++;
    }
    const int r = cursor->map->r0 + cursor->map->stride - (int)(cursor->column_end - bit);
    return (struct taluva_hex){(int16_t)cursor->q, (int16_t)r};
}

static size_t list_turned(const struct rules_places *places, taluva_tile tile, unsigned k,
                          struct taluva_placement *out)
{
    struct cursor cursor = {&places->map, (unsigned)places->map.stride, places->map.q0};
    size_t n = 0;
    for (unsigned i = 0; i < places->map.n_words; i++) {
        for (uint64_t left = places->fits[k].words[MAP_GUARD + i]; left != 0; left &= left - 1) {
            const unsigned bit = 64 * i + (unsigned)__builtin_ctzll(left);
            out[n++] = (struct taluva_placement){advance(&cursor, bit), (uint8_t)k, tile};
        }
    }
    return n;
}

static size_t count_turned(const struct rules_places *places, unsigned k)
{
    size_t n = 0;
    for (unsigned i = 0; i < places->map.n_words; i++)
        n += rules_popcount(places->fits[k].words[MAP_GUARD + i]);
    return n;
}

static void mark_dead_ends(const struct taluva *game, const struct taluva_placement *placements,
                           size_t n, bool *dead_end)
{
    struct rules_build_count counter;
    rules_build_count_init(&counter, game, game->seat);
    for (size_t i = 0; i < n; i++)
        dead_end[i] = rules_build_count_is_dead_end(&counter, &placements[i]);
}

size_t taluva_list_placements(const struct taluva *game, taluva_tile tile,
                              struct taluva_placement *out, bool *dead_end)
{
    if (game->step == TALUVA_STEP_OVER || tile >= TALUVA_TILES)
        return 0;
    struct rules_places places;
    rules_places_init(&places, game, tile);
    size_t n = 0;
    for (unsigned k = 0; k < rules_tile_turns(tile); k++)
        n += out ? list_turned(&places, tile, k, out + n) : count_turned(&places, k);
    if (out && dead_end != NULL)
        mark_dead_ends(game, out, n, dead_end);
    return n;
}
