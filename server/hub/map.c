#include "map.h"

#include <assert.h>
#include <stdlib.h>

static size_t home(const struct map *map, uint64_t key)
{
    key ^= key >> 31;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    key ^= key >> 32;
    return (size_t)key & (map->size - 1);
}

void map_release(struct map *map)
{
    free(map->slots);
    *map = (struct map){0};
}

static void insert(struct map *map, uint64_t key, void *value)
{
    size_t at = home(map, key);
    while (map->slots[at].value)
        at = (at + 1) & (map->size - 1);
    map->slots[at] = (struct map_slot){key, value};
    map->count++;
}

static int grow(struct map *map)
{
    struct map larger = {.size = map->size ? map->size * 2 : 64};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t at = 0; at < map->size; at++) {
        if (map->slots[at].value)
            insert(&larger, map->slots[at].key, map->slots[at].value);
    }
    free(map->slots);
    *map = larger;
    return 0;
}

int map_put(struct map *map, uint64_t key, void *value)
{
    assert(value);
    if ((map->count + 1) * 4 > map->size * 3 && grow(map) < 0)
        return -1;
    insert(map, key, value);
    return 0;
}

void *map_find(const struct map *map, uint64_t key, size_t *at)
{
    if (!map->size)
        return NULL;
    /* *at counts the steps from home that are done. */
    for (size_t step = *at; step < map->size; step++) {
        const struct map_slot *slot = &map->slots[(home(map, key) + step) & (map->size - 1)];
        if (!slot->value)
            break;
        if (slot->key == key) {
            *at = step + 1;
            return slot->value;
        }
    }
    return NULL;
}

/* Closes the hole at `at`: whatever behind it could not live at its home because of it moves up. */
static void close_hole(struct map *map, size_t hole)
{
    size_t mask = map->size - 1;
    for (size_t at = (hole + 1) & mask; map->slots[at].value; at = (at + 1) & mask) {
        size_t wants = home(map, map->slots[at].key);
        if (((at - wants) & mask) >= ((at - hole) & mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole] = (struct map_slot){0};
}

void map_remove(struct map *map, uint64_t key, const void *value)
{
    assert(map->size);
    size_t at = home(map, key);
    while (map->slots[at].key != key || map->slots[at].value != value) {
        assert(map->slots[at].value);
        at = (at + 1) & (map->size - 1);
    }
    close_hole(map, at);
    map->count--;
}

void *map_next(const struct map *map, size_t *at)
{
    while (*at < map->size) {
        void *value = map->slots[(*at)++].value;
        if (value)
            return value;
    }
    return NULL;
}
