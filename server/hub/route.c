#include "route.h"

#include "call_private.h"
#include "conn.h"
#include "damaged.h"
#include "hub_private.h"
#include "hub_room.h"
#include "op_analysis.h"
#include "op_device.h"
#include "op_games.h"
#include "op_hint.h"
#include "op_lobby.h"
#include "op_notify.h"
#include "op_play.h"
#include "op_session.h"
#include "price.h"
#include "read.h"
#include "session.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <protocol/text.h>
#include <string.h>

enum {
    ANYBODY = 1 << 0, /* before hello too */
    ROOM = 1 << 1,    /* of a room that is in memory */
    FETCH = 1 << 2,   /* ... or may be fetched from the store */
    LONG = 1 << 3,    /* its answer may be long, and can wait */
    HOME = 1 << 4,    /* of the session itself: only where its home is */
};

static const struct {
    void (*handle)(struct call *call);
    unsigned needs;
} rows[REQUEST_OPS] = {
    [REQUEST_ANALYSIS] = {op_analysis, ROOM | FETCH | LONG},
    [REQUEST_BOT] = {op_change, ROOM},
    [REQUEST_CHECK] = {op_check, ROOM},
    [REQUEST_CREATE] = {op_create, HOME},
    [REQUEST_DEVICES] = {op_devices, HOME},
    [REQUEST_FORGET] = {op_forget, HOME},
    [REQUEST_GAMES] = {op_games, LONG | HOME},
    [REQUEST_HELLO] = {op_hello, ANYBODY},
    [REQUEST_HINT] = {op_hint, ROOM},
    [REQUEST_JOIN] = {op_join, ROOM},
    [REQUEST_LEAVE] = {op_leave, ROOM},
    [REQUEST_LINK] = {op_link, HOME},
    [REQUEST_MOVE] = {op_change, ROOM},
    [REQUEST_MOVES] = {op_moves, ROOM},
    [REQUEST_NOTIFY] = {op_notify, HOME},
    [REQUEST_OFFER] = {op_change, ROOM},
    [REQUEST_PAST] = {op_past, ROOM | FETCH | LONG},
    [REQUEST_PHRASE] = {op_phrase, HOME},
    [REQUEST_PING] = {op_ping, 0},
    [REQUEST_READY] = {op_change, ROOM},
    [REQUEST_RECORD] = {op_record, ROOM | FETCH | LONG},
    [REQUEST_REMATCH] = {op_rematch, ROOM},
    [REQUEST_RENAME] = {op_rename, HOME},
    [REQUEST_RESIGN] = {op_change, ROOM},
    [REQUEST_ROOMS] = {op_rooms, LONG},
    [REQUEST_SAY] = {op_say, ROOM},
    [REQUEST_SIT] = {op_change, ROOM},
    [REQUEST_START] = {op_change, ROOM},
    [REQUEST_UNDO] = {op_change, ROOM},
    [REQUEST_UNNOTIFY] = {op_unnotify, HOME},
    [REQUEST_UNSEAT] = {op_change, ROOM},
    [REQUEST_WATCH] = {op_watch, ROOM | FETCH | LONG},
    [REQUEST_WITHDRAW] = {op_change, ROOM},
};

/* ---- admitting */

/*
 * Requests beyond the rate are refused, and a connection that keeps sending at more than twice the
 * rate is closed. Refusals are counted by a bucket of their own and not as "so many in a row",
 * because in any flood a request is admitted now and then.
 */
static bool admit_rate(const struct call *call)
{
    struct hub *hub = call->hub;
    struct conn *conn = call->conn;
    if (price_take(hub, conn))
        return true;
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    if (!bucket_take(&conn->refusals, &hub->rules.refusals, hub->now_ms))
        conn_close(hub, conn, CLOSE_FLOOD);
    return false;
}

/* Answers that wait for the store are bounded, so that they fit into the outbox when released. */
static bool admit_waiting(const struct call *call)
{
    const struct hub_config *config = &call->hub->config;
    const struct conn *conn = call->conn;
    if (conn->pending_bytes < (uint64_t)config->outbox_bytes / 2 &&
        conn->address->pending_bytes < (uint64_t)config->outbox_bytes_per_address / 2)
        return true;
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    return false;
}

static struct hub_room *find_room(const struct call *call)
{
    struct hub_room *hub_room = hub_room_find(call->hub, call->request->room);
    bool gone = hub_room && hub_room->state == HUB_ROOM_DROPPING &&
                room_phase(hub_room->room) == PROTOCOL_PHASE_LOBBY;
    return gone ? NULL : hub_room;
}

/* The request is dispatched again when its room has been fetched. */
static void fetch_room(const struct call *call)
{
    const char *id = call->request->room;
    if (!room_id_valid(id, strlen(id)))
        call_error(call, PROTOCOL_UNKNOWN_ROOM, "room");
    else if (!read_wait(call->hub, call->conn->peer, call->request))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else if (!call_is_follow(call))
        price_charge(call->hub, call->conn, 0, PRICE_FETCH_BYTES);
}

static void dispatch(struct call *call, bool may_fetch)
{
    unsigned needs = rows[call->request->op].needs;
    if (!call->session && !(needs & ANYBODY)) {
        call_error(call, PROTOCOL_HELLO_FIRST, NULL);
        return;
    }
    if (needs & HOME && call->session->state == SESSION_FOREIGN) {
        call_error(call, PROTOCOL_UNKNOWN_OP, "op");
        return;
    }
    call->is_long = (needs & LONG) != 0;
    if (call->is_long && may_fetch && !call_is_follow(call) &&
        !price_allows_work(call->hub, call->conn->address)) {
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    if (needs & ROOM) {
        call->hub_room = find_room(call);
        if (!call->hub_room && damaged_has(call->hub, call->request->room)) {
            call_error(call, PROTOCOL_ROOM_DAMAGED, "room");
            return;
        }
        if (!call->hub_room && needs & FETCH && may_fetch) {
            fetch_room(call);
            return;
        }
        if (!call->hub_room) {
            call_error(call, PROTOCOL_UNKNOWN_ROOM, "room");
            return;
        }
    }
    rows[call->request->op].handle(call);
}

/* A message that was decoded completely is known to be UTF-8; only others are checked again. */
static bool is_utf8(enum protocol_error error, const char *bytes, size_t len)
{
    bool read_whole = error != PROTOCOL_BAD_JSON && error != PROTOCOL_TOO_DEEP;
    return (read_whole && error != PROTOCOL_TOO_LONG) || utf8_valid(bytes, len);
}

void route(struct hub *hub, struct conn *conn, const char *bytes, size_t len)
{
    struct request *request = &hub->request;
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    enum protocol_error error = request_decode(request, bytes, len);
    if (!is_utf8(error, bytes, len)) {
        conn_close(hub, conn, CLOSE_NOT_UTF8);
        request_release(request);
        return;
    }
    conn->active_ms = conn->session ? hub->now_ms : conn->active_ms;
    if (error != PROTOCOL_OK)
        request->op = REQUEST_OPS;
    if (admit_rate(&call) && admit_waiting(&call)) {
        if (error == PROTOCOL_INTERNAL && request->id == REQUEST_NO_ID)
            conn_close(hub, conn, CLOSE_SERVER_FAULT); /* it would wait for its reply for ever */
        else if (error != PROTOCOL_OK)
            call_error(&call, error, request->bad_field);
        else
            dispatch(&call, true);
    }
    request_release(request);
}

void route_follow(struct hub *hub, struct conn *conn, int64_t id, const char *room, int64_t have)
{
    struct request *request = &hub->request;
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    request_init(request, id, REQUEST_WATCH);
    request->fields = REQUEST_ROOM | REQUEST_HAVE;
    request->have = have;
    memcpy(request->room, room, PROTOCOL_ROOM_BYTES);
    dispatch(&call, true);
    request_release(request);
}

void route_again(struct hub *hub, struct conn *conn, const struct request *request)
{
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    dispatch(&call, false);
}
