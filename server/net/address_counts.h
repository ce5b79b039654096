/*
 * How many of something each owner of an address has: a table of counts.
 */
#ifndef NET_ADDRESS_COUNTS_H
#define NET_ADDRESS_COUNTS_H

#include "address.h"

#include <hub/address_prefix.h>

struct address_counts_entry {
    struct address_prefix owner;
    uint32_t count; /* 0: free */
};

/* Open addressing, never more than half full. */
struct address_counts {
    struct address_counts_entry *entries;
    size_t size; /* power of two */
};

/* For at most `most` addresses at once. False: out of memory. */
bool address_counts_init(struct address_counts *counts, size_t most);
void address_counts_release(struct address_counts *counts);
uint32_t address_counts_get(const struct address_counts *counts, const struct address *address);
void address_counts_add(struct address_counts *counts, const struct address *address);
void address_counts_remove(struct address_counts *counts, const struct address *address);

#endif
