#include "op_lobby.h"

#include "changes/change.h"
#include "changes/room_clock.h"
#include "changes/room_open.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/price.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "kernel/gate.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "rooms/history.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rooms/room_list.h"
#include "rooms/view.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/bucket.h>
#include <hub/call.h>
#include <string.h>

/* ---- rooms */

void op_rooms(struct call *call)
{
    struct reply reply;
    const struct hub_room *latest;
    bool paged = request_has(call->request, REQUEST_AFTER);
    call_reply_begin(call, &reply);
    struct buffer *facts = call->hub->env.parts > 1 ? call_reply_facts(&reply) : NULL;
    room_list_write(call->hub, paged ? call->request->after : "", &reply.writer, facts, &latest);
    if (!paged)
        room_list_write_own(call->session, &reply.writer, facts, &latest);
    price_charge(call->hub, call->conn, 0, reply.buffer.len);
    call_reply(call, &reply, latest);
}

/* ---- create */

/* NULL: no memory, nothing answered. */
static struct blob *room_blob(const struct call *call, const char *room, const char *code)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "room", room);
    if (code[0])
        writer_key_string(&reply.writer, "code", code);
    return reply_blob(&reply);
}

/* `seq`: of the event of `behind` that has made it, if this is a repeat; else 0. */
static void reply_with_room(const struct call *call, const struct hub_room *behind, uint64_t seq,
                            const char *room, const char *code)
{
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.hub_room = NULL;
    pending.seq = seq;
    pending.blob = room_blob(call, room, code);
    call_defer(call, &pending, behind);
}

/* Counts against the address too, as one client can have any number of sessions. */
static enum protocol_error create_allowed(const struct call *call, size_t ops)
{
    struct hub *hub = call->hub;
    enum protocol_error error = change_allowed(hub, ops);
    if (error != PROTOCOL_OK)
        return error;
    if (hub->draining)
        return PROTOCOL_DRAINING;
    if (call->session->host_count >= hub->config.rooms_per_session)
        return PROTOCOL_TOO_MANY_ROOMS;
    if (hub->shares.rooms[address_share(call->conn->address)] >= hub->config.rooms_per_address)
        return PROTOCOL_TOO_MANY_ROOMS;
    if (!bucket_take(&call->conn->address->rooms, &hub->rules.rooms, hub->now_ms))
        return PROTOCOL_SLOW_DOWN;
    if (!rooms_make_place(hub, call->hub_room, &call->conn->address->origin))
        return PROTOCOL_FULL;
    return PROTOCOL_OK;
}

/* The request is a repeat: answers with the room that it created. */
static bool repeat_create(const struct call *call)
{
    uint64_t digest;
    struct hub_room *hub_room =
        hub_room_created_by(call->hub, call->session->id, call->request->id, &digest);
    if (!hub_room)
        return false;
    if (digest != request_digest(call->request)) {
        call_error(call, PROTOCOL_ID_REUSED, "id");
        return true;
    }
    reply_with_room(call, hub_room, 1, hub_room->id, room_seed(hub_room->room)->code);
    return true;
}

static void create_room(const struct call *call, const struct kernel_room_plan *plan,
                        struct room *room)
{
    struct hub *hub = call->hub;
    struct pending pending = call_pending(call, PENDING_REPLY);
    pending.blob = room_blob(call, room_id(room), room_seed(room)->code);
    if (pending.blob)
        pending.hub_room = room_open_made(hub, plan, room, address_share(call->conn->address), 1);
    else
        room_destroy(room);
    if (pending.hub_room) {
        hub_room_set_origin(hub, pending.hub_room, call->conn->address);
        batch_defer(hub->commit.filling, &pending);
        return;
    }
    pending_discard(&pending);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

void op_create(struct call *call)
{
    struct hub *hub = call->hub;
    const struct kernel_room_plan plan = {.create = call->request, .host = call->session->id};
    struct refusal refusal = {0};
    if (repeat_create(call))
        return;
    enum protocol_error error = create_allowed(call, 2);
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    struct room *room = room_plan(hub, &plan, call->request->id, &refusal);
    if (room)
        create_room(call, &plan, room);
    else
        call_refuse(call, &refusal);
}

/* ---- watch and join */

/*
 * The session need not give the code again, not even after a restart. No reply waits for this to be
 * stored: if it cannot be, the client is asked for the code once more.
 */
static void let_in(const struct call *call)
{
    struct hub *hub = call->hub;
    struct store_guest guest = {.session = call->session->id};
    if (room_let_in(call->hub_room->room, guest.session, &guest.instead_of) &&
        change_allowed(hub, 1) == PROTOCOL_OK &&
        batch_reserve(hub->commit.filling, 1, 0, 0, 0) == 0)
        batch_let_in(hub->commit.filling, call->hub_room, &guest);
}

/* True: the session may enter. Otherwise the request has been answered. */
static bool admit_session(const struct call *call)
{
    const struct request *request = call->request;
    const char *code = request_has(request, REQUEST_CODE) ? request->code : NULL;
    struct room *room = call->hub_room->room;
    enum protocol_error error = room_admits(room, call->session->id, NULL);
    if (error == PROTOCOL_OK)
        return true;
    if (!code) {
        call_error(call, error, "code");
        return false;
    }
    error = room_admits(room, call->session->id, code);
    if (error == PROTOCOL_OK) {
        let_in(call);
        return true;
    }
    call_refuse_guess(call, error, "code");
    return false;
}

/* Encodes the view now; it is sent, and the subscription begins, when the last event is durable. */
static bool hold_view(const struct call *call)
{
    struct pending pending = call_pending(call, PENDING_SUBSCRIBE);
    int64_t have = request_has(call->request, REQUEST_HAVE) ? call->request->have : -1;
    pending.seat = room_seat_of(call->hub_room->room, call->session->id);
    pending.seq = room_seq(call->hub_room->room);
    pending.u.view =
        view_create(call->hub, call->hub_room, pending.seat, have, call_is_follow(call));
    if (pending.u.view && !call_is_follow(call))
        price_charge(call->hub, call->conn, view_bytes(pending.u.view),
                     pending.u.view->encoded_bytes);
    if (pending.u.view && pending_put(call->hub, call->hub_room, &pending) == 0)
        return true;
    pending_discard(&pending);
    return false;
}

void op_watch(struct call *call)
{
    if (!admit_session(call) || !gate_lets_pass(call))
        return;
    enum protocol_error error = subscription_allowed(call->hub, call->conn, call->hub_room, false);
    if (error == PROTOCOL_OK && !hold_view(call))
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}

/* `sits`: it takes a seat now. */
static enum protocol_error join_allowed(const struct call *call, bool sits)
{
    const struct hub *hub = call->hub;
    enum protocol_error error = subscription_allowed(hub, call->conn, call->hub_room, sits);
    if (error != PROTOCOL_OK || !sits)
        return error;
    if (call->session->seat_count >= hub->config.seats_per_session)
        return PROTOCOL_TOO_MANY_SEATS;
    return change_allowed(hub, 1);
}

void op_join(struct call *call)
{
    struct hub *hub = call->hub;
    struct room_event event;
    if (!admit_session(call))
        return;
    enum room_decision decision = call_decide(call, &event, NULL);
    if (decision == ROOM_REFUSED || !gate_lets_pass(call))
        return;
    bool sits = decision == ROOM_ACCEPTED && event.seq;
    enum protocol_error error = join_allowed(call, sits);
    if (error == PROTOCOL_OK && sits && change_apply(hub, call->hub_room, &event, 1) < 0)
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    if (!hold_view(call)) /* it may have taken a seat: the client has to reconnect and ask again */
        conn_close(hub, call->conn, CLOSE_SERVER_FAULT);
}

/* ---- past events */

/* Of events in one answer: far below the smallest outbox, as several answers may lie in it. */
enum { PAST_BYTES = 32768 };

struct past {
    struct writer *writer;
    uint64_t seq; /* of the last event that was written */
    size_t bytes;
};

static int add_past(void *ctx, const char *bytes, size_t len)
{
    struct past *past = ctx;
    if (past->bytes > 0 && past->bytes + len > PAST_BYTES)
        return 1;
    writer_raw(past->writer, bytes, len);
    past->bytes += len;
    past->seq++;
    return 0;
}

_Static_assert((int)REQUEST_AS_WATCHER == (int)ROOM_NO_SEAT &&
                   (int)REQUEST_AS_SERVER == (int)ROOM_SERVER,
               "a request names viewers as a room does");

/* The durable events behind `have` as the viewer was told them, as many as fit. */
static void write_past(const struct call *call, uint8_t viewer, struct reply *reply,
                       size_t *encoded_bytes)
{
    struct hub_room *hub_room = call->hub_room;
    uint64_t have = (uint64_t)call->request->have;
    struct past past = {.writer = &reply->writer, .seq = have};
    writer_key_string(&reply->writer, "room", hub_room->id);
    writer_key_array(&reply->writer, "events");
    if (have < hub_room->durable_seq &&
        history_write(call->hub, hub_room, room_audience(hub_room->room, viewer), have,
                      hub_room->durable_seq, add_past, &past, encoded_bytes) < 0)
        reply->buffer.failed = true;
    writer_end(&reply->writer);
    writer_key_int(&reply->writer, "seq", (int64_t)past.seq);
    if (past.seq < hub_room->durable_seq)
        writer_key_bool(&reply->writer, "more", true);
}

/*
 * Of a match that is over anybody may see what others saw. Its end may not be durable yet, and be
 * taken back; so such an answer waits for it.
 */
void op_past(struct call *call)
{
    struct reply reply;
    size_t encoded_bytes = 0;
    if (!admit_session(call))
        return;
    const struct room *room = call->hub_room->room;
    uint8_t seat = room_seat_of(room, call->session->id);
    uint8_t viewer = request_has(call->request, REQUEST_AS) ? call->request->as : seat;
    enum protocol_error error = room_may_view_as(room, seat, viewer);
    if (error != PROTOCOL_OK) {
        call_refuse(call, &(struct refusal){.error = error, .field = "as"});
        return;
    }
    call_reply_begin(call, &reply);
    write_past(call, viewer, &reply, &encoded_bytes);
    price_charge(call->hub, call->conn, 0, encoded_bytes);
    call_reply(call, &reply, viewer == seat ? NULL : call->hub_room);
}

/* ---- leave */

void op_leave(struct call *call)
{
    struct hub *hub = call->hub;
    struct room_event event;
    struct reply reply;
    uint64_t repeat_seq = 0;
    enum room_decision decision = call_decide(call, &event, &repeat_seq);
    if (decision == ROOM_REFUSED)
        return;
    bool change = decision == ROOM_ACCEPTED && event.seq;
    enum protocol_error error = change ? change_allowed(hub, 1) : PROTOCOL_OK;
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    struct pending pending = call_pending(call, PENDING_UNSUBSCRIBE);
    pending.seq = repeat_seq;
    call_reply_begin(call, &reply);
    pending.blob = reply_blob(&reply);
    if (pending.blob && change && change_apply(hub, call->hub_room, &event, 1) < 0) {
        blob_unref(pending.blob);
        pending.blob = NULL;
    }
    call_defer(call, &pending, call->hub_room);
}

/* ---- rematch */

/* Events of the new room (its creation, a seat for each player) and the one of the old. */
static size_t rematch_ops(const struct hub_room *old)
{
    return 3 + (size_t)old->seats;
}

struct again {
    const struct room *old;
    unsigned next;
};

/* The players take their seats, each moved by one. */
static bool next_again(struct hub *hub, const struct hub_room *hub_room, void *ctx,
                       struct room_event *event)
{
    struct again *again = ctx;
    return room_decide_rematch_seat(hub_room->room, again->old, again->next++, hub->now_ms, event,
                                    hub->scratch);
}

static struct hub_room *add_rematch(const struct call *call, struct room *room,
                                    struct batch_mark mark)
{
    struct hub *hub = call->hub;
    struct hub_room *hub_room = room_open(hub, room, address_share(call->conn->address));
    if (!hub_room) {
        room_destroy(room);
        return NULL;
    }
    struct again again = {.old = call->hub_room->room};
    if (room_open_seat(hub, hub_room, next_again, &again) == 0)
        return hub_room;
    room_open_undo(hub, hub_room, mark);
    return NULL;
}

/* Both rooms change in one batch, or neither does. False: no memory, nothing has changed. */
static bool make_rematch(const struct call *call, struct room *room, struct room_event *event)
{
    struct hub *hub = call->hub;
    struct batch *batch = hub->commit.filling;
    struct pending pending = call_pending(call, PENDING_REPLY);
    struct batch_mark mark = batch_mark(batch);
    size_t ops = rematch_ops(call->hub_room);
    if (batch_reserve(batch, ops, 2, 2, ops * ROOM_EVENT_TEXT_MAX) < 0) {
        room_destroy(room);
        return false;
    }
    struct hub_room *hub_room = add_rematch(call, room, mark);
    if (!hub_room)
        return false;
    room_fill_rematch(event, hub_room->id, hub->draft.text);
    pending.blob = room_blob(call, hub_room->id, room_seed(hub_room->room)->code);
    if (!pending.blob || change_apply(hub, call->hub_room, event, 1) < 0) {
        room_open_undo(hub, hub_room, mark);
        pending_discard(&pending);
        return false;
    }
    batch_join(batch, mark, call->hub_room->id);
    batch_defer(batch, &pending);
    return true;
}

/* `seq`: of the event that made it, if this is a repeat. */
static void rematch_known(const struct call *call, uint64_t seq)
{
    const char *id = room_rematch(call->hub_room->room);
    const struct hub_room *hub_room = hub_room_find(call->hub, id);
    reply_with_room(call, call->hub_room, seq, id, hub_room ? room_seed(hub_room->room)->code : "");
}

void op_rematch(struct call *call)
{
    struct hub *hub = call->hub;
    struct room_event event;
    struct room_seed seed;
    struct refusal refusal = {0};
    uint64_t repeat_seq = 0;
    enum room_decision decision = call_decide(call, &event, &repeat_seq);
    if (decision == ROOM_REFUSED)
        return;
    if (decision == ROOM_REPEATED || !event.seq) {
        rematch_known(call, repeat_seq);
        return;
    }
    if (!gate_lets_pass(call))
        return;
    enum protocol_error error = create_allowed(call, rematch_ops(call->hub_room));
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    hub_room_seed(hub, &seed, call->session->id,
                  room_access(call->hub_room->room) == PROTOCOL_ACCESS_CODE);
    struct room *room = room_create_rematch(call->hub_room->room, &seed, hub->now_ms, &refusal);
    if (!room)
        call_refuse(call, &refusal);
    else if (!make_rematch(call, room, &event))
        call_error(call, PROTOCOL_INTERNAL, NULL);
}
