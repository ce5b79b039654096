#include "op_hint.h"

#include "changes/change.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/price.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "rooms/hub_room.h"
#include "thinking/hint_job.h"
#include "waiting/think_queue.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <room/hint.h>
#include <stdlib.h>
#include <string.h>

/* ---- may there be one? */

/* Counts against the address too, as one client can have any number of sessions. */
static enum protocol_error hint_allowed(const struct call *call, bool is_event)
{
    const struct hub *hub = call->hub;
    if (!bucket_has(&call->session->hints, &hub->rules.hints, hub->now_ms) ||
        !bucket_has(&call->conn->address->hints, &hub->rules.address_hints, hub->now_ms))
        return PROTOCOL_SLOW_DOWN;
    return is_event ? change_allowed(hub, 1) : PROTOCOL_OK;
}

static void take_tokens(const struct call *call)
{
    const struct hub *hub = call->hub;
    bucket_take(&call->session->hints, &hub->rules.hints, hub->now_ms);
    bucket_take(&call->conn->address->hints, &hub->rules.address_hints, hub->now_ms);
}

/* ---- giving it */

/*
 * Who has announced a hint, durably, is never told that nothing has changed because what others
 * have done since could not be stored: neither with the answer nor with a reason why there is none.
 */
static void defer_hint(const struct call *call, struct pending *pending)
{
    pending->seq = room_hint_event(call->hub_room->room, call->session->id, call->request->id);
    call_defer(call, pending, call->hub_room);
}

static void refuse_hint(const struct call *call, enum protocol_error why,
                        enum protocol_error undone)
{
    struct pending pending = call_refusal(call, &(struct refusal){.error = why});
    pending.undone = (uint16_t)undone;
    defer_hint(call, &pending);
}

/* Decided on the room's last event, and waits for it as any refusal does. If that is undone the
 * position is there again, and the hint can be asked for again. */
static void call_moved_on(const struct call *call)
{
    if (call->hub_room)
        refuse_hint(call, PROTOCOL_MOVED_ON, PROTOCOL_BUSY);
    else
        call_error(call, PROTOCOL_MOVED_ON, NULL);
}

static void answer_call(const struct call *call, const struct room_hint *hint)
{
    struct pending pending = call_pending(call, PENDING_REPLY);
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "room", call->hub_room->id);
    room_hint_write(hint, &reply.writer);
    pending.blob = reply_blob(&reply);
    if (pending.blob)
        price_charge(call->hub, call->conn, pending.blob->len, 0);
    defer_hint(call, &pending);
}

/* What was undone since has cancelled the thought, and the position is as it was. */
static bool can_ask_again(const struct call *call)
{
    const struct room *room = call->hub_room ? call->hub_room->room : NULL;
    const uint64_t seq = room ? room_hint_event(room, call->session->id, call->request->id) : 0;
    return seq > 0 && room_hint_lasts(room, seq);
}

/*
 * `answered` NULL: there is no answer, for this reason. A lesser one, found at once, would make the
 * answer depend on how busy the server was.
 */
static void tell_hint(struct hub *hub, const struct hint_job *hint_job,
                      const struct room_hint *answered, enum protocol_error why)
{
    struct hub_room *hub_room = hub_room_find(hub, hint_job->room);
    struct call call;
    if (!call_again(hub, hint_job->peer, hint_job->id, REQUEST_HINT, &call))
        return;
    call.hub_room = hub_room;
    const bool holds = hub_room && room_hint_holds(hub_room->room, hint_job->hint);
    if (holds && answered)
        answer_call(&call, answered);
    else if (holds)
        refuse_hint(&call, why, PROTOCOL_OK);
    else if (can_ask_again(&call))
        refuse_hint(&call, PROTOCOL_BUSY, PROTOCOL_OK);
    else
        call_moved_on(&call);
}

static void finish_job(struct hub *hub, struct think_job *job, bool answered)
{
    struct hint_job *hint_job = (struct hint_job *)(void *)job;
    hint_job_remove(hint_job);
    tell_hint(hub, hint_job, answered ? hint_job->hint : NULL, PROTOCOL_INTERNAL);
}

static void give_way(struct hub *hub, struct think_job *job)
{
    struct hint_job *hint_job = (struct hint_job *)(void *)job;
    hint_job_remove(hint_job);
    tell_hint(hub, hint_job, NULL, PROTOCOL_BUSY);
}

void op_hint_late(struct hub *hub)
{
    struct hint_job *hint_job;
    while ((hint_job = hint_job_late(hub))) {
        struct think_job *job = &hint_job->job;
        give_way(hub, job);
        think_drop(hub, &job, THINK_LATE);
    }
}

static bool run_job(struct think_job *job, struct game_thinking *thinking)
{
    return room_hint_make(((struct hint_job *)(void *)job)->hint, thinking);
}

/* Takes over the hint, unless there is no memory: NULL. */
static struct hint_job *make_job(const struct call *call, struct room_hint *hint)
{
    struct hint_job *hint_job = calloc(1, sizeof *hint_job);
    if (!hint_job)
        return NULL;
    hint_job->job.kind = THINK_HINT;
    hint_job->job.share = address_share(call->conn->address);
    hint_job->job.origin = call->conn->address->origin;
    hint_job->job.memory_bytes = hint->game->computer->hint_bytes;
    hint_job->job.run = run_job;
    hint_job->job.done = finish_job;
    hint_job->job.give_way = give_way;
    hint_job->job.release = hint_job_release;
    hint_job->peer = call->conn->peer;
    hint_job->id = call->request->id;
    hint_job->until_ms = call->hub->now_ms + call->hub->config.hint_wait_ms;
    memcpy(hint_job->room, call->hub_room->id, sizeof hint_job->room);
    hint_job->hint = hint;
    return hint_job;
}

static bool is_quick(const struct hub *hub, const struct room_hint *hint)
{
    size_t bytes = hint->game->computer->hint_bytes;
    return bytes == 0 || !think_can(hub, bytes);
}

static enum protocol_error announce_hint(const struct call *call, const struct room_event *event)
{
    bool announced = !event || change_apply(call->hub, call->hub_room, event, 1) == 0;
    return announced ? PROTOCOL_OK : PROTOCOL_INTERNAL;
}

static enum protocol_error give_now(const struct call *call, const struct room_event *event,
                                    struct room_hint *hint)
{
    enum protocol_error error = announce_hint(call, event);
    if (error == PROTOCOL_OK) {
        room_hint_make(hint, NULL);
        answer_call(call, hint);
    }
    free(hint);
    return error;
}

static enum protocol_error give_later(const struct call *call, const struct room_event *event,
                                      struct room_hint *hint)
{
    struct hint_job *hint_job = make_job(call, hint);
    if (!hint_job) {
        free(hint);
        return PROTOCOL_INTERNAL;
    }
    if (!hint_job_add(call->hub, hint_job)) {
        hint_job_release(&hint_job->job);
        return PROTOCOL_BUSY;
    }
    enum protocol_error error = announce_hint(call, event);
    if (error != PROTOCOL_OK) {
        struct think_job *job = &hint_job->job;
        hint_job_remove(hint_job);
        think_drop(call->hub, &job, THINK_CANCELLED);
    }
    return error;
}

/* `event` NULL: it has been announced before, by the event `repeat_seq` if it is a repeat, which is
 * answered as the first time. Nobody is told of a hint that is not given. */
static enum protocol_error give_hint(const struct call *call, const struct room_event *event,
                                     uint64_t repeat_seq)
{
    const struct room *room = call->hub_room->room;
    struct room_hint *hint = room_ask_hint(room, room_seat_of(room, call->session->id));
    if (!hint)
        return PROTOCOL_INTERNAL;
    if (event || repeat_seq)
        hint->seq = event ? event->seq : repeat_seq;
    return is_quick(call->hub, hint) ? give_now(call, event, hint) : give_later(call, event, hint);
}

void op_hint(struct call *call)
{
    struct room_event event;
    uint64_t repeat_seq = 0;
    enum room_decision decision = call_decide(call, &event, &repeat_seq);
    if (decision == ROOM_REFUSED)
        return;
    bool is_event = decision == ROOM_ACCEPTED && event.seq != 0;
    enum protocol_error error = PROTOCOL_MOVED_ON;
    /* What was carried out before is answered again as long as its position lasts. */
    if (decision != ROOM_REPEATED || room_hint_lasts(call->hub_room->room, repeat_seq))
        error = hint_allowed(call, is_event);
    if (error == PROTOCOL_OK) {
        take_tokens(call);
        error = give_hint(call, is_event ? &event : NULL, repeat_seq);
    }
    if (error == PROTOCOL_MOVED_ON)
        call_moved_on(call);
    else if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}
