/*
 * Subscriptions: which connections get the pushes of which rooms.
 */
#ifndef HUB_SUBSCRIPTION_H
#define HUB_SUBSCRIPTION_H

#include <protocol/error.h>
#include <stdbool.h>
#include <stdint.h>

struct conn;
struct hub;
struct hub_room;

/* One connection's subscription to one room. */
struct subscription {
    struct conn *conn;
    struct hub_room *hub_room;
    uint64_t seq;     /* the last push that is in its outbox, or was */
    uint8_t left_out; /* set of enum left_out that was, and is to be told */
    struct subscription *conn_next;
    struct subscription *next, **self; /* in room->subscriptions */
};

struct subscription *subscription_find(const struct conn *conn, const struct hub_room *hub_room);

/*
 * May this connection subscribe to one room more, and this room have one subscriber more? Players
 * may always subscribe; `player`: it is about to become one.
 */
enum protocol_error subscription_allowed(const struct hub *hub, const struct conn *conn,
                                         const struct hub_room *hub_room, bool player);

/* What is sent to all subscribers costs so many times as much: the more there are the more seldom
 * watchers speak, and their number is told. */
int64_t subscription_weight(const struct hub_room *hub_room);

/* From `seq` on. `spare` is taken over: used, or freed if the connection is subscribed already. */
struct subscription *subscription_start(struct hub *hub, struct conn *conn,
                                        struct hub_room *hub_room, uint64_t seq,
                                        struct subscription *spare);
void subscription_end(struct hub *hub, struct subscription *subscription);

#endif
