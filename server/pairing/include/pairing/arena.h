/*
 * A wave of an arena: of those who wait, who plays whom at once. As many as can be are paired, but
 * not with the last opponent; of several ways to do that first the one that leaves over who have
 * waited least, then the one in which the fewest meet again (two meetings weigh as four), and then
 * the one in which opponents are near in rank and rating.
 *
 * Small arenas must not stand still: where no more than three wait, two who have just played do so
 * again once both have waited for ARENA_AGAIN_MS.
 */
#ifndef PAIRING_ARENA_H
#define PAIRING_ARENA_H

#include <pairing/tables.h>

enum {
    ARENA_WAVE_MAX = 100, /* who wait beyond are for the next wave */
    ARENA_FEW = 3,
    ARENA_AGAIN_MS = 40000,
};

struct pairing_waiter {
    uint32_t rank;   /* from 0 */
    uint32_t rating; /* points */
    int64_t waited_ms;
    int32_t last; /* place of the last opponent among those who wait; -1: none of them */
};

struct pairing_wave {
    unsigned pairs;
    uint16_t pair[ARENA_WAVE_MAX / 2][2]; /* places; who is before in the list is first */
};

/* At most ARENA_WAVE_MAX who wait. False: no memory. */
bool pairing_arena(const struct pairing_waiter waiters[], unsigned count,
                   const struct pairing_met *met, struct pairing_wave *wave);

#endif
