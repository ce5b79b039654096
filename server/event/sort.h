/* Standings in the order of points and of the first `ties` of what decides among equals. */
#ifndef EVENT_SORT_H
#define EVENT_SORT_H

#include <event/standings.h>

bool event_standings_equal(const struct event_standing *one, const struct event_standing *other,
                           unsigned ties);
/* Equals by their numbers. */
void event_sort_standings(struct event_standing standings[], unsigned count, unsigned ties);
/* Of sorted ones: who is equal in all shares a place. */
void event_set_places(struct event_standing standings[], unsigned count);

#endif
