/*
 * One seat's clock, a plain value: what is left, what a stretch of time takes, what the end of a
 * turn gives back. Time is an argument.
 *
 *     move, days   left_ms begins anew with every turn
 *     fischer      left_ms is the bank; a turn that ends adds the increment
 *     byoyomi      left_ms is the bank, then what is left of the period; `periods` are those not
 *                  begun yet; a turn that ends inside a period gives that period back
 *     none         no time is kept
 */
#ifndef ROOM_CLOCK_H
#define ROOM_CLOCK_H

#include <protocol/terms.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    /* The least time on the clock of a player who comes back after it ran out. */
    CLOCK_RETURN_MS = 30000,
};

struct seat_clock {
    int64_t left_ms;
    uint32_t periods;
    uint32_t late_ms; /* passed since it came to 0: the grace is given once a turn */
};

void clock_begin(struct seat_clock *clock, const struct protocol_clock *kind);
void clock_charge(struct seat_clock *clock, const struct protocol_clock *kind, int64_t ms);
void clock_turn_over(struct seat_clock *clock, const struct protocol_clock *kind);
void clock_return(struct seat_clock *clock, const struct protocol_clock *kind);

/* How long until the flag falls, `grace_ms` after it comes to 0; INT64_MAX with kind none. */
int64_t clock_flag_ms(const struct seat_clock *clock, const struct protocol_clock *kind,
                      int64_t grace_ms);

#endif
