#include "op_play.h"

#include "changes/change.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/left_out.h"
#include "connections/price.h"
#include "connections/subscription.h"
#include "feature_table.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rooms/record_cache.h"
#include "rooms/watchers_rule.h"
#include "sessions/session.h"
#include <assert.h>
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/kernel_talk.h>
#include <protocol/record.h>

/* ---- changes */

/*
 * What is durable already holds even if later events fail to be stored. It is answered at once to
 * who has been sent it; to anybody else not before the view that they may be waiting for, in which
 * it is.
 */
static void reply_with_seq(const struct call *call, uint64_t seq)
{
    const struct hub_room *hub_room = call->hub_room;
    const bool told = seq <= hub_room->durable_seq && subscription_find(call->conn, hub_room);
    struct pending pending = call_pending(call, PENDING_REPLY);
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "seq", (int64_t)seq);
    pending.seq = seq;
    pending.blob = reply_blob(&reply);
    if (pending.blob)
        price_charge(call->hub, call->conn, pending.blob->len, 0);
    call_defer(call, &pending, told ? NULL : hub_room);
}

static enum protocol_error may_change(const struct call *call)
{
    if (call->hub->draining && call->request->op == REQUEST_START)
        return PROTOCOL_DRAINING;
    return change_allowed(call->hub, 1);
}

static void change(const struct call *call, const struct room_event *event)
{
    struct pending pending = call_pending(call, PENDING_REPLY);
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "seq", (int64_t)event->seq);
    pending.blob = reply_blob(&reply);
    if (pending.blob && change_apply(call->hub, call->hub_room, event, 1) < 0) {
        blob_unref(pending.blob);
        pending.blob = NULL;
    }
    call_defer(call, &pending, call->hub_room);
}

void op_change(struct call *call)
{
    struct room_event event;
    uint64_t repeat_seq = 0;
    enum room_decision decision = call_decide(call, &event, &repeat_seq);
    if (decision == ROOM_REFUSED)
        return;
    if (decision == ROOM_REPEATED) {
        reply_with_seq(call, repeat_seq);
        return;
    }
    if (!event.seq) {
        reply_with_seq(call, room_seq(call->hub_room->room));
        return;
    }
    enum protocol_error error = may_change(call);
    if (error == PROTOCOL_OK)
        change(call, &event);
    else
        call_error(call, error, NULL);
}

/* ---- questions */

void op_check(struct call *call)
{
    const struct room_actor actor = session_actor(call->session);
    struct refusal refusal = {0};
    struct reply reply;
    if (!room_check(call->hub_room->room, &actor, call->request, call->hub->now_ms, &refusal)) {
        call_refuse(call, &refusal);
        return;
    }
    call_reply_begin(call, &reply);
    call_reply(call, &reply, call->hub_room);
}

void op_moves(struct call *call)
{
    const struct room_actor actor = session_actor(call->session);
    struct refusal refusal = {0};
    struct reply reply;
    call_reply_begin(call, &reply);
    if (room_write_moves(call->hub_room->room, &actor, &reply.writer, &refusal)) {
        call_reply(call, &reply, call->hub_room);
        return;
    }
    buffer_release(&reply.buffer);
    call_refuse(call, &refusal);
}

/* ---- record */

/*
 * Of a record in one answer. A long one does not fit into an outbox; a quarter does, beside other
 * answers and with characters that are escaped, and is longer than any line.
 */
enum { RECORD_PART = 4 };

/* How much of the text is sent: all, or whole lines. */
static size_t piece_len(const struct call *call, const char *text, size_t len)
{
    size_t piece = (size_t)call->hub->config.outbox_bytes / RECORD_PART;
    if (len <= piece)
        return len;
    while (text[piece - 1] != '\n') {
        piece--;
        assert(piece > 0);
    }
    return piece;
}

/* False: `have` is no place where a piece begins. */
static bool write_piece(const struct call *call, const struct buffer *record, struct reply *reply)
{
    const uint64_t have =
        request_has(call->request, REQUEST_HAVE) ? (uint64_t)call->request->have : 0;
    const char *text = buffer_payload(record);
    if (have > record->len || (have > 0 && text[have - 1] != '\n'))
        return false;
    const size_t len = piece_len(call, text + have, record->len - have);
    writer_key(&reply->writer, "record");
    writer_string_n(&reply->writer, text + have, len);
    if (have + len < record->len)
        writer_key_int(&reply->writer, "next", (int64_t)(have + len));
    return true;
}

void op_record(struct call *call)
{
    struct hub_room *hub_room = call->hub_room;
    struct hub *hub = call->hub;
    struct buffer record;
    struct reply reply;
    uint64_t replayed;
    enum protocol_error error = room_admits(hub_room->room, call->session->id, NULL);
    if (error != PROTOCOL_OK) {
        call_error(call, error, "code");
        return;
    }
    call_reply_begin(call, &reply);
    buffer_init(&record, 0, RECORD_BYTES);
    record_cache_write(hub, hub_room, &record, &replayed);
    price_charge(hub, call->conn, 0, (size_t)replayed * PRICE_EVENT_BYTES);
    if (record.failed) {
        reply.buffer.failed = true;
    } else if (!write_piece(call, &record, &reply)) {
        buffer_release(&record);
        buffer_release(&reply.buffer);
        call_error(call, PROTOCOL_BAD_FIELD, "have");
        return;
    }
    buffer_release(&record);
    call_reply(call, &reply, NULL);
}

/* ---- chat */

static bool watchers_may_say(const struct call *call)
{
    const struct bucket_rule rule = watchers_rule(call->hub, call->hub_room, call->conn->address);
    return bucket_has(&call->hub_room->watchers_say, &rule, call->hub->now_ms);
}

static void charge_watchers(const struct call *call)
{
    struct hub_room *const hub_room = call->hub_room;
    bucket_charge(&hub_room->watchers_say, &call->hub->rules.watchers_say,
                  subscription_weight(hub_room), call->hub->now_ms);
    hub_room->watcher_said = address_share(call->conn->address);
}

/*
 * So much of each session, of all of an address, and of all who watch a room: a crowd that looks on
 * cannot drown out those who play.
 */
static bool take_say(const struct call *call, bool watches)
{
    if ((watches && !watchers_may_say(call)) || !kernel_take_say(call))
        return false;
    if (watches)
        charge_watchers(call);
    return true;
}

static struct feature_line line_of(const struct call *call, uint8_t seat)
{
    const struct origin origin = call->conn->address->origin;
    return (struct feature_line){.session = call->session->id,
                                 .household = origin.at[ORIGIN_HOUSEHOLD],
                                 .seat = seat,
                                 .name = seat != ROOM_NO_SEAT
                                             ? room_seat_name(call->hub_room->room, seat)
                                             : call->session->name,
                                 .text = call->request->text};
}

static struct blob *said_blob(const struct call *call, const struct feature_line *line,
                              enum hub_about about)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PROTOCOL_SAY_BYTES * 6 + 1024);
    writer_init(&writer, &buffer);
    push_begin(&writer, "said", call->hub_room->id);
    if (line->seat != ROOM_NO_SEAT)
        writer_key_int(&writer, "seat", line->seat);
    writer_key_string(&writer, "name", line->name);
    writer_key_string(&writer, "text", line->text);
    push_end(&writer);
    struct hub_head head = head_push(HUB_PUSH, call->hub_room->id, 0);
    head.about = (uint8_t)about;
    return blob_message(&buffer, &head);
}

/* True: they may not, and are told why. */
static bool refuse_say(struct call *call, bool watches)
{
    const int64_t silenced_ms = kernel_silenced_until_ms(call);
    if (!subscription_find(call->conn, call->hub_room))
        call_error(call, PROTOCOL_NOT_SUBSCRIBED, NULL);
    else if (call->conn->quiet)
        call_error(call, PROTOCOL_QUIET, NULL);
    else if (silenced_ms)
        call_error_until(call, PROTOCOL_SILENCED, silenced_ms);
    else if (!take_say(call, watches))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else
        return false;
    return true;
}

static void tell_line(const struct call *call, const struct feature_line *line, struct blob *blob,
                      bool watches)
{
    left_out_or_said(call->hub, call->hub_room, call->session->id, blob,
                     watches ? LEFT_OUT_WATCHERS_LINE : LEFT_OUT_LINE);
    features_said(call->hub, call->hub_room, line);
}

void op_say(struct call *call)
{
    struct reply reply;
    const uint8_t seat = room_seat_of(call->hub_room->room, call->session->id);
    const bool watches = seat == ROOM_NO_SEAT;
    if (refuse_say(call, watches))
        return;
    const struct feature_line line = line_of(call, seat);
    struct blob *blob = said_blob(call, &line, watches ? HUB_ABOUT_WATCHERS_LINE : HUB_ABOUT_LINE);
    if (!blob) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    tell_line(call, &line, blob, watches);
    blob_unref(blob);
    call_reply_begin(call, &reply);
    call_reply(call, &reply, NULL);
}
