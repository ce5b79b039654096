#include "damaged.h"

#include "hub_private.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool damaged_has(const struct hub *hub, const char *id)
{
    const struct damaged_room *room = hub->damaged.first;
    while (room && strcmp(room->id, id) != 0)
        room = room->next;
    return room;
}

int damaged_add(struct hub *hub, const char *id, const char *why)
{
    if (damaged_has(hub, id))
        return 0;
    struct damaged_room *room = malloc(sizeof *room);
    if (!room)
        return -1;
    snprintf(room->id, sizeof room->id, "%s", id);
    snprintf(room->why, sizeof room->why, "%s", why);
    room->next = hub->damaged.first;
    hub->damaged.first = room;
    hub->damaged.count++;
    return 0;
}

void damaged_release(struct hub *hub)
{
    while (hub->damaged.first) {
        struct damaged_room *room = hub->damaged.first;
        hub->damaged.first = room->next;
        free(room);
    }
}

size_t hub_damaged(const struct hub *hub)
{
    return hub->damaged.count;
}

bool hub_damaged_at(const struct hub *hub, size_t at, const char **id, const char **why)
{
    const struct damaged_room *room = hub->damaged.first;
    while (room && at-- > 0)
        room = room->next;
    if (room) {
        *id = room->id;
        *why = room->why;
    }
    return room;
}
