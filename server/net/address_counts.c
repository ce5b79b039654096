#include "address_counts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool address_counts_init(struct address_counts *counts, size_t most)
{
    counts->size = 16;
    while (counts->size < 2 * most)
        counts->size *= 2;
    counts->entries = calloc(counts->size, sizeof *counts->entries);
    return counts->entries;
}

void address_counts_release(struct address_counts *counts)
{
    free(counts->entries);
    counts->entries = NULL;
}

static size_t home_of(const struct address_counts *counts, const struct address_prefix *key)
{
    uint64_t number;
    static_assert(sizeof number == sizeof key->bytes, "a prefix is a number");
    memcpy(&number, key->bytes, sizeof number);
    uint64_t mixed = (number ^ number >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(mixed >> 32) & (counts->size - 1);
}

static struct address_counts_entry *find(const struct address_counts *counts,
                                         const struct address_prefix *key)
{
    size_t at = home_of(counts, key);
    while (counts->entries[at].count > 0 &&
           memcmp(&counts->entries[at].owner, key, sizeof *key) != 0)
        at = (at + 1) & (counts->size - 1);
    return &counts->entries[at];
}

uint32_t address_counts_get(const struct address_counts *counts, const struct address *address)
{
    struct address_prefix key = address_prefix_of(address->bytes);
    return find(counts, &key)->count;
}

void address_counts_add(struct address_counts *counts, const struct address *address)
{
    struct address_prefix key = address_prefix_of(address->bytes);
    struct address_counts_entry *entry = find(counts, &key);
    entry->owner = key;
    entry->count++;
}

void address_counts_remove(struct address_counts *counts, const struct address *address)
{
    struct address_prefix key = address_prefix_of(address->bytes);
    struct address_counts_entry *entry = find(counts, &key);
    assert(entry->count > 0);
    if (--entry->count > 0)
        return;
    size_t mask = counts->size - 1, hole = (size_t)(entry - counts->entries);
    for (size_t at = (hole + 1) & mask; counts->entries[at].count > 0; at = (at + 1) & mask) {
        size_t home = home_of(counts, &counts->entries[at].owner);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            counts->entries[hole] = counts->entries[at];
            hole = at;
        }
    }
    counts->entries[hole].count = 0;
}
