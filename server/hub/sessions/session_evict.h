/*
 * Which session goes when there are as many as there may be and somebody new comes: a visitor, or
 * else, of those that nobody uses and that have had a seat, the cheapest. It is from where most
 * come; there it is one that has never come back on another day, and of which features keep
 * nothing; of these the one that has been away longest.
 */
#ifndef HUB_SESSION_EVICT_H
#define HUB_SESSION_EVICT_H

#include <stdbool.h>

struct hub;

/* Is there space for one more session, or is there now? Looks at all of them if need be. */
bool sessions_make_room(struct hub *hub);

#endif
