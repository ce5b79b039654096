#include "map_group.h"

#include <stdlib.h>

bool map_same_settlement(const struct map_hex *a, const struct map_hex *b)
{
    return a->kind && b->kind && a->owner == b->owner;
}

bool map_same_lagoon(const struct map_hex *a, const struct map_hex *b)
{
    return a->lagoon && b->lagoon;
}

static void flood(const struct map *map, struct map_at from, map_same_fn *same,
                  struct map_at *stack, bool *group)
{
    const struct map_hex *first = map_hex(map, from);
    size_t top = 0;
    if (!first || !same(first, first))
        return;
    stack[top++] = from;
    group[first - map->hexes] = true;
    while (top > 0) {
        const struct map_at at = stack[--top];
        for (int k = 0; k < 6; k++) {
            const struct map_hex *hex = map_hex(map, map_step(at, k));
            if (!hex || group[hex - map->hexes] || !same(first, hex))
                continue;
            group[hex - map->hexes] = true;
            stack[top++] = map_step(at, k);
        }
    }
}

bool *map_group(const struct map *map, struct map_at from, map_same_fn *same)
{
    const size_t count = (size_t)map->columns * (size_t)map->rows;
    struct map_at *stack = malloc(count * sizeof *stack);
    bool *group = calloc(count, sizeof *group);
    if (stack && group) {
        flood(map, from, same, stack, group);
    } else {
        free(group);
        group = NULL;
    }
    free(stack);
    return group;
}

struct map_at map_group_first(const struct map *map, struct map_at from, map_same_fn *same)
{
    bool *group = map_group(map, from, same);
    struct map_at least = from;
    for (int i = 0; group && i < map->columns * map->rows; i++) {
        const struct map_at at = {map->q_min + i % map->columns, map->r_min + i / map->columns};
        if (group[i] && (at.q < least.q || (at.q == least.q && at.r < least.r)))
            least = at;
    }
    free(group);
    return least;
}
