#include <base/table.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64, TAKEN = 0x80 };

void table_init(struct table *table, size_t entry_bytes)
{
    assert(entry_bytes >= sizeof(uint64_t));
    *table = (struct table){.entry_bytes = entry_bytes};
}

void table_release(struct table *table)
{
    free(table->entries);
    *table = (struct table){.entry_bytes = table->entry_bytes};
}

static uint64_t stir_key(uint64_t key)
{
    key ^= key >> 31;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 32;
}

/* From other bits than the place, which are the low ones. */
static uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)(TAKEN | hash >> 57);
}

static unsigned char *entry_at(const struct table *table, size_t at)
{
    return table->entries + at * table->entry_bytes;
}

static uint64_t key_of(const void *entry)
{
    uint64_t key;
    memcpy(&key, entry, sizeof key);
    return key;
}

static bool alloc_entries(struct table *table, size_t size)
{
    table->entries = calloc(size, table->entry_bytes + 1);
    if (!table->entries)
        return false;
    table->tags = table->entries + size * table->entry_bytes;
    table->size = size;
    return true;
}

bool table_reserve(struct table *table, size_t more)
{
    size_t size = table->size ? table->size : SMALLEST;
    while ((table->count + more) * 4 > size * 3)
        size *= 2;
    if (size == table->size)
        return true;
    struct table larger = {.entry_bytes = table->entry_bytes};
    if (!alloc_entries(&larger, size))
        return false;
    size_t at = 0;
    for (const void *entry = table_next(table, &at); entry; entry = table_next(table, &at))
        table_add(&larger, entry);
    free(table->entries);
    *table = larger;
    return true;
}

void table_add(struct table *table, const void *entry)
{
    assert((table->count + 1) * 4 <= table->size * 3);
    uint64_t hash = stir_key(key_of(entry));
    size_t mask = table->size - 1, at = (size_t)hash & mask;
    while (table->tags[at])
        at = (at + 1) & mask;
    table->tags[at] = tag_of(hash);
    memcpy(entry_at(table, at), entry, table->entry_bytes);
    table->count++;
}

void *table_find(const struct table *table, uint64_t key, size_t *at)
{
    if (table->size == 0)
        return NULL;
    uint64_t hash = stir_key(key);
    /* *at counts the places from the key's own that have been looked at; one is always free. */
    for (;;) {
        size_t place = ((size_t)hash + *at) & (table->size - 1);
        if (!table->tags[place])
            return NULL;
        ++*at;
        if (table->tags[place] == tag_of(hash) && key_of(entry_at(table, place)) == key)
            return entry_at(table, place);
    }
}

void table_remove(struct table *table, void *entry)
{
    size_t mask = table->size - 1;
    size_t gap = (size_t)((unsigned char *)entry - table->entries) / table->entry_bytes;
    assert(gap < table->size && table->tags[gap]);
    /* What follows moves up, unless that would put it before its own place. */
    for (size_t at = (gap + 1) & mask; table->tags[at]; at = (at + 1) & mask) {
        size_t own = (size_t)stir_key(key_of(entry_at(table, at))) & mask;
        if (((at - own) & mask) >= ((at - gap) & mask)) {
            memcpy(entry_at(table, gap), entry_at(table, at), table->entry_bytes);
            table->tags[gap] = table->tags[at];
            gap = at;
        }
    }
    table->tags[gap] = 0;
    table->count--;
}

void *table_next(const struct table *table, size_t *at)
{
    while (*at < table->size) {
        size_t place = (*at)++;
        if (table->tags[place])
            return entry_at(table, place);
    }
    return NULL;
}
