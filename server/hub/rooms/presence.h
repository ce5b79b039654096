/*
 * Presence: which players are connected to a room, and how many watch it.
 *
 * Only the running server knows it. It is pushed when it changes, at the end of the call that
 * changed it, and is neither stored nor repeated. A change of the number of watchers alone is
 * pushed at most once a second, so that many watchers who come together do not
 * each cause a push to all the others.
 */
#ifndef HUB_PRESENCE_H
#define HUB_PRESENCE_H

#include <protocol/json_writer.h>

struct conn;
struct hub;
struct hub_room;

/* Of every room in the presence queue: reports to the room, pushes to the subscribers. */
void presence_update_all(struct hub *hub);
/* As it was pushed last, all of it, to one who has missed some. */
void presence_tell(struct hub *hub, const struct hub_room *hub_room, struct conn *conn);
/* The same as it is now, to one who has just come. */
void presence_tell_now(struct hub *hub, const struct hub_room *hub_room, struct conn *conn);
/* The members `online` and `away` of a view: every player's seat. */
void presence_write(const struct hub_room *hub_room, struct writer *writer);

#endif
