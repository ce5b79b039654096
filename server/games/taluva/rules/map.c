#include "map.h"

#include <assert.h>
#include <string.h>

void rules_bits_clear(const struct rules_map *map, struct rules_bits *bits)
{
    memset(bits->words, 0, sizeof bits->words[0] * (map->n_words + 2 * MAP_GUARD + 1));
}

void rules_map_init(struct rules_map *map, const struct taluva *game)
{
    int q_min = 0, q_max = 0, r_min = 0, r_max = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        const int q = game->cells[i].hex.q, r = game->cells[i].hex.r;
        q_min = q < q_min ? q : q_min;
        q_max = q > q_max ? q : q_max;
        r_min = r < r_min ? r : r_min;
        r_max = r > r_max ? r : r_max;
    }
    assert(q_max - q_min < TALUVA_SPAN_MAX && r_max - r_min < TALUVA_SPAN_MAX);
    map->q0 = q_min - MAP_MARGIN;
    map->r0 = r_min - MAP_MARGIN;
    map->columns = q_max - q_min + 1 + 2 * MAP_MARGIN;
    map->stride = r_max - r_min + 1 + 2 * MAP_MARGIN;
    map->n_words = ((unsigned)(map->columns * map->stride) + 63) / 64;
    for (unsigned d = 0; d < 6; d++)
        map->off[d] = rules_dq[d] * map->stride + rules_dr[d];
    rules_bits_clear(map, &map->land);
    for (unsigned i = 0; i < game->n_cells; i++)
        rules_bits_set(&map->land, rules_map_bit(map, game->cells[i].hex.q, game->cells[i].hex.r));
}

int rules_bits_first(const struct rules_map *map, const struct rules_bits *bits)
{
    for (unsigned i = 0; i < map->n_words; i++) {
        const uint64_t word = bits->words[MAP_GUARD + i];
        if (word != 0)
            return (int)(64 * i) + __builtin_ctzll(word);
    }
    return -1;
}

/* One word takes what it can reach; true if it grew. */
static bool grow_map(const struct rules_map *map, struct rules_bits *bits,
                     const struct rules_bits *room, unsigned i)
{
    uint64_t *const word = &bits->words[MAP_GUARD + i];
    bool grew = false;
    for (;;) {
        const uint64_t next =
            *word | (rules_bits_beside(map, bits, i) & room->words[MAP_GUARD + i]);
        if (next == *word)
            return grew;
        *word = next;
        grew = true;
    }
}

void rules_bits_flood(const struct rules_map *map, struct rules_bits *bits,
                      const struct rules_bits *room)
{
    bool grew = true;
    while (grew) {
        grew = false;
        for (unsigned i = 0; i < map->n_words; i++)
            grew |= grow_map(map, bits, room, i);
        for (unsigned i = map->n_words; i-- > 0;)
            grew |= grow_map(map, bits, room, i);
    }
}
