/*
 * The open loop's metronome: calls back for every move that has fallen due, with the time at which
 * it was due.
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

/* Beats from now on, `per_s` times a second, until the loop ends. Negative: the system would not.
 */
int pace_start(struct pace *pace, uv_loop_t *loop, double per_s,
               void (*due)(void *ctx, uint64_t due_us), void *ctx);

#endif
