#include "address_rates.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

bool address_rates_init(struct address_rates *rates, const struct net_config *config)
{
    rates->connect_rule = (struct bucket_rule){config->connects_per_address_burst,
                                               config->connects_per_address_per_s, 1000};
    rates->request_rule = (struct bucket_rule){config->http_requests_per_address_burst,
                                               config->http_requests_per_address_per_s, 1000};
    randombytes_buf(rates->key, sizeof rates->key);
    rates->entries =
        calloc((size_t)ADDRESS_RATES_SETS * ADDRESS_RATES_WAYS, sizeof *rates->entries);
    return rates->entries;
}

void address_rates_release(struct address_rates *rates)
{
    free(rates->entries);
    rates->entries = NULL;
}

static struct address_rates_entry *set_of(const struct address_rates *rates,
                                          const struct address_prefix *owner)
{
    uint64_t hash;
    static_assert(crypto_shorthash_BYTES == sizeof hash, "the hash is a number");
    static_assert(crypto_shorthash_KEYBYTES == sizeof rates->key, "its key");
    crypto_shorthash((unsigned char *)&hash, owner->bytes, sizeof owner->bytes, rates->key);
    return rates->entries + hash % ADDRESS_RATES_SETS * ADDRESS_RATES_WAYS;
}

/* When both of its buckets will be full again, in milliseconds. */
static int64_t clean_ms(const struct address_rates *rates, const struct address_rates_entry *entry)
{
    int64_t connects_ms = entry->connects.full_at / rates->connect_rule.count;
    int64_t requests_ms = entry->requests.full_at / rates->request_rule.count;
    return connects_ms > requests_ms ? connects_ms : requests_ms;
}

static struct address_rates_entry *entry_of(const struct address_rates *rates,
                                            const struct address *address)
{
    struct address_prefix owner = address_prefix_of(address->bytes);
    struct address_rates_entry *set = set_of(rates, &owner), *oldest = set;
    for (struct address_rates_entry *entry = set; entry < set + ADDRESS_RATES_WAYS; entry++) {
        if (memcmp(&entry->owner, &owner, sizeof owner) == 0)
            return entry;
        if (clean_ms(rates, entry) < clean_ms(rates, oldest))
            oldest = entry;
    }
    *oldest = (struct address_rates_entry){.owner = owner};
    return oldest;
}

bool address_rates_connect(struct address_rates *rates, const struct address *address,
                           int64_t now_ms)
{
    return bucket_take(&entry_of(rates, address)->connects, &rates->connect_rule, now_ms);
}

bool address_rates_request(struct address_rates *rates, const struct address *address,
                           int64_t now_ms)
{
    return bucket_take(&entry_of(rates, address)->requests, &rates->request_rule, now_ms);
}
