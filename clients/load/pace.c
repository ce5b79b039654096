#include "pace.h"

#include <sys/timerfd.h>
#include <unistd.h>

static uint64_t next_us(const struct pace *pace)
{
    return pace->start_us + (uint64_t)((double)pace->count * pace->interval_us);
}

static void wait_for_next(struct pace *pace)
{
    const uint64_t at_us = next_us(pace);
    const struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at_us / 1000000),
                     .tv_nsec = (long)(at_us % 1000000) * 1000},
    };
    (void)timerfd_settime(pace->fd, TFD_TIMER_ABSTIME, &when, NULL);
}

static void on_beat(uv_poll_t *poll, int status, int events)
{
    struct pace *pace = poll->data;
    uint64_t expirations;
    (void)status;
    (void)events;
    if (read(pace->fd, &expirations, sizeof expirations) < 0) {
        return; /* a spurious wake-up */
    }
    while (next_us(pace) <= uv_hrtime() / 1000) {
        const uint64_t due_us = next_us(pace);
        pace->count++;
        pace->due(pace->ctx, due_us);
    }
    wait_for_next(pace);
}

int pace_start(struct pace *pace, uv_loop_t *loop, double per_s,
               void (*due)(void *ctx, uint64_t due_us), void *ctx)
{
    *pace = (struct pace){
        .fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
        .start_us = uv_hrtime() / 1000,
        .interval_us = 1e6 / per_s,
        .due = due,
        .ctx = ctx,
    };
    if (pace->fd < 0 || uv_poll_init(loop, &pace->poll, pace->fd) != 0)
        return -1;
    pace->poll.data = pace;
    wait_for_next(pace);
    return uv_poll_start(&pace->poll, UV_READABLE, on_beat);
}
