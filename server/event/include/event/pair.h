/*
 * Who sits with whom in the next round of an event, from its log and its secret: whoever has both
 * finds the same tables. The secret was committed to before anybody came, and the lots of a round
 * depend on how everybody stands, so neither the director nor the server can choose among them
 * (protocol/events.md).
 */
#ifndef EVENT_PAIR_H
#define EVENT_PAIR_H

#include <event/event.h>

/*
 * The event is running, no round is open, and not all have been played. False: too few are left for
 * a round, or of a Swiss event there is no legal one; or no memory (*memory).
 */
bool event_pair(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                struct event_seating *paired, bool *memory);

/* Are there enough for one? Whether a Swiss event has a legal one is not asked. */
bool event_can_pair(const struct event *event);

#endif
