#include "misplaced.h"

#include "state.h"
#include <sodium.h>
#include <string.h>

struct entry {
    uint64_t key; /* of the hash, which is random already */
    uint8_t hash[32];
    unsigned part;
};

void misplaced_init(struct hub *hub)
{
    table_init(&identity_of(hub)->misplaced, sizeof(struct entry));
}

void misplaced_release(struct hub *hub)
{
    table_release(&identity_of(hub)->misplaced);
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
    if (!table_reserve(&identity_of(hub)->misplaced, 1))
        return -1;
    memcpy(entry.hash, hash, sizeof entry.hash);
    table_add(&identity_of(hub)->misplaced, &entry);
    return 0;
}

int misplaced_find(const struct hub *hub, const uint8_t hash[static 32])
{
    int part = -1;
    size_t at = 0;
    const struct entry *entry;
    while ((entry = table_find(&identity_of(hub)->misplaced, key_of(hash), &at)) != NULL) {
        if (sodium_memcmp(entry->hash, hash, sizeof entry->hash) == 0)
            part = (int)entry->part;
    }
    return part;
}
