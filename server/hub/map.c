#include "map.h"

#include <assert.h>

struct entry {
    uint64_t key;
    void *value;
};

void map_release(struct map *map)
{
    table_release(&map->table);
}

size_t map_count(const struct map *map)
{
    return map->table.count;
}

int map_put(struct map *map, uint64_t key, void *value)
{
    assert(value);
    if (map->table.size == 0)
        table_init(&map->table, sizeof(struct entry));
    if (!table_reserve(&map->table, 1))
        return -1;
    table_add(&map->table, &(struct entry){key, value});
    return 0;
}

void *map_find(const struct map *map, uint64_t key, size_t *at)
{
    const struct entry *entry = table_find(&map->table, key, at);
    return entry ? entry->value : NULL;
}

void map_remove(struct map *map, uint64_t key, const void *value)
{
    size_t at = 0;
    struct entry *entry = table_find(&map->table, key, &at);
    while (entry && entry->value != value)
        entry = table_find(&map->table, key, &at);
    assert(entry);
    table_remove(&map->table, entry);
}

void *map_next(const struct map *map, size_t *at)
{
    const struct entry *entry = table_next(&map->table, at);
    return entry ? entry->value : NULL;
}
