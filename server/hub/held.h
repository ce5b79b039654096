/*
 * Effects: what a request or an event does to the outside, once what it depends on is durable.
 */
#ifndef HUB_HELD_H
#define HUB_HELD_H

#include "hub_state.h"

/*
 * Behind the last event of the room that is not durable yet; at once if there is none, or no
 * room. Takes over what is in it. <0: out of memory, and nothing was taken over.
 */
int held_put(struct hub *hub, const struct hub_room *hub_room, const struct held *held);

/* It is durable. */
void held_release(struct hub *hub, struct held *held);
/* It will not be: requests are answered `store_failing`. */
void held_refuse(struct hub *hub, struct held *held);
/* Frees what it holds. */
void held_discard(struct held *held);

void pushes_free(struct pushes *pushes);

#endif
