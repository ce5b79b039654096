/*
 * What is known of an address: how many connections it has, how fast it asks, guesses, makes
 * sessions and rooms.
 *
 * IPv6 addresses count by their /64, as one host has all of it. Entries without connections are
 * kept until their buckets are full again, at most config.addresses in all.
 */
#ifndef HUB_ADDRESS_H
#define HUB_ADDRESS_H

#include "map.h"
#include <hub/address_prefix.h>
#include <hub/bucket.h>
#include <stdint.h>

struct hub;

struct address {
    uint64_t key; /* keyed hash of `prefix` */
    struct address_prefix prefix;
    uint32_t conns;
    struct bucket requests, sessions, guesses, rooms;
    struct address *newer, *older; /* among those without conns */
};

struct addresses {
    struct map by_prefix;            /* keyed hash of the prefix -> struct address */
    struct address *oldest, *newest; /* those without connections */
    uint8_t hash_key[16];
};

/* One connection more from there. NULL: too many of it, too many addresses, or out of memory. */
struct address *address_connect(struct hub *hub, const uint8_t ip[static 16]);
void address_disconnect(struct hub *hub, struct address *address);
void addresses_release(struct hub *hub);

#endif
