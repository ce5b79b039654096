/*
 * How much of what a lobby's log can hold the sessions of one address, or of one network, may spend
 * together. The room bounds each session (room/budget.h), and knows no address: whoever comes with
 * ten sessions would spend what all strangers have.
 *
 *     first   while there is some of what all strangers have: so much each address and network
 *     late    whatever others have spent: a few each, so that who comes can join and be ready
 *
 * A session's events count for where it came from first, wherever it goes. Where sessions came from
 * that were there before a restart is not known until they come back.
 */
#ifndef HUB_LOBBY_SHARE_H
#define HUB_LOBBY_SHARE_H

#include <room/event.h>
#include <stdbool.h>

struct hub;
struct hub_room;
struct session;

/* Of an address: what a family or a club needs, twice over; and of the widest of its networks. */
enum { LOBBY_SHARE_EVENTS = 80, LOBBY_SHARE_WIDE = 120 };
enum { LOBBY_SHARE_LATE = 6, LOBBY_SHARE_LATE_WIDE = 200 };
enum { LOBBY_SHARE_READY = 4 };

/*
 * May the session add this event to the room? What takes something back always may; and a few
 * `ready` of each.
 */
bool lobby_share_allows(const struct hub *hub, const struct hub_room *hub_room,
                        const struct session *session, const struct room_event *event);

#endif
