/*
 * The rooms whose presence may have changed. A change only puts the room into this queue;
 * presence.c takes it out at the end of the call from outside, so that one call sends at most one
 * push of presence for each room.
 */
#ifndef HUB_PRESENCE_QUEUE_H
#define HUB_PRESENCE_QUEUE_H

struct hub;
struct hub_room;

struct presence_queue {
    struct hub_room *first;
};

/* No effect if it is in the queue already. */
void presence_queue_add(struct hub *hub, struct hub_room *hub_room);
/* No effect if it is not in the queue. */
void presence_queue_remove(struct hub *hub, struct hub_room *hub_room);
/* NULL: the queue is empty. */
struct hub_room *presence_queue_pop(struct hub *hub);

#endif
