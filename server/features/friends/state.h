/*
 * What the feature has in memory, of a hub; of sessions that follow nobody, nothing.
 *
 *     friends        rows, and what is due
 *     forget         somebody is erased
 *     online         who is there, of those whom somebody follows
 *     follow         whom an account follows, and whether it is seen
 *     follow_table   what is kept of that
 *     state          this
 */
#ifndef FRIENDS_STATE_H
#define FRIENDS_STATE_H

#include <base/table.h>
#include <features/feature.h>
#include <stddef.h>
#include <stdint.h>

struct listing;

struct friends {
    struct table follows; /* see follow_table.h */
    struct table unseen;
    size_t prepared;          /* changes that wait for the store */
    struct table coming;      /* of these, whom somebody is about to follow */
    struct listing *listings; /* see online.h: that wait for other parts */
    size_t listing_count;
    uint32_t serial; /* of the last one */
};

struct friends *friends_of(const struct hub *hub);

extern const struct feature_memory friends_memory;

#endif
