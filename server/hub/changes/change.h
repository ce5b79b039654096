/*
 * Changes of a room: apply an event, queue it for the store, and let its pushes wait for that.
 */
#ifndef HUB_CHANGE_H
#define HUB_CHANGE_H

#include <protocol/error.h>
#include <stddef.h>

struct hub;
struct hub_room;
struct room_event;

/*
 * An event that the room has decided, with nothing applied in between. Reserves `pending_more`
 * places for effects that the caller lets wait behind it. <0: out of memory, and nothing has
 * changed.
 */
int change_apply(struct hub *hub, struct hub_room *hub_room, const struct room_event *event,
                 size_t pending_more);

/* May rooms change at present? PROTOCOL_OK, or why not. */
enum protocol_error change_allowed(const struct hub *hub, size_t ops);

#endif
