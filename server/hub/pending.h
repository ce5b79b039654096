/*
 * Effects: what a request or an event does to the outside, once what it depends on is durable.
 */
#ifndef HUB_PENDING_H
#define HUB_PENDING_H

#include <stdint.h>

struct blob;
struct hub;
struct hub_room;
struct pending;

/* The pushes of one event, one for each audience. */
struct pushes {
    uint32_t count;
    struct blob *blobs[];
};

/*
 * Behind the last event of the room that is not durable yet; at once if there is none, or no
 * room. Takes over what is in it. <0: out of memory, and nothing was taken over.
 */
int pending_put(struct hub *hub, const struct hub_room *hub_room, const struct pending *pending);

/* It is durable. */
void pending_release(struct hub *hub, struct pending *pending);
/* It will not be: requests are answered `store_failing`. */
void pending_refuse(struct hub *hub, struct pending *pending);
/* Frees what it holds. */
void pending_discard(struct pending *pending);

void pushes_free(struct pushes *pushes);

#endif
