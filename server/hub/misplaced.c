#include "misplaced.h"

#include "hub_private.h"
#include <sodium.h>
#include <string.h>

struct entry {
    uint64_t key; /* of the hash, which is random already */
    uint8_t hash[32];
    unsigned part;
};

void misplaced_init(struct misplaced *misplaced)
{
    table_init(&misplaced->by_secret, sizeof(struct entry));
}

void misplaced_release(struct misplaced *misplaced)
{
    table_release(&misplaced->by_secret);
}

static uint64_t key_of(const uint8_t hash[static 32])
{
    uint64_t key;
    memcpy(&key, hash, sizeof key);
    return key;
}

int misplaced_add(struct hub *hub, const uint8_t hash[static 32], unsigned part)
{
    struct entry entry = {.key = key_of(hash), .part = part};
    if (!table_reserve(&hub->misplaced.by_secret, 1))
        return -1;
    memcpy(entry.hash, hash, sizeof entry.hash);
    table_add(&hub->misplaced.by_secret, &entry);
    return 0;
}

int misplaced_find(const struct hub *hub, const uint8_t hash[static 32])
{
    int part = -1;
    size_t at = 0;
    const struct entry *entry;
    while ((entry = table_find(&hub->misplaced.by_secret, key_of(hash), &at)) != NULL) {
        if (sodium_memcmp(entry->hash, hash, sizeof entry->hash) == 0)
            part = (int)entry->part;
    }
    return part;
}
