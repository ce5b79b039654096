#include "catch_up.h"

#include "connections/conn.h"
#include "connections/left_out.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "presence.h"
#include "sessions/notice.h"

enum { TOLD_SHARE = 16 }; /* told when no more than one sixteenth of an outbox is unsent */

static void tell_of_room(struct hub *hub, struct subscription *subscription)
{
    const uint8_t marks = subscription->left_out;
    struct conn *conn = subscription->conn;
    subscription->left_out = 0;
    if (marks & left_out_mark(LEFT_OUT_PRESENCE))
        presence_tell(hub, subscription->hub_room, conn);
    if (marks & left_out_mark(LEFT_OUT_STORE_NOTICE))
        notice_to_conn(hub, conn,
                       hub->commit.failing ? PROTOCOL_NOTICE_STORE_FAILING
                                           : PROTOCOL_NOTICE_STORE_RECOVERED,
                       subscription->hub_room);
    if (marks & (left_out_mark(LEFT_OUT_WATCHERS_LINE) | left_out_mark(LEFT_OUT_LINE) |
                 left_out_mark(LEFT_OUT_NOTICE)))
        notice_to_conn(hub, conn, PROTOCOL_NOTICE_LEFT_OUT, subscription->hub_room);
}

void catch_up(struct hub *hub, struct conn *conn)
{
    if (!conn->left_out || !left_out_has_place(hub, conn, TOLD_SHARE))
        return;
    conn->left_out = false;
    for (struct subscription *subscription = conn->subscriptions; subscription;
         subscription = subscription->conn_next)
        tell_of_room(hub, subscription);
    if (!conn->notices_left_out)
        return;
    conn->notices_left_out = false;
    if (hub->draining)
        notice_to_conn(hub, conn, PROTOCOL_NOTICE_DRAINING, NULL);
    notice_to_conn(hub, conn, PROTOCOL_NOTICE_LEFT_OUT, NULL);
}
