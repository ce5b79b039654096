#include "presence_queue.h"

#include "hub_private.h"

void presence_queue_add(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->presence_queued)
        return;
    hub_room->presence_queued = true;
    hub_room->presence_next = hub->presence_queue.first;
    hub->presence_queue.first = hub_room;
}

void presence_queue_remove(struct hub *hub, struct hub_room *hub_room)
{
    struct hub_room **link = &hub->presence_queue.first;
    if (!hub_room->presence_queued)
        return;
    while (*link != hub_room)
        link = &(*link)->presence_next;
    *link = hub_room->presence_next;
    hub_room->presence_queued = false;
}

struct hub_room *presence_queue_pop(struct hub *hub)
{
    struct hub_room *hub_room = hub->presence_queue.first;
    if (!hub_room)
        return NULL;
    hub->presence_queue.first = hub_room->presence_next;
    hub_room->presence_queued = false;
    return hub_room;
}
