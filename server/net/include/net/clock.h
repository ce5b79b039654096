/*
 * The time of day that never goes back: read once, then counted by the monotonic clock.
 *
 * A step of the system's clock (by hand, by a time service) during a run changes nobody's turn
 * clock; the next run starts from the right time again.
 */
#ifndef NET_CLOCK_H
#define NET_CLOCK_H

#include <stdint.h>

struct net_clock {
    int64_t offset_ms; /* from the monotonic clock to the time since 1970-01-01 UTC */
};

void net_clock_init(struct net_clock *clock);
int64_t net_clock_ms(const struct net_clock *clock);

/* The monotonic clock itself, for measuring. */
int64_t net_clock_monotonic_us(void);

#endif
