#include <net/clock.h>

#include <net/log.h>
#include <stdatomic.h>
#include <time.h>

/* So long is a server seldom down; more likely its clock was wrong, or is. */
#define DAY_MS        INT64_C(86400000)
#define LONG_PAUSE_MS (30 * DAY_MS)

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void net_clock_init(struct net_clock *clock)
{
    *clock = (struct net_clock){.offset_ms =
                                    (read_us(CLOCK_REALTIME) - read_us(CLOCK_MONOTONIC)) / 1000};
}

void net_clock_set(struct net_clock *clock, int64_t now_ms)
{
    clock->offset_ms += now_ms - net_clock_ms(clock);
    (void)net_clock_ms(clock);
}

/* What was left out here went on elsewhere. */
static bool make_up(struct net_clock *clock, int64_t ms)
{
    const bool stood_still = ms <= clock->behind_ms + NET_CLOCK_PULSE_MS;
    clock->behind_ms = ms < clock->behind_ms ? clock->behind_ms - ms : 0;
    return stood_still;
}

void net_clock_begin_at(struct net_clock *clock, int64_t known_ms)
{
    int64_t ahead_ms = known_ms - net_clock_ms(clock);
    if (known_ms > 0 && ahead_ms <= -LONG_PAUSE_MS)
        log_number(LOG_WARN, "clock_far_ahead_of_store", "days", -ahead_ms / DAY_MS);
    if (ahead_ms <= 0)
        return;
    clock->offset_ms += ahead_ms;
    if (make_up(clock, ahead_ms))
        log_number(LOG_INFO, "clock_made_up", "ms", ahead_ms);
    else
        log_number(LOG_WARN, "clock_behind_store", "ms", ahead_ms);
}

void net_clock_watch(struct net_clock *clock)
{
    clock->read_ms = read_us(CLOCK_MONOTONIC) / 1000;
    clock->watched = true;
}

static void leave_out(struct net_clock *clock, int64_t lost_ms)
{
    clock->offset_ms -= lost_ms;
    clock->lost_ms += lost_ms;
    clock->behind_ms += lost_ms;
    log_number(LOG_WARN, "stood_still", "ms", lost_ms);
}

int64_t net_clock_at(struct net_clock *clock, int64_t read_ms)
{
    int64_t gap_ms = read_ms - clock->read_ms;
    if (clock->watched && gap_ms > 2 * NET_CLOCK_PULSE_MS)
        leave_out(clock, gap_ms - NET_CLOCK_PULSE_MS);
    clock->read_ms = read_ms;
    const int64_t now_ms = clock->offset_ms + read_ms;
    atomic_store_explicit(&clock->seen_ms, now_ms, memory_order_relaxed);
    return now_ms;
}

int64_t net_clock_seen_ms(const struct net_clock *clock)
{
    return atomic_load_explicit(&clock->seen_ms, memory_order_relaxed);
}

int64_t net_clock_ms(struct net_clock *clock)
{
    return net_clock_at(clock, read_us(CLOCK_MONOTONIC) / 1000);
}

int64_t net_clock_ahead_ms(struct net_clock *clock)
{
    return net_clock_ms(clock) - read_us(CLOCK_REALTIME) / 1000;
}

void net_clock_look_at(struct net_clock *clock, int64_t system_ms, int64_t boot_ms)
{
    const int64_t jumped_ms = system_ms - boot_ms - clock->system_ms;
    const bool jumped = jumped_ms > NET_CLOCK_JUMP_MS || jumped_ms < -NET_CLOCK_JUMP_MS;
    const bool known = clock->system_known;
    clock->system_known = true;
    clock->system_ms = system_ms - boot_ms;
    if (!known || !jumped)
        return;
    clock->jumps++;
    clock->jumped_ms = jumped_ms;
    log_number(LOG_WARN, "clock_jumped", "ms", jumped_ms);
}

void net_clock_look(struct net_clock *clock)
{
    net_clock_look_at(clock, read_us(CLOCK_REALTIME) / 1000, read_us(CLOCK_BOOTTIME) / 1000);
}

int64_t net_clock_boot_ms(void)
{
    return read_us(CLOCK_BOOTTIME) / 1000;
}

int64_t net_clock_monotonic_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}
