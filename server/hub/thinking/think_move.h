/* Moves of computer players that think: each room has at most one question in the queue. */
#ifndef HUB_THINK_MOVE_H
#define HUB_THINK_MOVE_H

struct hub;
struct hub_room;

/* If the room's next move is one to be thought of, and this has not been seen to: queues it. */
void think_move_ask(struct hub *hub, struct hub_room *hub_room);
/* The room's move waits no longer for an answer that is late by now. */
void think_move_late(struct hub *hub, struct hub_room *hub_room);

#endif
