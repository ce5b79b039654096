#include "held.h"

#include "batch.h"
#include "conn.h"
#include "follow.h"
#include "http.h"
#include "hub_room.h"
#include "metrics.h"
#include "session.h"
#include "view.h"
#include <assert.h>
#include <protocol/reply.h>
#include <stdlib.h>

enum { ERROR_BYTES = 512 };

/* Who asks about a room while the disk is slow shall not fill the memory with what waits for it. */
static void charge(struct hub *hub, struct held *held)
{
    struct conn *conn = conn_of(hub, held->peer);
    if (!conn)
        return;
    held->charged = (uint32_t)sizeof *held + (held->blob ? held->blob->len : 0);
    if (held->kind == HELD_FOLLOW)
        held->charged += (uint32_t)view_bytes(held->u.view);
    conn->held_bytes += held->charged;
}

static void discharge(struct hub *hub, const struct held *held)
{
    struct conn *conn = held->charged ? conn_of(hub, held->peer) : NULL;
    if (!conn)
        return;
    assert(conn->held_bytes >= held->charged);
    conn->held_bytes -= held->charged;
}

int held_put(struct hub *hub, const struct hub_room *hub_room, const struct held *held)
{
    struct batch *batch = NULL;
    if (hub_room && hub_room->fill_seq)
        batch = hub->filling;
    else if (hub_room && hub_room->out_seq)
        batch = hub->out;
    struct held mine = *held;
    if (!batch) {
        held_release(hub, &mine);
        return 0;
    }
    if (batch_reserve(batch, 0, 1, 0, 0) < 0)
        return -1;
    charge(hub, &mine);
    batch_hold(batch, &mine);
    return 0;
}

void pushes_free(struct pushes *pushes)
{
    for (uint32_t i = 0; pushes && i < pushes->count; i++)
        blob_unref(pushes->blobs[i]);
    free(pushes);
}

void held_discard(struct held *held)
{
    blob_unref(held->blob);
    switch (held->kind) {
    case HELD_PUSH:
        pushes_free(held->u.pushes);
        break;
    case HELD_FOLLOW:
        view_free(held->u.view);
        break;
    case HELD_RENAME:
        free(held->u.name);
        break;
    case HELD_REPLY:
    case HELD_UNFOLLOW:
    case HELD_HELLO:
    case HELD_DROP_SESSION:
    case HELD_DROP_ROOM:
    case HELD_HTTP:
        break;
    }
}

/* NULL: it has gone, or is about to. */
static struct conn *peer_of(const struct hub *hub, const struct held *held)
{
    struct conn *conn = conn_of(hub, held->peer);
    return conn && !conn->close_code ? conn : NULL;
}

static void refuse(struct hub *hub, const struct held *held, enum protocol_error error)
{
    struct conn *conn = peer_of(hub, held);
    struct buffer buffer;
    struct writer writer;
    metrics_request(hub, held->op, error);
    if (!conn)
        return;
    blob_buffer_init(&buffer, ERROR_BYTES);
    writer_init(&writer, &buffer);
    reply_error(&writer, held->id, error, NULL);
    conn_send_buffer(hub, conn, &buffer);
}

/* ---- done */

static void release_push(struct hub *hub, const struct held *held)
{
    const struct pushes *pushes = held->u.pushes;
    struct hub_room *hub_room = held->hub_room;
    for (struct follow *follow = hub_room->follows; follow; follow = follow->next) {
        assert(follow->seq + 1 == held->seq); /* following begins in order too */
        unsigned audience = 0;
        if (pushes->count > 1)
            audience = room_audience(hub_room->room,
                                     room_seat_of(hub_room->room, follow->conn->session->id));
        follow->seq = held->seq;
        conn_send(hub, follow->conn, pushes->blobs[audience]);
    }
}

static void release_follow(struct hub *hub, struct held *held)
{
    struct conn *conn = peer_of(hub, held);
    if (!conn || !conn->session)
        return;
    enum protocol_error error = follow_allowed(hub, conn, held->hub_room, false);
    if (error != PROTOCOL_OK) {
        refuse(hub, held, error);
        return;
    }
    struct view *view = held->u.view;
    follow_start(hub, conn, held->hub_room, held->seq, view->follow);
    view->follow = NULL;
    view_send(hub, conn, held);
    metrics_request(hub, held->op, PROTOCOL_OK);
    if (hub->failing)
        conn_notice(hub, conn, PROTOCOL_NOTICE_STORE_FAILING, held->hub_room);
}

static void release_reply(struct hub *hub, const struct held *held)
{
    struct conn *conn = peer_of(hub, held);
    if (conn)
        conn_send(hub, conn, held->blob);
    metrics_request(hub, held->op, held->result);
}

static void release_unfollow(struct hub *hub, const struct held *held)
{
    struct conn *conn = peer_of(hub, held);
    struct follow *follow = conn ? follow_find(conn, held->hub_room) : NULL;
    release_reply(hub, held);
    if (follow)
        follow_end(hub, follow);
}

static void release_rename(struct hub *hub, struct held *held)
{
    struct session *session = session_find(hub, held->session);
    if (session) {
        free(session->name);
        session->name = held->u.name;
        held->u.name = NULL;
    }
    release_reply(hub, held);
}

void held_release(struct hub *hub, struct held *held)
{
    discharge(hub, held);
    switch (held->kind) {
    case HELD_REPLY:
        release_reply(hub, held);
        break;
    case HELD_PUSH:
        release_push(hub, held);
        break;
    case HELD_FOLLOW:
        release_follow(hub, held);
        break;
    case HELD_UNFOLLOW:
        release_unfollow(hub, held);
        break;
    case HELD_HELLO:
        session_find(hub, held->session)->durable = true;
        release_reply(hub, held);
        break;
    case HELD_RENAME:
        release_rename(hub, held);
        break;
    case HELD_DROP_SESSION:
        session_dropped(hub, held->session, true);
        break;
    case HELD_DROP_ROOM:
        hub_room_dropped(hub, held->hub_room, true);
        break;
    case HELD_HTTP:
        http_done(hub, held->ticket, held->blob);
        break;
    }
    held_discard(held);
}

/* ---- not done */

void held_refuse(struct hub *hub, struct held *held)
{
    discharge(hub, held);
    switch (held->kind) {
    case HELD_REPLY:
    case HELD_FOLLOW:
    case HELD_UNFOLLOW:
    case HELD_HELLO:
    case HELD_RENAME:
        refuse(hub, held, PROTOCOL_STORE_FAILING);
        break;
    case HELD_PUSH:
        break;
    case HELD_DROP_SESSION:
        session_dropped(hub, held->session, false);
        break;
    case HELD_DROP_ROOM:
        hub_room_dropped(hub, held->hub_room, false);
        break;
    case HELD_HTTP:
        http_done(hub, held->ticket, NULL);
        break;
    }
    held_discard(held);
}
