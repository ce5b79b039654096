/*
 * Rooms that are opened, by whoever asks for one or by a plan: their first events go into the batch
 * that fills.
 */
#ifndef HUB_ROOM_OPEN_H
#define HUB_ROOM_OPEN_H

#include <hub/kernel_room.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batch_mark;
struct hub;
struct hub_room;
struct refusal;
struct room;
struct room_event;

/*
 * The room and its first event, for which two operations, a room and the text have been reserved.
 * `share`: of the address that it counts for; 0: of none. NULL: no memory, and the room is still
 * the caller's.
 */
struct hub_room *room_open(struct hub *hub, struct room *room, uint16_t share);
/* It is nobody's any more, and what went into the batch since the mark is taken back. */
void room_open_undo(struct hub *hub, struct hub_room *hub_room, struct batch_mark mark);
/*
 * Seats for those who have not asked for them here: `next` makes the event of one, its text in the
 * hub's scratch, until there is none (false). The seat of who is being dropped stays free. All has
 * been reserved. <0: no memory, and the room is to be undone.
 */
typedef bool room_open_next(struct hub *hub, const struct hub_room *hub_room, void *ctx,
                            struct room_event *event);
int room_open_seat(struct hub *hub, struct hub_room *hub_room, room_open_next *next, void *ctx);

/*
 * A room by a plan (hub/kernel_room.h) in two steps. Check: what it would be; `id` is that of the
 * request, by which a repeat is known, or REQUEST_NO_ID. NULL: *refusal says why. Change: opens it,
 * for an address (`share`, as room_open) and with place for so many pending effects of the
 * caller's; takes the room over. NULL: no memory, nothing has changed.
 */
struct room *room_plan(struct hub *hub, const struct kernel_room_plan *plan, int64_t id,
                       struct refusal *refusal);
struct hub_room *room_open_made(struct hub *hub, const struct kernel_room_plan *plan,
                                struct room *room, uint16_t share, size_t effects);

/* A room by a plan, of nobody's request, see hub/kernel_room.h. NULL: *refusal says why, and
 * nothing has changed. */
struct hub_room *room_open_planned(struct hub *hub, const struct kernel_room_plan *plan,
                                   struct refusal *refusal);

#endif
