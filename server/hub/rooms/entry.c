#include "entry.h"

#include "connections/conn.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "presence.h"
#include "sessions/session.h"
#include "timer.h"
#include "waiting/batch.h"

void entry_begin(struct hub *hub, int64_t now_ms)
{
    if (now_ms > hub->now_ms)
        hub->now_ms = now_ms;
    batch_keep_nothing(hub->commit.filling);
}

void entry_detach(struct hub *hub, struct conn *conn)
{
    while (conn->subscriptions)
        subscription_end(hub, conn->subscriptions);
    if (conn->session)
        session_detach(hub, conn);
    timer_disarm(&hub->timers, &conn->timer);
}

void entry_send_back(struct hub *hub, struct conn *conn)
{
    entry_detach(hub, conn);
    conn->active_ms = hub->now_ms;
    if (conn->state == CONN_OPEN)
        conn_arm_timer(hub, conn);
}

void entry_end(struct hub *hub)
{
    while (hub->conns.marked || hub->presence_queue.first) {
        presence_update_all(hub);
        while (hub->conns.marked) {
            struct conn *conn = hub->conns.marked;
            hub->conns.marked = conn->marked_next;
            entry_detach(hub, conn);
        }
    }
    sessions_end_unused(hub);
}
