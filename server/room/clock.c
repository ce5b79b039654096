#include "clock.h"

#include <assert.h>

enum { SECOND_MS = 1000 };
static const int64_t day_ms = INT64_C(24) * 3600 * SECOND_MS;

/* What a clock shows at the start of a match. */
static int64_t full_ms(const struct protocol_clock *kind)
{
    switch (kind->kind) {
    case PROTOCOL_CLOCK_NONE:
        return 0;
    case PROTOCOL_CLOCK_MOVE:
        return (int64_t)kind->move_s * SECOND_MS;
    case PROTOCOL_CLOCK_FISCHER:
    case PROTOCOL_CLOCK_BYOYOMI:
        return (int64_t)kind->bank_s * SECOND_MS;
    case PROTOCOL_CLOCK_DAYS:
        return (int64_t)kind->days * day_ms;
    case PROTOCOL_CLOCK_KIND_COUNT:
        break;
    }
    assert(false && "no such clock");
    return 0;
}

static bool in_period(const struct seat_clock *clock, const struct protocol_clock *kind)
{
    return clock->periods < kind->periods;
}

void clock_begin(struct seat_clock *clock, const struct protocol_clock *kind)
{
    clock->left_ms = full_ms(kind);
    clock->late_ms = 0;
    clock->periods = kind->kind == PROTOCOL_CLOCK_BYOYOMI ? kind->periods : 0;
    clock_charge(clock, kind, 0);
}

void clock_charge(struct seat_clock *clock, const struct protocol_clock *kind, int64_t ms)
{
    assert(ms >= 0);
    if (kind->kind == PROTOCOL_CLOCK_NONE)
        return;
    while (ms >= clock->left_ms && clock->periods > 0) {
        ms -= clock->left_ms;
        clock->left_ms = (int64_t)kind->period_s * SECOND_MS;
        clock->periods--;
    }
    int64_t late_ms = ms - clock->left_ms;
    if (late_ms <= 0) {
        clock->left_ms -= ms;
        return;
    }
    clock->left_ms = 0;
    late_ms += clock->late_ms;
    clock->late_ms = late_ms < UINT32_MAX ? (uint32_t)late_ms : UINT32_MAX;
}

void clock_turn_over(struct seat_clock *clock, const struct protocol_clock *kind)
{
    clock->late_ms = 0;
    switch (kind->kind) {
    case PROTOCOL_CLOCK_NONE:
        return;
    case PROTOCOL_CLOCK_MOVE:
    case PROTOCOL_CLOCK_DAYS:
        clock->left_ms = full_ms(kind);
        return;
    case PROTOCOL_CLOCK_FISCHER:
        clock->left_ms += (int64_t)kind->increment_s * SECOND_MS;
        return;
    case PROTOCOL_CLOCK_BYOYOMI:
        if (in_period(clock, kind))
            clock->left_ms = (int64_t)kind->period_s * SECOND_MS;
        return;
    case PROTOCOL_CLOCK_KIND_COUNT:
        break;
    }
    assert(false && "no such clock");
}

void clock_return(struct seat_clock *clock, const struct protocol_clock *kind)
{
    clock->late_ms = 0;
    if (kind->kind != PROTOCOL_CLOCK_NONE && clock->left_ms < CLOCK_RETURN_MS)
        clock->left_ms = CLOCK_RETURN_MS;
}

int64_t clock_flag_ms(const struct seat_clock *clock, const struct protocol_clock *kind,
                      int64_t grace_ms)
{
    if (kind->kind == PROTOCOL_CLOCK_NONE)
        return INT64_MAX;
    int64_t left_ms = clock->left_ms + (int64_t)clock->periods * kind->period_s * SECOND_MS;
    return left_ms + grace_ms - clock->late_ms;
}
