/*
 * What happens to a room because time has passed: its own events (turn clock, time-out, computer
 * player), and that it is forgotten when nobody is subscribed.
 */
#ifndef HUB_ROOM_CLOCK_H
#define HUB_ROOM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct hub;
struct hub_room;
struct origin;

/* The room's timer has fired. */
void room_clock_fired(struct hub *hub, struct hub_room *hub_room);
/* The room's own event that is due, if any; before a request is decided. */
void room_clock_run(struct hub *hub, struct hub_room *hub_room);
/* Clocks that ran before `since_ms` continue, without the time in between. */
void room_clock_resume(struct hub *hub, struct hub_room *hub_room, int64_t since_ms);
void room_clock_resume_all(struct hub *hub, int64_t since_ms);
/*
 * It is to leave memory: what is over is archived, a lobby is dropped. False: there is no space in
 * the batch, or no memory.
 */
bool room_clock_forget(struct hub *hub, struct hub_room *hub_room);

/*
 * Is there space for one more room? If there is little, evicts the oldest that is over and
 * unwatched, or that is a lobby in which nobody sits; but not `spare`, which may be NULL. If there
 * is none of these, what was fetched from the store to be watched; and if it is a newcomer who
 * makes it, the cheapest (room_evict.h). False: all rooms are in use.
 */
bool rooms_make_place(struct hub *hub, const struct hub_room *spare, const struct origin *newcomer);
/* For a match that is over, to be looked at: not where only the last places are left. */
bool rooms_make_place_to_read(struct hub *hub);

#endif
