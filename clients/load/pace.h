/*
 * The timer of the open loop: calls back for every move that is due, with the time at which it was
 * due.
 *
 * On a timerfd, not a loop timer: those tick in whole milliseconds, which is as long as the
 * latencies to be measured.
 */
#ifndef LOAD_PACE_H
#define LOAD_PACE_H

#include <stdint.h>
#include <uv.h>

struct pace {
    uv_poll_t poll;
    int fd;
    uint64_t start_us, count;
    double interval_us;
    void (*due)(void *ctx, uint64_t due_us);
    void *ctx;
};

/*
 * Calls back `per_s` times a second from now on, until the loop ends. Negative: the system has no
 * timer.
 */
int pace_start(struct pace *pace, uv_loop_t *loop, double per_s,
               void (*due)(void *ctx, uint64_t due_us), void *ctx);

#endif
