#include "batch.h"
#include "call.h"
#include "conn.h"
#include "hub_private.h"
#include "hub_room.h"
#include "metrics.h"
#include "pending.h"
#include "read.h"
#include "room_clock.h"

#include <protocol/text.h>

enum {
    ANYBODY = 1 << 0, /* before hello too */
    ROOM = 1 << 1,    /* of a room that is in memory */
    FETCH = 1 << 2,   /* ... or may be fetched from the store */
};

static const struct {
    void (*handle)(struct call *call);
    unsigned needs;
} rows[REQUEST_OPS] = {
    [REQUEST_BOT] = {op_change, ROOM},
    [REQUEST_CHECK] = {op_check, ROOM},
    [REQUEST_CREATE] = {op_create, 0},
    [REQUEST_HELLO] = {op_hello, ANYBODY},
    [REQUEST_JOIN] = {op_join, ROOM},
    [REQUEST_LEAVE] = {op_leave, ROOM},
    [REQUEST_MOVE] = {op_change, ROOM},
    [REQUEST_MOVES] = {op_moves, ROOM},
    [REQUEST_OFFER] = {op_change, ROOM},
    [REQUEST_PAST] = {op_past, ROOM | FETCH},
    [REQUEST_PING] = {op_ping, 0},
    [REQUEST_READY] = {op_change, ROOM},
    [REQUEST_RECORD] = {op_record, ROOM | FETCH},
    [REQUEST_REMATCH] = {op_rematch, ROOM},
    [REQUEST_RENAME] = {op_rename, 0},
    [REQUEST_RESIGN] = {op_change, ROOM},
    [REQUEST_ROOMS] = {op_rooms, 0},
    [REQUEST_SAY] = {op_say, ROOM},
    [REQUEST_SIT] = {op_change, ROOM},
    [REQUEST_START] = {op_change, ROOM},
    [REQUEST_UNDO] = {op_change, ROOM},
    [REQUEST_UNSEAT] = {op_change, ROOM},
    [REQUEST_WATCH] = {op_watch, ROOM | FETCH},
    [REQUEST_WITHDRAW] = {op_change, ROOM},
};

/* ---- admitting */

/*
 * Beyond the rate everything is refused; whoever goes on regardless at more than twice the rate is
 * closed. Refusals have a rate of their own, as they are not in a row: in any flood a request is
 * admitted now and then.
 */
static bool admit_rate(const struct call *call)
{
    struct hub *hub = call->hub;
    struct conn *conn = call->conn;
    if (bucket_take(&conn->rate, &hub->rules.rate, hub->now_ms))
        return true;
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    if (!bucket_take(&conn->refusals, &hub->rules.refusals, hub->now_ms))
        conn_close(hub, conn, CLOSE_FLOOD);
    return false;
}

/* Answers that wait for a slow disk have a bound: when they come there must be room for them. */
static bool admit_waiting(const struct call *call)
{
    if (call->conn->pending_bytes < (uint64_t)call->hub->config.outbox_bytes / 2)
        return true;
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    return false;
}

static struct hub_room *find_room(const struct call *call)
{
    struct hub_room *hub_room = hub_room_find(call->hub, call->request->room);
    bool gone =
        hub_room && hub_room->dropping && room_phase(hub_room->room) == PROTOCOL_PHASE_LOBBY;
    return gone ? NULL : hub_room;
}

static void dispatch(struct call *call, bool may_fetch)
{
    unsigned needs = rows[call->request->op].needs;
    if (!call->session && !(needs & ANYBODY)) {
        call_error(call, PROTOCOL_HELLO_FIRST, NULL);
        return;
    }
    if (needs & ROOM) {
        call->hub_room = find_room(call);
        if (!call->hub_room && needs & FETCH && may_fetch) {
            read_wait(call);
            return;
        }
        if (!call->hub_room) {
            call_error(call, PROTOCOL_UNKNOWN_ROOM, "room");
            return;
        }
    }
    rows[call->request->op].handle(call);
}

/* What was decoded to its end is known to be UTF-8; only what was not is looked through again. */
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
            conn_close(hub, conn, CLOSE_SERVER_FAULT); /* it would wait for ever for its reply */
        else if (error != PROTOCOL_OK)
            call_error(&call, error, request->bad_field);
        else
            dispatch(&call, true);
    }
    request_release(request);
}

void route_again(struct hub *hub, struct conn *conn, const struct request *request)
{
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    dispatch(&call, false);
}

/* ---- answering */

enum { ERROR_BYTES = 1024 };

void call_error(const struct call *call, enum protocol_error error, const char *field)
{
    struct reply reply;
    metrics_request(call->hub, call->request->op, error);
    blob_buffer_init(&reply.buffer, ERROR_BYTES);
    writer_init(&reply.writer, &reply.buffer);
    reply_error(&reply.writer, call->request->id, error, field);
    conn_send_buffer(call->hub, call->conn, &reply.buffer);
}

void call_reply_begin(const struct call *call, struct reply *reply)
{
    blob_buffer_init(&reply->buffer, (size_t)call->hub->config.outbox_bytes);
    writer_init(&reply->writer, &reply->buffer);
    reply_begin(&reply->writer, call->request->id);
}

struct blob *reply_blob(struct reply *reply)
{
    reply_end(&reply->writer);
    return blob_from_buffer(&reply->buffer);
}

struct pending call_pending(const struct call *call, enum pending_kind kind)
{
    return (struct pending){.kind = kind,
                            .op = call->request->op,
                            .seat = ROOM_NO_SEAT,
                            .peer = call->conn->peer,
                            .id = call->request->id,
                            .hub_room = call->hub_room};
}

void call_defer(const struct call *call, struct pending *pending, const struct hub_room *hub_room)
{
    if (pending->blob && pending_put(call->hub, hub_room, pending) == 0)
        return;
    pending_discard(pending);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/*
 * Behind the last event of the room, as it is decided by what is not durable yet: a refusal tells
 * of it as well as an answer does.
 */
void call_refuse(const struct call *call, const struct refusal *refusal)
{
    struct buffer buffer;
    struct writer writer;
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.result =
        refusal->error != PROTOCOL_OK ? (uint16_t)refusal->error : (uint16_t)RESULT_GAME;
    blob_buffer_init(&buffer, ERROR_BYTES);
    writer_init(&writer, &buffer);
    reply_refusal(&writer, call->request->id, refusal);
    pending.blob = blob_from_buffer(&buffer);
    call_defer(call, &pending, call->hub_room);
}

void call_reply(const struct call *call, struct reply *reply, const struct hub_room *hub_room)
{
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.blob = reply_blob(reply);
    call_defer(call, &pending, hub_room);
}

/* ---- deciding */

enum room_decision call_decide(const struct call *call, struct room_event *event, char *scratch,
                               uint64_t *repeat_seq)
{
    struct hub *hub = call->hub;
    struct room_actor actor = {.session = call->session->id, .name = call->session->name};
    struct refusal refusal = {0};
    uint64_t ignored;
    room_clock_run(hub, call->hub_room);
    enum room_decision decision =
        room_decide(call->hub_room->room, &actor, call->request, hub->now_ms, event,
                    scratch ? scratch : hub->scratch, &refusal, repeat_seq ? repeat_seq : &ignored);
    if (decision == ROOM_REFUSED)
        call_refuse(call, &refusal);
    return decision;
}

/* ---- guessing */

bool call_may_guess(const struct call *call)
{
    const struct hub *hub = call->hub;
    bool allowed =
        bucket_has(&call->conn->address->guesses, &hub->rules.guesses, hub->now_ms) &&
        (!call->session || bucket_has(&call->session->guesses, &hub->rules.guesses, hub->now_ms));
    if (!allowed)
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    return allowed;
}

void call_guessed_wrong(const struct call *call)
{
    const struct hub *hub = call->hub;
    bucket_take(&call->conn->address->guesses, &hub->rules.guesses, hub->now_ms);
    if (call->session)
        bucket_take(&call->session->guesses, &hub->rules.guesses, hub->now_ms);
}
