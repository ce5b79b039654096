/*
 * The time of day that never goes back: read once, then counted by the monotonic clock.
 *
 * A step of the system's clock (by hand, by a time service) during a run changes no turn clock; the
 * next run starts from the right time again. Time in which the program does not run, because it is
 * stopped, starved or swapped out, does not count either: once net_clock_watch has been called the
 * clock is read at least every NET_CLOCK_PULSE_MS, and a longer gap counts as one pulse. So a move
 * that was sent in time and waits in a socket is still in time when it is read.
 *
 * For one thread, but for what it said last.
 */
#ifndef NET_CLOCK_H
#define NET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { NET_CLOCK_PULSE_MS = 250, NET_CLOCK_JUMP_MS = 1000 };

struct net_clock {
    int64_t offset_ms; /* from the monotonic clock to the time since 1970-01-01 UTC */
    int64_t read_ms;   /* the monotonic clock, when it was read last */
    int64_t lost_ms;   /* left out in all */
    int64_t behind_ms; /* of that what has not been made up for */
    bool watched;
    _Atomic int64_t seen_ms; /* what it said last */

    bool system_known;
    int64_t system_ms;        /* the system's clock beside the one that counts since the start */
    int64_t jumps, jumped_ms; /* how often it was set, and by how much the last time */
};

void net_clock_init(struct net_clock *clock);
/* Before it is watched: it goes on from `now_ms`, whatever the system's clock says. */
void net_clock_set(struct net_clock *clock, int64_t now_ms);
/*
 * From now on it is at least `known_ms` and goes on at its usual speed, so that stored times are
 * never in the future, whatever the system's clock says. It is logged if that is far from it; of
 * who is behind by what it stood still, while others went on, the system's clock is not to blame.
 */
void net_clock_begin_at(struct net_clock *clock, int64_t known_ms);
void net_clock_watch(struct net_clock *clock);
int64_t net_clock_ms(struct net_clock *clock);
/* The same, the monotonic clock being at `read_ms`. */
int64_t net_clock_at(struct net_clock *clock, int64_t read_ms);

/* How far it is ahead of the system's clock, which may have been set since; below 0: behind. */
int64_t net_clock_ahead_ms(struct net_clock *clock);

/* Looks whether the system's clock was set meanwhile, by more than NET_CLOCK_JUMP_MS, and logs it.
 * It changes nothing here. */
void net_clock_look(struct net_clock *clock);
/* The same, the two clocks being there. */
void net_clock_look_at(struct net_clock *clock, int64_t system_ms, int64_t boot_ms);

/* What it said last, which is not later than what it will say: from any thread. */
int64_t net_clock_seen_ms(const struct net_clock *clock);

/* Since the machine was started, with all time in which it or the program did not run. From any
 * thread. */
int64_t net_clock_boot_ms(void);

/* The monotonic clock itself, for measuring. */
int64_t net_clock_monotonic_us(void);

#endif
