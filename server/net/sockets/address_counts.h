/*
 * How many of something each owner of an address has: a table of counts.
 *
 * Clients can choose their addresses, so the table uses a keyed hash of them; nobody can choose
 * addresses that make it slow.
 */
#ifndef NET_ADDRESS_COUNTS_H
#define NET_ADDRESS_COUNTS_H

#include "address.h"
#include <base/table.h>

struct address_counts {
    struct table table;
    uint8_t key[16]; /* of the hash */
};

/* Takes no memory yet. */
void address_counts_init(struct address_counts *counts);
void address_counts_release(struct address_counts *counts);
uint32_t address_counts_get(const struct address_counts *counts, const struct address *address);
/* False: out of memory, and nothing is changed. */
bool address_counts_add(struct address_counts *counts, const struct address *address);
void address_counts_remove(struct address_counts *counts, const struct address *address);

#endif
