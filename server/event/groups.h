/*
 * Correspondence: everybody meets everybody of a group, all at once, and who is first in each goes
 * on, until there is one group. A stage of it is one round of the event; the groups follow from its
 * tables, as all who are in one meet.
 */
#ifndef EVENT_GROUPS_H
#define EVENT_GROUPS_H

#include <event/standings.h>

bool event_groups_can_pair(const struct event *event);
void event_pair_groups(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                       struct event_seating *paired);
/* Are these tables of two entrants each a stage, as far as that is known without the secret? */
bool event_groups_may_pair(const struct event *event, const struct event_seating *paired);

/* Standings of entrants in the order of their numbers, which are sorted. */
void event_rank_groups(const struct event *event, struct event_standing standings[]);

#endif
