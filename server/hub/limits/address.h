/*
 * What is known of an address: how many connections it has, and how fast it sends requests, tries
 * codes and tokens, and creates sessions and rooms.
 *
 * IPv6 addresses count by their /64, as one host has all of it. Entries without connections are
 * kept until their buckets are full again, at most config.addresses in all: then one of the network
 * that has most of them goes earlier (a /48, or the /24 of IPv4).
 */
#ifndef HUB_ADDRESS_H
#define HUB_ADDRESS_H

#include "key_map.h"
#include "origin.h"
#include <hub/address_prefix.h>
#include <hub/bucket.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct address {
    uint64_t key; /* keyed hash of `prefix` */
    struct address_prefix prefix;
    struct origin origin;
    uint32_t conns;
    size_t outbox_bytes;  /* unsent to its connections */
    size_t pending_bytes; /* of answers to them that wait for the store */
    struct bucket requests, sessions, guesses, rooms, says, hints, analyses;
    struct address *newer, *older; /* among those without conns */
};

/*
 * How many of the sessions, rooms, questions and messages in memory come from an address, to limit
 * each address to its share. The counts are found by a hash of the address, because sessions and
 * rooms outlive the connections by days; two addresses with the same hash share a count. A share is
 * the index of a count; 0: no address.
 */
enum { ADDRESS_SHARES = 16384 };
struct shares {
    uint32_t sessions[ADDRESS_SHARES]; /* that are connected, or kept for long */
    uint32_t rooms[ADDRESS_SHARES];    /* in memory */
    uint32_t thinking[ADDRESS_SHARES]; /* questions for the worker threads */
    uint16_t pushes[ADDRESS_SHARES];   /* messages to browsers, here or for other parts */
};
uint16_t address_share(const struct address *address);

struct addresses {
    struct key_map by_prefix;        /* keyed hash of the prefix -> struct address */
    struct address *oldest, *newest; /* those without connections */
    uint8_t hash_key[16];
};

/* What is known of it, connected or not. NULL: there are too many addresses, or no memory. */
struct address *address_of(struct hub *hub, const uint8_t ip[static 16]);
/*
 * Counts one more connection from there. NULL: it has too many, there are too many addresses, or no
 * memory.
 */
struct address *address_connect(struct hub *hub, const uint8_t ip[static 16]);
void address_disconnect(struct hub *hub, struct address *address);
void addresses_release(struct hub *hub);

#endif
