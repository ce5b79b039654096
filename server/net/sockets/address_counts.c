#include "address_counts.h"

#include <assert.h>
#include <hub/address_prefix.h>
#include <sodium.h>
#include <string.h>

struct entry {
    uint64_t hash; /* of the owner */
    struct address_prefix owner;
    uint32_t count; /* never 0 */
};

void address_counts_init(struct address_counts *counts)
{
    randombytes_buf(counts->key, sizeof counts->key);
    table_init(&counts->table, sizeof(struct entry));
}

void address_counts_release(struct address_counts *counts)
{
    table_release(&counts->table);
}

static uint64_t hash_of(const struct address_counts *counts, const struct address_prefix *owner)
{
    uint64_t hash;
    static_assert(crypto_shorthash_BYTES == sizeof hash, "the hash is a number");
    static_assert(crypto_shorthash_KEYBYTES == sizeof counts->key, "its key");
    crypto_shorthash((unsigned char *)&hash, owner->bytes, sizeof owner->bytes, counts->key);
    return hash;
}

static struct entry *find_entry(const struct address_counts *counts, const struct address *address)
{
    struct address_prefix owner = address_prefix_of(address->bytes);
    uint64_t hash = hash_of(counts, &owner);
    size_t at = 0;
    struct entry *entry = table_find(&counts->table, hash, &at);
    while (entry && memcmp(&entry->owner, &owner, sizeof owner) != 0)
        entry = table_find(&counts->table, hash, &at);
    return entry;
}

uint32_t address_counts_get(const struct address_counts *counts, const struct address *address)
{
    const struct entry *entry = find_entry(counts, address);
    return entry ? entry->count : 0;
}

bool address_counts_add(struct address_counts *counts, const struct address *address)
{
    struct entry *entry = find_entry(counts, address);
    if (entry) {
        entry->count++;
        return true;
    }
    if (!table_reserve(&counts->table, 1))
        return false;
    struct address_prefix owner = address_prefix_of(address->bytes);
    table_add(&counts->table, &(struct entry){hash_of(counts, &owner), owner, 1});
    return true;
}

void address_counts_remove(struct address_counts *counts, const struct address *address)
{
    struct entry *entry = find_entry(counts, address);
    assert(entry);
    if (--entry->count == 0)
        table_remove(&counts->table, entry);
}
