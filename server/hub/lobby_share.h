/*
 * How much of what a lobby's log can hold the sessions of one address may spend together. The room
 * bounds each session (room/budget.h), and knows no address; whoever comes with ten sessions would
 * spend what all strangers have.
 */
#ifndef HUB_LOBBY_SHARE_H
#define HUB_LOBBY_SHARE_H

#include <room/event.h>
#include <stdbool.h>

struct hub;
struct hub_room;
struct session;

/* Of the 160 events of all who are not the host: what a family or a club needs, twice over. */
enum { LOBBY_SHARE_EVENTS = 80, LOBBY_SHARE_READY = 4 };

/*
 * May the session add this event to the room? What takes something back always may; and a few
 * `ready` of each.
 */
bool lobby_share_allows(const struct hub *hub, const struct hub_room *hub_room,
                        const struct session *session, const struct room_event *event);

#endif
