/*
 * How fast each owner of an address may connect and ask: two buckets for each, in a memory of fixed
 * size.
 *
 *     set of an address (by a keyed hash): eight entries, of which the one that has been full the
 *     longest, or will be the soonest, gives way to a new address
 *
 * So nothing is allocated later, nothing has to be cleared away, and nobody can choose whose entry
 * he takes. Somebody with very many addresses gets more in all; but that he has anyway.
 */
#ifndef NET_GATE_H
#define NET_GATE_H

#include "address.h"

#include <hub/bucket.h>
#include <net/config.h>

enum { GATE_SETS = 4096, GATE_WAYS = 8 };

struct gate_entry {
    struct address owner;
    struct bucket connects, requests;
};

struct gate {
    struct gate_entry *entries; /* GATE_SETS * GATE_WAYS; an owner of zeros has never connected */
    uint8_t key[16];
    struct bucket_rule connect_rule, request_rule;
};

/* False: out of memory. */
bool gate_init(struct gate *gate, const struct net_config *config);
void gate_release(struct gate *gate);

/* May it now? Then that is counted. */
bool gate_connect(struct gate *gate, const struct address *address, int64_t now_ms);
bool gate_request(struct gate *gate, const struct address *address, int64_t now_ms);

#endif
