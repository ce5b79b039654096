/*
 * A Swiss event: its rounds are paired by FIDE's Dutch system (pairing/dutch.h), to which the event
 * is handed as that system knows one, with numbers of its own.
 */
#ifndef EVENT_SWISS_H
#define EVENT_SWISS_H

#include <event/standings.h>

/* False: too few are left, or nobody is whom anybody may meet; or no memory (*memory). */
bool event_pair_swiss(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                      struct event_seating *paired, bool *memory);

/* Of entrants in the order of their numbers, which are sorted. False: no memory. */
bool event_rank_swiss(const struct event *event, struct event_standing standings[]);

#endif
