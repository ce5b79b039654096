#include <hub/call.h>

#include "call_private.h"
#include "changes/room_clock.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/price.h"
#include "hub_private.h"
#include "limits/address.h"
#include "metrics.h"
#include "retry.h"
#include "rooms/lobby_share.h"
#include "rooms/pending.h"
#include "sessions/session.h"
#include "waiting/query.h"
#include <hub/bucket.h>
#include <hub/facts.h>

bool call_again(struct hub *hub, struct hub_peer peer, int64_t id, enum request_op op,
                struct call *call)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn || conn->state != CONN_OPEN ||
        (!conn->session && !(hub->features.rows[op]->needs & REQUEST_BY_ANYBODY)))
        return false;
    request_init(&hub->request, id, op);
    *call =
        (struct call){.hub = hub, .conn = conn, .session = conn->session, .request = &hub->request};
    return true;
}

struct call_later call_put_off(const struct call *call)
{
    const struct hub_peer peer = call->conn->peer;
    return (struct call_later){(uint64_t)peer.generation << 32 | peer.index, call->request->id,
                               call->request->op};
}

bool call_resume(struct hub *hub, const struct call_later *later, struct call *call)
{
    const struct hub_peer peer = {(uint32_t)later->peer, (uint32_t)(later->peer >> 32)};
    return call_again(hub, peer, later->id, later->op, call);
}

/* ---- answering */

enum {
    ERROR_BYTES = 1024,
    SHORT_BYTES = 64, /* most replies; so small a piece of memory is the cheapest to get and free */
};

static void send_refusal(const struct call *call, const struct refusal *refusal)
{
    struct reply reply;
    metrics_request(call->hub, call->request->op, refusal->error);
    blob_buffer_init(&reply.buffer, ERROR_BYTES);
    writer_init(&reply.writer, &reply.buffer);
    reply_refusal(&reply.writer, call->request->id, refusal);
    conn_send_buffer(call->hub, call->conn, &reply.buffer,
                     &(struct hub_head){.kind = HUB_REFUSAL,
                                        .id = call->request->id,
                                        .error = (uint8_t)refusal->error,
                                        .follows = call_is_follow(call)});
}

void call_error(const struct call *call, enum protocol_error error, const char *field)
{
    const struct refusal refusal = {
        .error = error,
        .field = field,
        .retry_ms = error == PROTOCOL_SLOW_DOWN
                        ? retry_ms(call->hub, call->conn, call->request, call->is_long)
                        : 0,
    };
    send_refusal(call, &refusal);
}

void call_error_until(const struct call *call, enum protocol_error error, int64_t until_ms)
{
    const struct refusal refusal = {.error = error, .retry_ms = until_ms - call->hub->now_ms};
    send_refusal(call, &refusal);
}

void call_reply_begin(const struct call *call, struct reply *reply)
{
    blob_buffer_init(&reply->buffer, (size_t)call->hub->config.outbox_bytes);
    (void)buffer_begin(&reply->buffer, SHORT_BYTES); /* else it has failed */
    writer_init(&reply->writer, &reply->buffer);
    reply->has_facts = false;
    reply->id = call->request->id;
    reply_begin(&reply->writer, reply->id);
}

struct blob *reply_blob(struct reply *reply)
{
    const struct hub_head head = {.kind = HUB_REPLY, .id = reply->id};
    reply_end(&reply->writer);
    return reply->has_facts ? blob_with_facts(&reply->buffer, &head, &reply->facts)
                            : blob_message(&reply->buffer, &head);
}

struct buffer *call_reply_facts(struct reply *reply)
{
    if (!reply->has_facts)
        buffer_init(&reply->facts, 0, FACTS_BYTES_MAX);
    reply->has_facts = true;
    return &reply->facts;
}

struct pending call_pending(const struct call *call, enum pending_kind kind)
{
    return (struct pending){.kind = kind,
                            .op = call->request->op,
                            .seat = ROOM_NO_SEAT,
                            .peer = call->conn->peer,
                            .id = call->request->id,
                            .follows = call_is_follow(call),
                            .hub_room = call->hub_room};
}

void call_defer(const struct call *call, struct pending *pending, const struct hub_room *hub_room)
{
    if (pending->blob && pending_put(call->hub, hub_room, pending) == 0)
        return;
    pending_discard(pending);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

struct pending call_refusal(const struct call *call, const struct refusal *refusal)
{
    struct buffer buffer;
    struct writer writer;
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.result =
        refusal->error != PROTOCOL_OK ? (uint16_t)refusal->error : (uint16_t)RESULT_GAME;
    blob_buffer_init(&buffer, ERROR_BYTES);
    writer_init(&writer, &buffer);
    reply_refusal(&writer, call->request->id, refusal);
    pending.blob = blob_message(&buffer, &(struct hub_head){.kind = HUB_REFUSAL,
                                                            .id = call->request->id,
                                                            .error = (uint8_t)refusal->error,
                                                            .follows = call_is_follow(call)});
    return pending;
}

/*
 * Waits for the room's last event to be durable, as the refusal was decided on a state that
 * includes that event and would disclose it.
 */
void call_refuse(const struct call *call, const struct refusal *refusal)
{
    struct pending pending = call_refusal(call, refusal);
    call_defer(call, &pending, call->hub_room);
}

void call_reply(const struct call *call, struct reply *reply, const struct hub_room *hub_room)
{
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.blob = reply_blob(reply);
    if (pending.blob)
        price_charge(call->hub, call->conn, pending.blob->len, 0);
    call_defer(call, &pending, hub_room);
}

void call_reply_drop(struct reply *reply)
{
    buffer_release(&reply->buffer);
    if (reply->has_facts)
        buffer_release(&reply->facts);
}

void call_charge(const struct call *call, size_t encoded_bytes)
{
    price_charge(call->hub, call->conn, 0, encoded_bytes);
}

bool call_query(const struct call *call, const struct kernel_query *query)
{
    return query_wait(call->hub, call->conn->peer, &call->conn->address->origin, call->request,
                      query);
}

bool call_hold(const struct call *call, const struct kernel_query *query)
{
    return query_wait_held(call->hub, call->conn->peer, &call->conn->address->origin, call->request,
                           query);
}

/* ---- deciding */

/* Nothing is added to the log of a match that the store has put away, or is about to. */
static bool is_put_away(const struct hub_room *hub_room)
{
    return hub_room->state != HUB_ROOM_LIVE && room_phase(hub_room->room) == PROTOCOL_PHASE_OVER;
}

/* To what the room would take. */
static enum protocol_error hub_objects(const struct call *call, const struct room_event *event)
{
    if (is_put_away(call->hub_room))
        return PROTOCOL_IS_OVER;
    if (call->hub_room->handing) /* whoever gets a seat must not take another one meanwhile */
        return PROTOCOL_SLOW_DOWN;
    return lobby_share_allows(call->hub, call->hub_room, call->session, event)
               ? PROTOCOL_OK
               : PROTOCOL_TOO_MANY_CHANGES;
}

enum room_decision call_decide(const struct call *call, struct room_event *event,
                               uint64_t *repeat_seq)
{
    struct hub *hub = call->hub;
    const struct room_actor actor = session_actor(call->session);
    struct refusal refusal = {0};
    uint64_t ignored;
    room_clock_run(hub, call->hub_room);
    enum room_decision decision =
        room_decide(call->hub_room->room, &actor, call->request, hub->now_ms, event, &hub->draft,
                    &refusal, repeat_seq ? repeat_seq : &ignored);
    if (decision == ROOM_ACCEPTED && event->seq)
        refusal.error = hub_objects(call, event);
    if (refusal.error != PROTOCOL_OK)
        decision = ROOM_REFUSED;
    if (decision == ROOM_REFUSED)
        call_refuse(call, &refusal);
    return decision;
}

/* ---- wrong codes and tokens */

static bool may_guess(const struct call *call)
{
    const struct hub *hub = call->hub;
    return bucket_has(&call->conn->address->guesses, &hub->rules.guesses, hub->now_ms) &&
           (!call->session ||
            bucket_has(&call->session->guesses, &hub->rules.guesses, hub->now_ms));
}

static void charge_guess(const struct call *call)
{
    const struct hub *hub = call->hub;
    bucket_take(&call->conn->address->guesses, &hub->rules.guesses, hub->now_ms);
    if (call->session)
        bucket_take(&call->session->guesses, &hub->rules.guesses, hub->now_ms);
}

void call_refuse_guess(const struct call *call, enum protocol_error error, const char *field)
{
    if (may_guess(call)) {
        charge_guess(call);
        call_error(call, error, field);
        return;
    }
    send_refusal(call, &(struct refusal){.error = PROTOCOL_SLOW_DOWN,
                                         .retry_ms = retry_guess_ms(call->hub, call->conn)});
}
