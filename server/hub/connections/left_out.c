#include "left_out.h"

#include "conn.h"
#include "feature_table.h"
#include "hub_private.h"
#include "subscription.h"

/* More unsent than this part of what there may be, and it is left out. */
static int64_t share_of(enum left_out what)
{
    switch (what) {
    case LEFT_OUT_WATCHERS_LINE:
        return 8;
    case LEFT_OUT_LINE:
    case LEFT_OUT_PRESENCE:
        return 4;
    case LEFT_OUT_STORE_NOTICE:
    case LEFT_OUT_NOTICE:
        break;
    }
    return 2;
}

/* Much of all that is unsent may be others': then whoever has little unsent is told all the same.
 */
bool left_out_has_place(const struct hub *hub, const struct conn *conn, int64_t share)
{
    const struct hub_config *const config = &hub->config;
    enum { KEPT_FREE = 8 }; /* such a part of all, for what is not left out */
    const uint64_t of_address = conn->address->outbox_bytes;
    const uint64_t all = (uint64_t)config->outbox_bytes_in_all;
    return conn->outbox.bytes <= config->outbox_bytes / share &&
           of_address <= (uint64_t)(config->outbox_bytes_per_address / share) &&
           (hub->conns.outbox_bytes <= all / (uint64_t)share ||
            (hub->conns.outbox_bytes <= all - all / KEPT_FREE &&
             of_address <= (uint64_t)(config->outbox_bytes / share)));
}

static void leave_out_or_send(struct hub *hub, struct subscription *subscription, struct blob *blob,
                              enum left_out what)
{
    struct conn *conn = subscription->conn;
    if (left_out_has_place(hub, conn, share_of(what))) {
        conn_send(hub, conn, blob);
        return;
    }
    subscription->left_out |= left_out_mark(what);
    conn->left_out = true;
}

void left_out_or_sent(struct hub *hub, const struct hub_room *hub_room, struct blob *blob,
                      enum left_out what)
{
    for (struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next)
        leave_out_or_send(hub, subscription, blob, what);
}

void left_out_or_said(struct hub *hub, const struct hub_room *hub_room, uint64_t speaker,
                      struct blob *blob, enum left_out what)
{
    for (struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next) {
        const struct conn *conn = subscription->conn;
        if (!conn->quiet && !features_hide(hub, conn->session, speaker))
            leave_out_or_send(hub, subscription, blob, what);
    }
}

void left_out_or_noticed(struct hub *hub, struct conn *conn, struct blob *blob)
{
    if (left_out_has_place(hub, conn, share_of(LEFT_OUT_NOTICE)))
        conn_send(hub, conn, blob);
    else
        conn->left_out = conn->notices_left_out = true;
}
