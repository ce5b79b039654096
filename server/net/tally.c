#include "tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool tally_init(struct tally *tally, size_t most)
{
    tally->size = 16;
    while (tally->size < 2 * most)
        tally->size *= 2;
    tally->entries = calloc(tally->size, sizeof *tally->entries);
    return tally->entries;
}

void tally_release(struct tally *tally)
{
    free(tally->entries);
    tally->entries = NULL;
}

static size_t home_of(const struct tally *tally, const struct address *key)
{
    uint64_t high, low;
    memcpy(&high, key->bytes, 8);
    memcpy(&low, key->bytes + 8, 8);
    uint64_t mixed = (high ^ (low * UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(mixed >> 32) & (tally->size - 1);
}

static struct tally_entry *find(const struct tally *tally, const struct address *key)
{
    size_t at = home_of(tally, key);
    while (tally->entries[at].count > 0 &&
           memcmp(&tally->entries[at].address, key, sizeof *key) != 0)
        at = (at + 1) & (tally->size - 1);
    return &tally->entries[at];
}

uint32_t tally_get(const struct tally *tally, const struct address *address)
{
    struct address key = address_owner(address);
    return find(tally, &key)->count;
}

void tally_add(struct tally *tally, const struct address *address)
{
    struct address key = address_owner(address);
    struct tally_entry *entry = find(tally, &key);
    entry->address = key;
    entry->count++;
}

void tally_remove(struct tally *tally, const struct address *address)
{
    struct address key = address_owner(address);
    struct tally_entry *entry = find(tally, &key);
    assert(entry->count > 0);
    if (--entry->count > 0)
        return;
    size_t mask = tally->size - 1, hole = (size_t)(entry - tally->entries);
    for (size_t at = (hole + 1) & mask; tally->entries[at].count > 0; at = (at + 1) & mask) {
        size_t home = home_of(tally, &tally->entries[at].address);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            tally->entries[hole] = tally->entries[at];
            hole = at;
        }
    }
    tally->entries[hole].count = 0;
}
