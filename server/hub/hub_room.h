/*
 * Rooms: the hub's side of a room. Which rooms there are, who holds their seats, which are listed,
 * and when they are forgotten.
 *
 * A room is in memory from its creation (before it is durable) until its room has been archived or
 * dropped by the store, or until its creation could not be stored.
 */
#ifndef HUB_ROOM_H
#define HUB_ROOM_H

#include "hub_state.h"

struct hub_room *hub_room_find(const struct hub *hub, const char *id);
/* The one that this session's request of that id has made; NULL: none in memory. */
struct hub_room *hub_room_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                                     uint64_t *digest);
/* A random id that no room in memory has, and if the request wants one an invitation code. */
void hub_room_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code);
/* Takes over the room, which has its first event, on success only. NULL: out of memory. */
struct hub_room *hub_room_add(struct hub *hub, struct room *room);
/* Ends all subscriptions to it. No batch may know it. */
void hub_room_destroy(struct hub *hub, struct hub_room *hub_room);
void matches_release(struct hub *hub);

bool hub_room_is_dirty(const struct hub_room *hub_room);

/* After the room has changed, or gone back: seats, host, timer, presence. */
void hub_room_sync(struct hub *hub, struct hub_room *hub_room);
/* After something has become durable: its place among the listed. */
void hub_room_list(struct hub *hub, struct hub_room *hub_room);
/* Rooms that are listed, from the one behind `after` ("" for the first). */
size_t hub_room_listed_after(const struct hub *hub, const char *after);

/* What time does: the room's own events, forgetting. */
void hub_room_arm_timer(struct hub *hub, struct hub_room *hub_room);
void hub_room_due(struct hub *hub, struct hub_room *hub_room);
/* The room's own events that are due; before a request is decided. */
void hub_room_run_due(struct hub *hub, struct hub_room *hub_room);
/* Clocks that ran before `since_ms` go on, without the time in between. */
void hub_room_resume_clocks(struct hub *hub, struct hub_room *hub_room, int64_t since_ms);
/* The store was told to archive or drop it: it has, or has not. */
void hub_room_dropped(struct hub *hub, struct hub_room *hub_room, bool done);

#endif
