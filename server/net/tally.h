/*
 * How many of something each owner of an address has: a table of counts.
 */
#ifndef NET_TALLY_H
#define NET_TALLY_H

#include "address.h"

struct tally_entry {
    struct address address;
    uint32_t count; /* 0: free */
};

/* Open addressing, never more than half full. */
struct tally {
    struct tally_entry *entries;
    size_t size; /* power of two */
};

/* For at most `most` addresses at once. False: out of memory. */
bool tally_init(struct tally *tally, size_t most);
void tally_release(struct tally *tally);
uint32_t tally_get(const struct tally *tally, const struct address *address);
void tally_add(struct tally *tally, const struct address *address);
void tally_remove(struct tally *tally, const struct address *address);

#endif
