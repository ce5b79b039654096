/*
 * Pending effects: replies, pushes and changes that wait until the events they depend on are
 * durable.
 */
#ifndef HUB_PENDING_H
#define HUB_PENDING_H

#include <stdint.h>

struct blob;
struct hub;
struct hub_room;
struct pending;

/* The pushes of one event, one for each audience where there are several. */
struct pushes {
    uint32_t count;
    struct blob *blobs[];
};

/*
 * Lets it wait for the room's last event; carries it out at once if that is durable, or if there is
 * no room. Takes over its contents. <0: out of memory, and nothing was taken over.
 */
int pending_put(struct hub *hub, const struct hub_room *hub_room, const struct pending *pending);

/* What it waited for is durable: carries it out. */
void pending_release(struct hub *hub, struct pending *pending);
/* What it waited for could not be stored: requests are answered `store_failing`, but for those
 * whose own event is durable. */
void pending_refuse(struct hub *hub, struct pending *pending);
/* Neither: frees what it holds. */
void pending_discard(struct pending *pending);

#endif
