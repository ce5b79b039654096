/*
 * How fast each address may connect and send requests: two buckets for each, in a table of fixed
 * size.
 *
 *     set of an address (by a keyed hash): eight entries, of which the one that has been full the
 *     longest, or will be the soonest, gives way to a new address
 *
 * So nothing is allocated later, nothing has to be removed, and nobody can choose which entry a new
 * address replaces. A client with very many addresses can exceed the rate of one, as it could
 * anyway.
 */
#ifndef NET_ADDRESS_RATES_H
#define NET_ADDRESS_RATES_H

#include "address.h"
#include <hub/address_prefix.h>
#include <hub/bucket.h>
#include <net/config.h>

enum { ADDRESS_RATES_SETS = 4096, ADDRESS_RATES_WAYS = 8 };

struct address_rates_entry {
    struct address_prefix owner;
    struct bucket connects, requests;
};

struct address_rates {
    struct address_rates_entry *entries; /* SETS * WAYS; an owner of zeros has never connected */
    uint8_t key[16];
    struct bucket_rule connect_rule, request_rule;
};

/* False: out of memory. */
bool address_rates_init(struct address_rates *rates, const struct net_config *config);
void address_rates_release(struct address_rates *rates);

/* May it connect, or send a request, now? If so it is counted. */
bool address_rates_connect(struct address_rates *rates, const struct address *address,
                           int64_t now_ms);
bool address_rates_request(struct address_rates *rates, const struct address *address,
                           int64_t now_ms);

#endif
