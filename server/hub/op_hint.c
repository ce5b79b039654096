#include "op_hint.h"

#include "address.h"
#include "call.h"
#include "change.h"
#include "conn.h"
#include "hub_private.h"
#include "hub_room.h"
#include <hub/bucket.h>
#include <room/hint.h>
#include <stdlib.h>

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

static void answer(const struct call *call, const struct room_hint *hint)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "room", call->hub_room->id);
    room_hint_write(hint, &reply.writer);
    call_reply(call, &reply, call->hub_room);
}

static enum protocol_error give(const struct call *call, const struct room_event *event)
{
    struct hub_room *hub_room = call->hub_room;
    if (event && change_apply(call->hub, hub_room, event, 1) < 0)
        return PROTOCOL_INTERNAL;
    uint8_t seat = room_seat_of(hub_room->room, call->session->id);
    struct room_hint *hint = room_ask_hint(hub_room->room, seat);
    if (!hint)
        return PROTOCOL_INTERNAL;
    room_hint_make(hint, NULL);
    answer(call, hint);
    free(hint);
    return PROTOCOL_OK;
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
        error = give(call, is_event ? &event : NULL);
    }
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}
