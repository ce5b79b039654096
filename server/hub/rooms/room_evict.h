/*
 * Which room goes when there are as many as may be and somebody makes another one: of the network
 * that has made most rooms, and only if that has made more than whoever comes. Its lobbies go
 * first, then matches, those in which no two people have moved before others. A match of people of
 * several networks goes only if very many were made there.
 */
#ifndef HUB_ROOM_EVICT_H
#define HUB_ROOM_EVICT_H

#include "limits/origin.h"
#include <stdbool.h>

struct hub;
struct hub_room;

/* NULL: none, or none that has to. `spare` may be NULL. Looks at all. */
struct hub_room *room_find_cheapest(const struct hub *hub, const struct origin *newcomer,
                                    const struct hub_room *spare);

/*
 * What was fetched from the store to be watched: the match that ended first. Whoever looks at
 * finished matches, which costs an address nothing, is not to keep others from a table. NULL: there
 * is none.
 */
struct hub_room *room_find_watched(const struct hub *hub, const struct hub_room *spare);

#endif
