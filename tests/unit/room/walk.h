/*
 * A random walk through a room: seeded, any options, any clock, any request by anybody at any time,
 * time jumps, absences, a store that lags, rewinds. The table checks its laws after every event.
 */
#ifndef TEST_ROOM_WALK_H
#define TEST_ROOM_WALK_H

#include <stdint.h>

struct walk_count {
    unsigned over;      /* matches that came to an end */
    unsigned kinds[32]; /* events by kind */
    unsigned ends[16];  /* by reason, in the order of first appearance */
    unsigned refused, rewound, draws;
    unsigned blind_pushes; /* of Totem, see totem_pushes.h */
};

void walk(uint64_t seed, unsigned steps, struct walk_count *count);

#endif
