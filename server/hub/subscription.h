/*
 * Who is subscribed to which room, and what subscribers are told of each other.
 *
 * Presence is what only the running server knows: it is told when it changes, at the end of the
 * call that changed it, and is neither kept nor repeated. The number of watchers alone is told at
 * most once a second, so that a crowd that comes does not cost its square.
 */
#ifndef HUB_SUBSCRIPTION_H
#define HUB_SUBSCRIPTION_H

#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stdint.h>

struct blob;
struct conn;
struct hub;
struct hub_room;

/* One connection's subscription to one room. */
struct subscription {
    struct conn *conn;
    struct hub_room *hub_room;
    uint64_t seq; /* the last push that is in its outbox, or was */
    struct subscription *conn_next;
    struct subscription *next, **self; /* in room->subscriptions */
};

struct subscription *subscription_find(const struct conn *conn, const struct hub_room *hub_room);

/* May this connection subscribe to one room more, and this room have one subscriber more? A player
 * may.
 */
enum protocol_error subscription_allowed(const struct hub *hub, const struct conn *conn,
                                         const struct hub_room *hub_room, bool player);

/* From `seq` on. `spare` is taken over: used, or freed if the connection is subscribed already. */
struct subscription *subscription_start(struct hub *hub, struct conn *conn,
                                        struct hub_room *hub_room, uint64_t seq,
                                        struct subscription *spare);
void subscription_end(struct hub *hub, struct subscription *subscription);

/* The presence of this room is to be looked at, by presence_settle. */
void presence_unsettle(struct hub *hub, struct hub_room *hub_room);
void presence_settle(struct hub *hub);
/* The member `online` of a view: every player's seat. */
void presence_write(const struct hub_room *hub_room, struct writer *writer);
/* Its timer has fired. */
void presence_due(struct hub *hub, struct hub_room *hub_room);

/* To every subscriber. */
void hub_room_send(struct hub *hub, struct hub_room *hub_room, struct blob *blob);
void hub_room_notice(struct hub *hub, struct hub_room *hub_room, enum protocol_notice notice);
void conn_notice(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                 const struct hub_room *hub_room);

#endif
