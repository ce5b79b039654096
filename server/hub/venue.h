/*
 * Venues: the hub's side of a room. Which rooms there are, who holds their seats, which are listed,
 * and when they are forgotten.
 *
 * A venue is in memory from its creation (before it is durable) until its room has been archived or
 * dropped by the store, or until its creation could not be stored.
 */
#ifndef HUB_VENUE_H
#define HUB_VENUE_H

#include "hub_state.h"

struct venue *venue_find(const struct hub *hub, const char *id);
/* The one that this session's request of that id has made; NULL: none in memory. */
struct venue *venue_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                               uint64_t *digest);
/* A random id that no venue in memory has, and if the request wants one an invitation code. */
void venue_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code);
/* Takes over the room, which has its first event, on success only. NULL: out of memory. */
struct venue *venue_add(struct hub *hub, struct room *room);
/* Whoever follows it does so no more. No batch may know it. */
void venue_destroy(struct hub *hub, struct venue *venue);
void matches_release(struct hub *hub);

bool venue_is_dirty(const struct venue *venue);

/* After the room has changed, or gone back: seats, host, timer, presence. */
void venue_sync(struct hub *hub, struct venue *venue);
/* After something has become durable: its place among the listed. */
void venue_list(struct hub *hub, struct venue *venue);
/* Venues that are listed, from the one behind `after` ("" for the first). */
size_t venue_listed_after(const struct hub *hub, const char *after);

/* What time does: the room's own events, forgetting. */
void venue_arm_timer(struct hub *hub, struct venue *venue);
void venue_due(struct hub *hub, struct venue *venue);
/* The room's own events that are due; before a request is decided. */
void venue_run_due(struct hub *hub, struct venue *venue);
/* Clocks that ran before `since_ms` go on, without the time in between. */
void venue_resume_clocks(struct hub *hub, struct venue *venue, int64_t since_ms);
/* The store was told to archive or drop it: it has, or has not. */
void venue_dropped(struct hub *hub, struct venue *venue, bool done);

#endif
