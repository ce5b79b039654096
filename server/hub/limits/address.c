#include "address.h"

#include "hub_private.h"
#include "key_map.h"
#include "origin.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <hub/bucket.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)ORIGIN_SHARES == (int)ADDRESS_SHARES, "a hash of a prefix is a share");

enum { LOOKED_AT = 64 /* addresses, when one has to go */ };

static void unqueue_address(struct hub *hub, struct address *address)
{
    *(address->older ? &address->older->newer : &hub->addresses.oldest) = address->newer;
    *(address->newer ? &address->newer->older : &hub->addresses.newest) = address->older;
    address->older = address->newer = NULL;
}

static void enqueue_address(struct hub *hub, struct address *address)
{
    address->older = hub->addresses.newest;
    *(address->older ? &address->older->newer : &hub->addresses.oldest) = address;
    hub->addresses.newest = address;
}

static void forget_address(struct hub *hub, struct address *address)
{
    origin_remove(&hub->address_origins, &address->origin);
    unqueue_address(hub, address);
    key_map_remove(&hub->addresses.by_prefix, address->key, address);
    free(address);
}

/* Forgets the oldest addresses, a few at a time, as long as all their buckets are full. */
static void forget_idle(struct hub *hub)
{
    for (int i = 0; i < 4 && hub->addresses.oldest; i++) {
        struct address *address = hub->addresses.oldest;
        if (!bucket_full(&address->requests, &hub->rules.requests, hub->now_ms) ||
            !bucket_full(&address->sessions, &hub->rules.sessions, hub->now_ms) ||
            !bucket_full(&address->guesses, &hub->rules.guesses, hub->now_ms) ||
            !bucket_full(&address->rooms, &hub->rules.rooms, hub->now_ms) ||
            !bucket_full(&address->says, &hub->rules.address_says, hub->now_ms) ||
            !bucket_full(&address->hints, &hub->rules.address_hints, hub->now_ms) ||
            !bucket_full(&address->analyses, &hub->rules.analyses, hub->now_ms))
            break;
        forget_address(hub, address);
    }
}

static struct address *find_address(const struct hub *hub, uint64_t key,
                                    const struct address_prefix *prefix)
{
    size_t at = 0;
    struct address *address;
    while ((address = key_map_find(&hub->addresses.by_prefix, key, &at)) != NULL) {
        if (memcmp(&address->prefix, prefix, sizeof address->prefix) == 0)
            return address;
    }
    return NULL;
}

/* How many addresses of its /48 or /24 are remembered. */
static uint32_t neighbours(const struct hub *hub, const struct origin *origin)
{
    const int widest = ORIGIN_WIDTHS - 1;
    return hub->address_origins.of[widest][origin->at[widest]];
}

/*
 * Of the addresses that have been without connections longest, one of the network that has most of
 * them, if that has more than the newcomer's: so no network fills all places, and none has its own
 * rates back by taking its own places.
 */
static struct address *find_crowded(const struct hub *hub, const struct address_prefix *prefix)
{
    const struct origin newcomer = origin_of(hub, prefix);
    uint32_t most = neighbours(hub, &newcomer);
    struct address *crowded = NULL, *at = hub->addresses.oldest;
    for (int i = 0; i < LOOKED_AT && at; i++, at = at->newer) {
        const uint32_t count = neighbours(hub, &at->origin);
        if (count <= most)
            continue;
        most = count;
        crowded = at;
    }
    return crowded;
}

static bool make_place(struct hub *hub, const struct address_prefix *prefix)
{
    if (key_map_count(&hub->addresses.by_prefix) < (size_t)hub->config.addresses)
        return true;
    struct address *crowded = find_crowded(hub, prefix);
    if (crowded)
        forget_address(hub, crowded);
    return crowded;
}

static struct address *add_address(struct hub *hub, uint64_t key,
                                   const struct address_prefix *prefix)
{
    if (!make_place(hub, prefix))
        return NULL;
    struct address *address = calloc(1, sizeof *address);
    if (!address || key_map_put(&hub->addresses.by_prefix, key, address) < 0) {
        free(address);
        return NULL;
    }
    address->key = key;
    address->prefix = *prefix;
    address->origin = origin_of(hub, &address->prefix);
    origin_add(&hub->address_origins, &address->origin);
    enqueue_address(hub, address);
    return address;
}

uint16_t address_share(const struct address *address)
{
    return (uint16_t)(1 + address->key % (ADDRESS_SHARES - 1));
}

struct address *address_of(struct hub *hub, const uint8_t ip[static 16])
{
    struct address_prefix prefix = address_prefix_of(ip);
    uint64_t key;
    static_assert(crypto_shorthash_BYTES == sizeof key, "the hash is the key");
    crypto_shorthash((unsigned char *)&key, prefix.bytes, sizeof prefix.bytes,
                     hub->addresses.hash_key);

    forget_idle(hub);
    struct address *address = find_address(hub, key, &prefix);
    return address ? address : add_address(hub, key, &prefix);
}

struct address *address_connect(struct hub *hub, const uint8_t ip[static 16])
{
    struct address *address = address_of(hub, ip);
    if (!address || address->conns >= (uint64_t)hub->config.connections_per_address)
        return NULL;
    if (address->conns++ == 0)
        unqueue_address(hub, address);
    return address;
}

void address_disconnect(struct hub *hub, struct address *address)
{
    assert(address->conns > 0);
    if (--address->conns == 0)
        enqueue_address(hub, address);
}

void addresses_release(struct hub *hub)
{
    while (hub->addresses.oldest)
        forget_address(hub, hub->addresses.oldest);
    assert(key_map_count(&hub->addresses.by_prefix) == 0);
    key_map_release(&hub->addresses.by_prefix);
}
