/*
 * Which session goes when there are as many as there may be and somebody new comes: of those that
 * nobody uses and that have had a seat, as visitors have gone already.
 */
#ifndef HUB_SESSION_EVICT_H
#define HUB_SESSION_EVICT_H

struct hub;
struct session;

/*
 * The cheapest: from where most come; there one that has never come back on another day, and has
 * one device; of these the one that has been away longest. NULL: there is none. Looks at all.
 */
struct session *session_find_cheapest(const struct hub *hub);
/* The next of the queue that is as cheap as that one; NULL: none. */
struct session *session_next_as_cheap(const struct hub *hub, const struct session *session);

#endif
