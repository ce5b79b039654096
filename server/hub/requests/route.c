#include "route.h"

#include "connections/conn.h"
#include "connections/long_queue.h"
#include "connections/price.h"
#include "feature_table.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "kernel/gate.h"
#include "limits/address.h"
#include "limits/names.h"
#include "op_analysis.h"
#include "op_hint.h"
#include "op_lobby.h"
#include "op_ping.h"
#include "op_play.h"
#include "read.h"
#include "rooms/damaged.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <protocol/scope.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>

/* ---- who answers what */

/* What the hub answers itself. */
static const struct request_row rows[] = {
    {REQUEST_ANALYSIS, REQUEST_OF_ROOM | REQUEST_MAY_FETCH | REQUEST_LONG, op_analysis},
    {REQUEST_BOT, REQUEST_OF_ROOM, op_change},
    {REQUEST_CHECK, REQUEST_OF_ROOM, op_check},
    {REQUEST_CREATE, REQUEST_AT_HOME, op_create},
    {REQUEST_HINT, REQUEST_OF_ROOM, op_hint},
    {REQUEST_JOIN, REQUEST_OF_ROOM, op_join},
    {REQUEST_LEAVE, REQUEST_OF_ROOM, op_leave},
    {REQUEST_MOVE, REQUEST_OF_ROOM, op_change},
    {REQUEST_MOVES, REQUEST_OF_ROOM, op_moves},
    {REQUEST_OFFER, REQUEST_OF_ROOM, op_change},
    {REQUEST_PAST, REQUEST_OF_ROOM | REQUEST_MAY_FETCH | REQUEST_LONG, op_past},
    {REQUEST_PING, 0, op_ping},
    {REQUEST_READY, REQUEST_OF_ROOM, op_change},
    {REQUEST_RECORD, REQUEST_OF_ROOM | REQUEST_MAY_FETCH | REQUEST_LONG, op_record},
    {REQUEST_REMATCH, REQUEST_OF_ROOM, op_rematch},
    {REQUEST_RESIGN, REQUEST_OF_ROOM, op_change},
    {REQUEST_ROOMS, REQUEST_LONG, op_rooms},
    {REQUEST_SAY, REQUEST_OF_ROOM | REQUEST_ONCE, op_say},
    {REQUEST_SIT, REQUEST_OF_ROOM, op_change},
    {REQUEST_START, REQUEST_OF_ROOM, op_change},
    {REQUEST_UNDO, REQUEST_OF_ROOM, op_change},
    {REQUEST_UNSEAT, REQUEST_OF_ROOM, op_change},
    {REQUEST_WATCH, REQUEST_OF_ROOM | REQUEST_MAY_FETCH | REQUEST_LONG, op_watch},
    {REQUEST_WITHDRAW, REQUEST_OF_ROOM, op_change},
};

void routes_begin(struct feature_table *table)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        table->rows[rows[i].op] = &rows[i];
}

void hub_request_needs(const struct feature *const *features, unsigned *needs)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        needs[rows[i].op] = rows[i].needs;
    for (; features && *features; features++) {
        for (size_t i = 0; i < (*features)->request_count; i++)
            needs[(*features)->requests[i].op] = (*features)->requests[i].needs;
    }
}

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
    else if (!read_wait(call->hub, call->conn->peer, &call->conn->address->origin, call->request))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else if (!call_is_follow(call))
        price_charge(call->hub, call->conn, 0, PRICE_FETCH_BYTES);
}

/* What it says of the sender. False: it is refused, and that is answered. */
static bool admit_sender(const struct call *call, unsigned needs)
{
    const enum protocol_error error =
        call->session ? features_allow(call->hub, call->session, call->request) : PROTOCOL_OK;
    if (!call->session && !(needs & REQUEST_BY_ANYBODY))
        call_error(call, PROTOCOL_HELLO_FIRST, NULL);
    else if (needs & REQUEST_AT_HOME && call->session && call->session->state == SESSION_FOREIGN)
        call_error(call, PROTOCOL_UNKNOWN_OP, "op");
    else if (needs & REQUEST_AT_DESK && call->hub->env.part != 0)
        call_error(call, PROTOCOL_UNKNOWN_OP, "op");
    else if (!(scopes_of_request(call->request->op) & call->conn->scopes))
        call_error(call, PROTOCOL_NOT_ALLOWED, scope_needed(call->request->op));
    else if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
    else
        return true;
    return false;
}

/* What a room would be called. */
static const char *title_of(const struct request *request, const char **field)
{
    *field = "title";
    return request->op == REQUEST_CREATE && request_has(request, REQUEST_TITLE) ? request->title
                                                                                : NULL;
}

static bool admit_name(const struct call *call)
{
    const struct feature *owner = call->hub->features.owners[call->request->op];
    const char *(*called)(const struct request *, const char **) = owner ? owner->called : title_of;
    const char *field = NULL, *name = called ? called(call->request, &field) : NULL;
    if (!name || !names_forbid(call->hub, name))
        return true;
    call_error(call, PROTOCOL_NAME_REFUSED, field);
    return false;
}

/* Its room. False: it is answered, or will be when the room has been fetched. */
static bool admit_room(struct call *call, unsigned needs, bool may_fetch)
{
    call->hub_room = find_room(call);
    if (call->hub_room)
        return true;
    if (damaged_has(call->hub, call->request->room))
        call_error(call, PROTOCOL_ROOM_DAMAGED, "room");
    else if (needs & REQUEST_MAY_FETCH && may_fetch)
        fetch_room(call);
    else
        call_error(call, PROTOCOL_UNKNOWN_ROOM, "room");
    return false;
}

enum dispatch_when {
    DISPATCH_NEW,     /* as it has come */
    DISPATCH_IN_TURN, /* it has waited for its turn */
    DISPATCH_FETCHED, /* it has waited for its room */
};

/* It had a place among those who wait, and has lost it to somebody who comes before. */
static void refuse_waiting(struct hub *hub, struct long_waiting *waiting)
{
    struct conn *conn = conn_of(hub, waiting->peer);
    const struct call call = {.hub = hub,
                              .conn = conn,
                              .session = conn ? conn->session : NULL,
                              .request = &waiting->request,
                              .is_long = true};
    if (conn && conn->state == CONN_OPEN)
        call_error(&call, PROTOCOL_SLOW_DOWN, NULL);
    free(waiting);
}

/*
 * What takes effect does so in the order of sending: a `watch` that waits is refused as soon as
 * anything else about a room or its own session comes behind it, but another long answer.
 */
static void refuse_watch_before(const struct call *call, unsigned needs)
{
    const bool is_answer_alone = needs & REQUEST_LONG && call->request->op != REQUEST_WATCH;
    if (is_answer_alone || !(needs & (REQUEST_OF_ROOM | REQUEST_AT_HOME)))
        return;
    struct long_waiting *const watch = long_queue_take_watch(call->hub, call->conn);
    if (watch)
        refuse_waiting(call->hub, watch);
}

static void wait_in_turn(const struct call *call)
{
    struct long_waiting *instead = NULL;
    if (!long_queue_add(call->hub, call->conn, call->request, &instead))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else if (instead)
        refuse_waiting(call->hub, instead);
}

/* Work for a long answer. False: it waits for that, or is refused. */
static bool admit_work(const struct call *call, enum dispatch_when when)
{
    if (!call->is_long || when == DISPATCH_FETCHED || call_is_follow(call))
        return true;
    if (when == DISPATCH_NEW && !long_queue_passes(call->hub, call->conn)) {
        wait_in_turn(call);
        return false;
    }
    price_take_work(call->hub);
    return true;
}

static void dispatch_call(struct call *call, enum dispatch_when when)
{
    const struct request_row *row = call->hub->features.rows[call->request->op];
    if (!row) { /* of a feature that this server does not have */
        call_error(call, PROTOCOL_UNKNOWN_OP, "op");
        return;
    }
    if (!admit_sender(call, row->needs) || !admit_name(call))
        return;
    call->is_long = (row->needs & REQUEST_LONG) != 0;
    if (when == DISPATCH_NEW)
        refuse_watch_before(call, row->needs);
    if (!admit_work(call, when))
        return;
    if (row->needs & REQUEST_OF_ROOM && !admit_room(call, row->needs, when != DISPATCH_FETCHED))
        return;
    row->handle(call);
    batch_keep_nothing(call->hub->commit.filling);
}

/* A message that was decoded completely is known to be UTF-8; only others are checked again. */
static bool is_utf8(enum protocol_error error, const char *bytes, size_t len)
{
    bool read_whole = error != PROTOCOL_BAD_JSON && error != PROTOCOL_TOO_DEEP;
    return (read_whole && error != PROTOCOL_TOO_LONG) || utf8_valid(bytes, len);
}

/* False: it has been answered. */
static bool admit_call(const struct call *call)
{
    struct conn *conn = call->conn;
    conn->active_ms = conn->session ? call->hub->now_ms : conn->active_ms;
    return admit_rate(call) && admit_waiting(call);
}

static void route_request(struct hub *hub, struct conn *conn, const struct request *request)
{
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    if (admit_call(&call))
        dispatch_call(&call, DISPATCH_NEW);
}

static void refuse_unread(struct hub *hub, struct conn *conn, const struct request *request,
                          enum protocol_error error)
{
    const struct call call = {
        .hub = hub, .conn = conn, .session = conn->session, .request = request};
    if (!admit_call(&call))
        return;
    if (error == PROTOCOL_INTERNAL && request->id == REQUEST_NO_ID)
        conn_close(hub, conn, CLOSE_SERVER_FAULT); /* it would wait for its reply for ever */
    else
        call_error(&call, error, request->bad_field);
}

void route_decoded(struct hub *hub, struct conn *conn, const struct hub_decoded *decoded)
{
    if (!is_utf8(decoded->error, decoded->bytes, decoded->len))
        conn_close(hub, conn, CLOSE_NOT_UTF8);
    else if (decoded->error != PROTOCOL_OK)
        refuse_unread(hub, conn, decoded->request, decoded->error);
    else
        route_request(hub, conn, decoded->request);
}

void route(struct hub *hub, struct conn *conn, const char *bytes, size_t len)
{
    struct request *request = &hub->request;
    const struct hub_decoded decoded = {.bytes = bytes,
                                        .len = len,
                                        .request = request,
                                        .error = request_decode(request, bytes, len)};
    if (decoded.error != PROTOCOL_OK)
        request->op = REQUEST_OPS;
    route_decoded(hub, conn, &decoded);
    request_release(request);
}

void route_follow(struct hub *hub, struct conn *conn, int64_t number, const char *room,
                  int64_t have)
{
    struct request *request = &hub->request;
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    request_init(request, number, REQUEST_WATCH);
    request->follows = true;
    request->fields = REQUEST_ROOM | REQUEST_HAVE;
    request->have = have;
    memcpy(request->room, room, PROTOCOL_ROOM_BYTES);
    dispatch_call(&call, DISPATCH_NEW);
    request_release(request);
}

void route_again(struct hub *hub, struct conn *conn, const struct request *request)
{
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    dispatch_call(&call, DISPATCH_FETCHED);
}

void route_in_turn(struct hub *hub)
{
    struct long_waiting *waiting;
    while ((waiting = long_queue_take(hub)) != NULL) {
        struct conn *conn = conn_of(hub, waiting->peer);
        struct call call = {
            .hub = hub, .conn = conn, .session = conn->session, .request = &waiting->request};
        if (conn->state == CONN_OPEN)
            dispatch_call(&call, DISPATCH_IN_TURN);
        free(waiting);
    }
}

void route_held(struct call *call, const struct request *held, const struct store_query *query)
{
    const struct request_row *row = call->hub->features.rows[held->op];
    call->hub->request = *held;
    call->is_long = (row->needs & REQUEST_LONG) != 0;
    call->passes = admit_sender(call, row->needs) &&
                   (!(row->needs & REQUEST_OF_ROOM) || admit_room(call, row->needs, false)) &&
                   gate_held(call, query);
    if (call->passes)
        row->handle(call);
    batch_keep_nothing(call->hub->commit.filling);
}
