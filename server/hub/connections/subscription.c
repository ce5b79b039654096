#include "subscription.h"

#include "conn.h"
#include "hub_private.h"
#include "presence_queue.h"
#include <stdlib.h>

struct subscription *subscription_find(const struct conn *conn, const struct hub_room *hub_room)
{
    struct subscription *subscription = conn->subscriptions;
    while (subscription && subscription->hub_room != hub_room)
        subscription = subscription->conn_next;
    return subscription;
}

static bool is_watcher(const struct hub_room *hub_room, const struct conn *conn)
{
    return room_seat_of(hub_room->room, conn->session->id) == ROOM_NO_SEAT;
}

enum protocol_error subscription_allowed(const struct hub *hub, const struct conn *conn,
                                         const struct hub_room *hub_room, bool player)
{
    if (subscription_find(conn, hub_room))
        return PROTOCOL_OK;
    if (conn->subscription_count >= hub->config.rooms_per_connection)
        return PROTOCOL_TOO_MANY_ROOMS;
    if (!player && is_watcher(hub_room, conn) &&
        hub_room->subscription_count >= hub->config.watchers_per_room)
        return PROTOCOL_TOO_MANY_WATCHERS;
    return PROTOCOL_OK;
}

int64_t subscription_weight(const struct hub_room *hub_room)
{
    enum { AUDIENCE = 100 };
    return 1 + hub_room->subscription_count / AUDIENCE;
}

struct subscription *subscription_start(struct hub *hub, struct conn *conn,
                                        struct hub_room *hub_room, uint64_t seq,
                                        struct subscription *spare)
{
    struct subscription *subscription = subscription_find(conn, hub_room);
    if (subscription) {
        free(spare);
        subscription->seq = seq;
        return subscription;
    }
    *spare = (struct subscription){.conn = conn,
                                   .hub_room = hub_room,
                                   .seq = seq,
                                   .conn_next = conn->subscriptions,
                                   .next = hub_room->subscriptions,
                                   .self = &hub_room->subscriptions};
    if (spare->next)
        spare->next->self = &spare->next;
    hub_room->subscriptions = spare;
    hub_room->subscription_count++;
    conn->subscriptions = spare;
    conn->subscription_count++;
    presence_queue_add(hub, hub_room);
    return spare;
}

void subscription_end(struct hub *hub, struct subscription *subscription)
{
    struct hub_room *hub_room = subscription->hub_room;
    struct conn *conn = subscription->conn;
    struct subscription **link = &conn->subscriptions;
    while (*link != subscription)
        link = &(*link)->conn_next;
    *link = subscription->conn_next;
    conn->subscription_count--;
    *subscription->self = subscription->next;
    if (subscription->next)
        subscription->next->self = subscription->self;
    hub_room->subscription_count--;
    free(subscription);
    if (hub_room->subscription_count == 0)
        hub_room->unsubscribed_ms = hub->now_ms;
    conn->active_ms = hub->now_ms; /* idling begins now */
    presence_queue_add(hub, hub_room);
}
