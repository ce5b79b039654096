#include "gate.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

bool gate_init(struct gate *gate, const struct net_config *config)
{
    gate->connect_rule = (struct bucket_rule){config->connects_per_address_burst,
                                              config->connects_per_address_per_s, 1000};
    gate->request_rule = (struct bucket_rule){config->http_requests_per_address_burst,
                                              config->http_requests_per_address_per_s, 1000};
    randombytes_buf(gate->key, sizeof gate->key);
    gate->entries = calloc((size_t)GATE_SETS * GATE_WAYS, sizeof *gate->entries);
    return gate->entries;
}

void gate_release(struct gate *gate)
{
    free(gate->entries);
    gate->entries = NULL;
}

static struct gate_entry *set_of(const struct gate *gate, const struct address *owner)
{
    uint64_t hash;
    static_assert(crypto_shorthash_BYTES == sizeof hash, "the hash is a number");
    static_assert(crypto_shorthash_KEYBYTES == sizeof gate->key, "its key");
    crypto_shorthash((unsigned char *)&hash, owner->bytes, sizeof owner->bytes, gate->key);
    return gate->entries + hash % GATE_SETS * GATE_WAYS;
}

/* When nothing is held against it any more, in milliseconds. */
static int64_t clean_ms(const struct gate *gate, const struct gate_entry *entry)
{
    int64_t connects_ms = entry->connects.full_at / gate->connect_rule.count;
    int64_t requests_ms = entry->requests.full_at / gate->request_rule.count;
    return connects_ms > requests_ms ? connects_ms : requests_ms;
}

static struct gate_entry *entry_of(const struct gate *gate, const struct address *address)
{
    struct address owner = address_owner(address);
    struct gate_entry *set = set_of(gate, &owner), *oldest = set;
    for (struct gate_entry *entry = set; entry < set + GATE_WAYS; entry++) {
        if (memcmp(&entry->owner, &owner, sizeof owner) == 0)
            return entry;
        if (clean_ms(gate, entry) < clean_ms(gate, oldest))
            oldest = entry;
    }
    *oldest = (struct gate_entry){.owner = owner};
    return oldest;
}

bool gate_connect(struct gate *gate, const struct address *address, int64_t now_ms)
{
    return bucket_take(&entry_of(gate, address)->connects, &gate->connect_rule, now_ms);
}

bool gate_request(struct gate *gate, const struct address *address, int64_t now_ms)
{
    return bucket_take(&entry_of(gate, address)->requests, &gate->request_rule, now_ms);
}
