/*
 * Who follows which room, and what followers are told of each other.
 *
 * Presence is what only the running server knows: it is told when it changes, at the end of the
 * call that changed it, and is neither kept nor repeated. The number of watchers alone is told at
 * most once a second, so that a crowd that comes does not cost its square.
 */
#ifndef HUB_FOLLOW_H
#define HUB_FOLLOW_H

#include "hub_state.h"

struct follow *follow_find(const struct conn *conn, const struct hub_room *hub_room);

/* May this connection follow one room more, and this room have one follower more? A player may.
 */
enum protocol_error follow_allowed(const struct hub *hub, const struct conn *conn,
                                   const struct hub_room *hub_room, bool player);

/* From `seq` on. `spare` is taken over: used, or freed if the connection follows already. */
struct follow *follow_start(struct hub *hub, struct conn *conn, struct hub_room *hub_room,
                            uint64_t seq, struct follow *spare);
void follow_end(struct hub *hub, struct follow *follow);

/* The presence of this room is to be looked at, by presence_settle. */
void presence_unsettle(struct hub *hub, struct hub_room *hub_room);
void presence_settle(struct hub *hub);
/* The member `online` of a view: every player's seat. */
void presence_write(const struct hub_room *hub_room, struct writer *writer);
/* Its timer has fired. */
void presence_due(struct hub *hub, struct hub_room *hub_room);

/* To everybody who follows. */
void hub_room_send(struct hub *hub, struct hub_room *hub_room, struct blob *blob);
void hub_room_notice(struct hub *hub, struct hub_room *hub_room, enum protocol_notice notice);
void conn_notice(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                 const struct hub_room *hub_room);

#endif
