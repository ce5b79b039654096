#include <net/clock.h>
#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void net_clock_init(struct net_clock *clock)
{
    clock->offset_ms = (read_us(CLOCK_REALTIME) - read_us(CLOCK_MONOTONIC)) / 1000;
}

int64_t net_clock_ms(const struct net_clock *clock)
{
    return clock->offset_ms + read_us(CLOCK_MONOTONIC) / 1000;
}

int64_t net_clock_monotonic_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}
