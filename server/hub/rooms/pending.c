#include "pending.h"

#include "admin_wait.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/subscription.h"
#include "entry.h"
#include "feature_table.h"
#include "http/http_wait.h"
#include "hub_private.h"
#include "hub_room.h"
#include "jump.h"
#include "kept_share.h"
#include "metrics.h"
#include "rows/document_rows.h"
#include "sessions/notice.h"
#include "sessions/session.h"
#include "view.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/kernel_change.h>
#include <protocol/reply.h>
#include <stdlib.h>

enum { ERROR_BYTES = 512 };

/* Bounds the memory that one connection can fill with answers while the disk is slow. */
static void charge_pending(struct hub *hub, struct pending *pending)
{
    struct conn *conn = conn_of(hub, pending->peer);
    if (!conn)
        return;
    pending->charged = (uint32_t)sizeof *pending + (pending->blob ? pending->blob->len : 0);
    if (pending->kind == PENDING_SUBSCRIBE)
        pending->charged += (uint32_t)view_bytes(pending->u.view);
    conn->pending_bytes += pending->charged;
    conn->address->pending_bytes += pending->charged;
}

static void discharge_pending(struct hub *hub, const struct pending *pending)
{
    struct conn *conn = pending->charged ? conn_of(hub, pending->peer) : NULL;
    if (!conn)
        return;
    assert(conn->pending_bytes >= pending->charged);
    conn->pending_bytes -= pending->charged;
    conn->address->pending_bytes -= pending->charged;
}

int pending_put(struct hub *hub, const struct hub_room *hub_room, const struct pending *pending)
{
    struct batch *batch = NULL;
    if (hub_room && hub_room->fill_seq)
        batch = hub->commit.filling;
    else if (hub_room && hub_room->out_seq)
        batch = hub->commit.out;
    struct pending mine = *pending;
    if (!batch) {
        pending_release(hub, &mine);
        return 0;
    }
    if (batch_reserve(batch, 0, 1, 0, 0) < 0)
        return -1;
    mine.behind = hub_room;
    charge_pending(hub, &mine);
    batch_defer(batch, &mine);
    return 0;
}

static void free_pushes(struct pushes *pushes)
{
    for (uint32_t i = 0; pushes && i < pushes->count; i++)
        blob_unref(pushes->blobs[i]);
    free(pushes);
}

void pending_discard(struct pending *pending)
{
    blob_unref(pending->blob);
    switch (pending->kind) {
    case PENDING_PUSH:
        free_pushes(pending->u.pushes);
        break;
    case PENDING_SUBSCRIBE:
        view_free(pending->u.view);
        break;
    case PENDING_RENAME:
        free(pending->u.name);
        break;
    case PENDING_CHANGE:
        pending->u.change->type->destroy(pending->u.change);
        break;
    case PENDING_REPLY:
    case PENDING_UNSUBSCRIBE:
    case PENDING_HELLO:
    case PENDING_DROP_SESSION:
    case PENDING_DROP_ROOM:
    case PENDING_HTTP:
    case PENDING_ADMIN:
    case PENDING_DOCUMENT:
    case PENDING_JUMP:
        break;
    }
}

/* NULL: it is closed, or about to be. */
static struct conn *peer_of(const struct hub *hub, const struct pending *pending)
{
    struct conn *conn = conn_of(hub, pending->peer);
    return conn && conn->state == CONN_OPEN ? conn : NULL;
}

static void refuse_pending(struct hub *hub, const struct pending *pending,
                           enum protocol_error error)
{
    struct conn *conn = peer_of(hub, pending);
    struct buffer buffer;
    struct writer writer;
    metrics_request(hub, pending->op, error);
    if (!conn)
        return;
    blob_buffer_init(&buffer, ERROR_BYTES);
    writer_init(&writer, &buffer);
    reply_error(&writer, pending->id, error, NULL);
    conn_send_buffer(hub, conn, &buffer,
                     &(struct hub_head){.kind = HUB_REFUSAL,
                                        .id = pending->id,
                                        .error = (uint8_t)error,
                                        .follows = pending->follows});
}

/* ---- done */

static void release_push(struct hub *hub, const struct pending *pending)
{
    const struct pushes *pushes = pending->u.pushes;
    struct hub_room *hub_room = pending->hub_room;
    for (struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next) {
        assert(subscription->seq + 1 == pending->seq); /* subscriptions begin in order too */
        struct conn *conn = subscription->conn;
        const uint8_t seat = room_seat_of(hub_room->room, conn->session->id);
        struct blob *blob =
            pushes ? pushes->blobs[room_audience(hub_room->room, seat)] : pending->blob;
        subscription->seq = pending->seq;
        if (seat == ROOM_NO_SEAT)
            conn_send_watcher(hub, conn, blob);
        else
            conn_send(hub, conn, blob);
    }
}

static void release_subscribe(struct hub *hub, struct pending *pending)
{
    struct conn *conn = peer_of(hub, pending);
    if (!conn || !conn->session)
        return;
    enum protocol_error error = subscription_allowed(hub, conn, pending->hub_room, false);
    if (error != PROTOCOL_OK) {
        refuse_pending(hub, pending, error);
        return;
    }
    struct view *view = pending->u.view;
    subscription_start(hub, conn, pending->hub_room, pending->seq, view->subscription);
    view->subscription = NULL;
    view_send(hub, conn, pending);
    metrics_request(hub, pending->op, PROTOCOL_OK);
    if (hub->commit.failing)
        notice_to_conn(hub, conn, PROTOCOL_NOTICE_STORE_FAILING, pending->hub_room);
}

static void release_reply(struct hub *hub, const struct pending *pending)
{
    struct conn *conn = peer_of(hub, pending);
    if (conn)
        conn_send(hub, conn, pending->blob);
    metrics_request(hub, pending->op, pending->result);
}

static void release_unsubscribe(struct hub *hub, const struct pending *pending)
{
    struct conn *conn = peer_of(hub, pending);
    struct subscription *subscription = conn ? subscription_find(conn, pending->hub_room) : NULL;
    release_reply(hub, pending);
    if (subscription)
        subscription_end(hub, subscription);
}

static void release_hello(struct hub *hub, const struct pending *pending)
{
    struct session *session = session_find(hub, pending->session);
    session_stored(session);
    features_session_begun(hub, session);
    release_reply(hub, pending);
}

static void release_rename(struct hub *hub, struct pending *pending)
{
    struct session *session = session_find(hub, pending->session);
    if (session) {
        free(session->name);
        session->name = pending->u.name;
        pending->u.name = NULL;
    }
    release_reply(hub, pending);
}

/* Some changes are nobody's request. Whoever is disconnected by one has the reply before that. */
static void release_change(struct hub *hub, const struct pending *pending)
{
    struct session *session = session_find(hub, pending->session);
    const struct kernel_change_type *type = pending->u.change->type;
    void (*end)(struct hub *, struct session *, struct kernel_change *) = type->carry_out;
    if (pending->taken)
        end = type->taken ? type->taken : type->undo;
    if (pending->blob && pending->taken)
        refuse_pending(hub, pending, type->taken_error);
    else if (pending->blob)
        release_reply(hub, pending);
    if (!session && pending->session)
        return;
    if (session)
        session->changing = false;
    if (end)
        end(hub, session, pending->u.change);
    if (session && !session_is_gone(session))
        session_check_idle(hub, session);
}

/* What has come in by it is nobody's again. */
static void send_back(struct hub *hub, const struct pending *pending, const struct session *session)
{
    struct conn *conn = conn_of(hub, pending->peer);
    if (conn && conn->session == session)
        entry_send_back(hub, conn);
}

static void refuse_change(struct hub *hub, const struct pending *pending)
{
    struct session *session = session_find(hub, pending->session);
    if (session)
        session->changing = false;
    if ((session || !pending->session) && pending->u.change->type->undo)
        pending->u.change->type->undo(hub, session, pending->u.change);
    if (session && pending->enters)
        send_back(hub, pending, session);
    if (pending->blob)
        refuse_pending(hub, pending, PROTOCOL_STORE_FAILING);
    if (session && !session_is_gone(session))
        session_check_idle(hub, session);
}

/* Who is in a room that has to go is told why. */
static void drop_room(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->evicted)
        notice_to_room(hub, hub_room, PROTOCOL_NOTICE_CLOSED, NOTICE_SERVER_FULL);
    else if (hub_room->taken_back)
        notice_to_room(hub, hub_room, PROTOCOL_NOTICE_CLOSED, "Not everybody has come.");
    if (room_phase(hub_room->room) == PROTOCOL_PHASE_OVER)
        kept_share_note(hub, hub_room);
    hub_room_dropped(hub, hub_room, true);
}

void pending_release(struct hub *hub, struct pending *pending)
{
    discharge_pending(hub, pending);
    switch (pending->kind) {
    case PENDING_REPLY:
        release_reply(hub, pending);
        break;
    case PENDING_PUSH:
        release_push(hub, pending);
        break;
    case PENDING_SUBSCRIBE:
        release_subscribe(hub, pending);
        break;
    case PENDING_UNSUBSCRIBE:
        release_unsubscribe(hub, pending);
        break;
    case PENDING_HELLO:
        release_hello(hub, pending);
        break;
    case PENDING_RENAME:
        release_rename(hub, pending);
        break;
    case PENDING_CHANGE:
        release_change(hub, pending);
        break;
    case PENDING_DROP_SESSION:
        session_dropped(hub, pending->session, true);
        break;
    case PENDING_DROP_ROOM:
        drop_room(hub, pending->hub_room);
        break;
    case PENDING_HTTP:
        http_wait_done(hub, pending->ticket, true);
        break;
    case PENDING_ADMIN:
        admin_wait_done(hub, pending->hub_room, true);
        break;
    case PENDING_DOCUMENT:
        document_rows_done(hub, true);
        break;
    case PENDING_JUMP:
        break;
    }
    pending_discard(pending);
}

/* ---- not done */

/*
 * Its own event is durable, and only what others have done since is not. That may have become so
 * while it waited.
 */
static bool is_done(const struct pending *pending)
{
    return pending->seq > 0 && pending->behind && pending->seq <= pending->behind->durable_seq;
}

static void refuse_reply(struct hub *hub, const struct pending *pending)
{
    if (!is_done(pending))
        refuse_pending(hub, pending, PROTOCOL_STORE_FAILING);
    else if (pending->undone != PROTOCOL_OK)
        refuse_pending(hub, pending, (enum protocol_error)pending->undone);
    else
        release_reply(hub, pending);
}

void pending_refuse(struct hub *hub, struct pending *pending)
{
    discharge_pending(hub, pending);
    switch (pending->kind) {
    case PENDING_REPLY:
        refuse_reply(hub, pending);
        break;
    case PENDING_UNSUBSCRIBE:
        if (is_done(pending))
            release_unsubscribe(hub, pending);
        else
            refuse_pending(hub, pending, PROTOCOL_STORE_FAILING);
        break;
    case PENDING_SUBSCRIBE:
    case PENDING_HELLO:
    case PENDING_RENAME:
        refuse_pending(hub, pending, PROTOCOL_STORE_FAILING);
        break;
    case PENDING_PUSH:
        break;
    case PENDING_CHANGE:
        refuse_change(hub, pending);
        break;
    case PENDING_DROP_SESSION:
        session_dropped(hub, pending->session, false);
        break;
    case PENDING_DROP_ROOM:
        hub_room_dropped(hub, pending->hub_room, false);
        break;
    case PENDING_HTTP:
        http_wait_done(hub, pending->ticket, false);
        break;
    case PENDING_ADMIN:
        admin_wait_done(hub, pending->hub_room, false);
        break;
    case PENDING_DOCUMENT:
        document_rows_done(hub, false);
        break;
    case PENDING_JUMP:
        jumps_not_kept(hub);
        break;
    }
    pending_discard(pending);
}
