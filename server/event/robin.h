/* Standings of a round robin, by what server/pairing knows of FIDE's tie-breaks. */
#ifndef EVENT_ROBIN_H
#define EVENT_ROBIN_H

#include <event/standings.h>

/* Of entrants in the order of their numbers, which are sorted. False: no memory. */
bool event_rank_robin(const struct event *event, struct event_standing standings[]);

#endif
