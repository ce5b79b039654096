#include "key_map.h"

#include <assert.h>

struct entry {
    uint64_t key;
    void *value;
};

void key_map_release(struct key_map *map)
{
    table_release(&map->table);
}

size_t key_map_count(const struct key_map *map)
{
    return map->table.count;
}

int key_map_put(struct key_map *map, uint64_t key, void *value)
{
    assert(value);
    if (map->table.size == 0)
        table_init(&map->table, sizeof(struct entry));
    if (!table_reserve(&map->table, 1))
        return -1;
    table_add(&map->table, &(struct entry){key, value});
    return 0;
}

void *key_map_find(const struct key_map *map, uint64_t key, size_t *at)
{
    const struct entry *entry = table_find(&map->table, key, at);
    return entry ? entry->value : NULL;
}

void key_map_remove(struct key_map *map, uint64_t key, const void *value)
{
    size_t at = 0;
    struct entry *entry = table_find(&map->table, key, &at);
    while (entry && entry->value != value)
        entry = table_find(&map->table, key, &at);
    assert(entry);
    table_remove(&map->table, entry);
}

void *key_map_next(const struct key_map *map, size_t *at)
{
    const struct entry *entry = table_next(&map->table, at);
    return entry ? entry->value : NULL;
}

void *key_map_any(const struct key_map *map, size_t *at)
{
    void *const value = key_map_next(map, at);
    if (value || map->table.count == 0)
        return value;
    *at = 0; /* some have moved up meanwhile */
    return key_map_next(map, at);
}
