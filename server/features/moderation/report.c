#include "report.h"

#include "cases.h"
#include "report_table.h"
#include "state.h"
#include "talk.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <inttypes.h>
#include <protocol/json_writer.h>
#include <protocol/terms.h>
#include <room/room.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char report_letter[] = "moderation.report";

/* "REPORTER ABOUT SOURCE WHY " and the snapshot. */
enum { HEAD_BYTES = 64, LETTER_BYTES = HEAD_BYTES + REPORT_TEXT_MAX };
static_assert(HEAD_BYTES <= KERNEL_SEEN_TEXT - KERNEL_SEEN_BYTES, "it was reserved");

/* ---- who has reported lately */

void reporters_release(struct reporters *reporters)
{
    free(reporters->items);
    *reporters = (struct reporters){0};
}

static bool reserve_reporters(struct reporters *reporters)
{
    if (!reporters->items)
        reporters->items = calloc(REPORTS_REMEMBERED, sizeof *reporters->items);
    return reporters->items;
}

static void remember_reported(struct reporters *reporters, const struct reported *reported)
{
    reporters->items[reporters->next] = *reported;
    reporters->next = (reporters->next + 1) % REPORTS_REMEMBERED;
    reporters->count += reporters->count < REPORTS_REMEMBERED;
}

/* How many of the same person today; and is this one of them? */
static size_t count_today(const struct reporters *reporters, const struct reported *reported,
                          bool *repeated)
{
    size_t count = 0;
    *repeated = false;
    for (size_t at = 0; at < reporters->count; at++) {
        const struct reported *other = &reporters->items[at];
        if (other->by != reported->by || other->at_ms + REPORT_DAY_MS <= reported->at_ms)
            continue;
        count++;
        *repeated = *repeated || (other->about == reported->about && other->why == reported->why);
    }
    return count;
}

/* ---- the snapshot */

static void write_seat(const struct room *room, uint8_t seat, struct writer *writer)
{
    const struct protocol_account *account = room_seat_account(room, seat);
    const uint64_t session = room_seat_session(room, seat);
    if (!room_seat_name(room, seat)[0])
        return;
    writer_object(writer);
    writer_key_int(writer, "seat", seat);
    writer_key_string(writer, "name", room_seat_name(room, seat));
    if (session)
        writer_key_id(writer, "session", session);
    if (session && account && account->handle[0])
        writer_key_string(writer, "handle", account->handle);
    writer_end(writer);
}

static void write_line(const struct talk_line *line, struct writer *writer)
{
    writer_object(writer);
    writer_key_int(writer, "at", line->at_ms);
    if (line->seat != ROOM_NO_SEAT)
        writer_key_int(writer, "seat", line->seat);
    writer_key_string(writer, "name", line->name);
    writer_key_string(writer, "text", line->text);
    writer_end(writer);
}

/* `lines` from `first` on; of no more is there place in a letter. */
static void write_snapshot(const struct call *call, const struct talk_line *first,
                           struct buffer *out)
{
    const struct request *request = call->request;
    const struct room *room = kernel_room(call->hub_room);
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_int(&writer, "at", kernel_now_ms(call->hub));
    writer_key_string(&writer, "room", room_id(room));
    writer_key_string(&writer, "game", room_game(room));
    writer_key_string(&writer, "phase", protocol_phase_name(room_phase(room)));
    writer_key_int(&writer, "seq", (int64_t)room_seq(room));
    writer_key_int(&writer, "seat", request->seat);
    if (request_has(request, REQUEST_TEXT))
        writer_key_string(&writer, "text", request->text);
    writer_key_array(&writer, "seats");
    for (unsigned seat = 0; seat < room_seats(room); seat++)
        write_seat(room, (uint8_t)seat, &writer);
    writer_end(&writer);
    writer_key_array(&writer, "talk");
    for (; first; first = first->next)
        write_line(first, &writer);
    writer_end(&writer);
    writer_end(&writer);
}

/* With as many of the last lines as there is place for. False: no memory. */
static bool make_snapshot(const struct call *call, struct buffer *out)
{
    const struct talk_line *first = talk_first(call->hub, call->hub_room);
    buffer_init(out, 0, REPORT_TEXT_MAX);
    write_snapshot(call, first, out);
    while (out->failed && first) {
        first = first->next;
        buffer_clear(out);
        write_snapshot(call, first, out);
    }
    return !out->failed;
}

/* ---- the letter */

/* It counts once it is kept: who was refused may say it again. */
struct sending {
    struct kernel_change change;
    struct reported reported;
};

static void remember_sent(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct sending *sending = (const struct sending *)(const void *)change;
    (void)session;
    remember_reported(&moderation_of(hub)->reporters, &sending->reported);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type sent_type = {.carry_out = remember_sent,
                                                    .destroy = destroy_change};

/* `from`: who sends it; `source`: where that comes from. <0: no memory. */
static int send_letter(struct hub *hub, uint64_t from, unsigned source,
                       const struct reported *reported, const char *object, size_t object_len)
{
    char text[LETTER_BYTES + 1];
    const int len =
        snprintf(text, sizeof text, "%016" PRIx64 " %016" PRIx64 " %05u %u %.*s", reported->by,
                 reported->about, source, (unsigned)reported->why, (int)object_len, object);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = report_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .session = from};
    return kernel_send_letter(hub, &letter);
}

/* Who plays badly on purpose deceives those whom they play with. */
int report_seen(struct hub *hub, const struct session *session, const char *object, size_t len)
{
    const uint64_t about = kernel_session_id(session);
    const struct reported reported = {.about = about, .why = WHY_CHEATING};
    assert(len <= KERNEL_SEEN_BYTES);
    return send_letter(hub, about, 0, &reported, object, len);
}

static enum protocol_error send_report(const struct call *call, const struct reported *reported,
                                       bool (*make)(const struct call *call, struct buffer *out))
{
    struct reply reply;
    struct buffer snapshot;
    enum protocol_error error = kernel_may_store(call->hub, 1);
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error != PROTOCOL_OK)
        return error;
    struct sending *sending = calloc(1, sizeof *sending);
    const bool made = make(call, &snapshot);
    if (!sending || !made || kernel_reserve(call->hub, 1, LETTER_BYTES) < 0 ||
        send_letter(call->hub, reported->by, kernel_source_share(call), reported,
                    buffer_payload(&snapshot), snapshot.len) < 0) {
        buffer_release(&snapshot);
        free(sending);
        return PROTOCOL_INTERNAL;
    }
    buffer_release(&snapshot);
    *sending = (struct sending){{&sent_type}, *reported};
    call_reply_begin(call, &reply);
    if (kernel_change_answered(call, call->session, &reply, &sending->change) == 0)
        return PROTOCOL_OK;
    free(sending);
    return PROTOCOL_INTERNAL;
}

/* ---- the request */

static enum protocol_error may_report(const struct call *call, struct reported *reported,
                                      const char **field)
{
    const struct room *room = kernel_room(call->hub_room);
    const uint8_t seat = call->request->seat;
    *field = NULL;
    if (!kernel_account(call->session))
        return PROTOCOL_ACCOUNT_NEEDED;
    if (!kernel_session_watches(call->session, call->hub_room))
        return PROTOCOL_NOT_SUBSCRIBED;
    *field = "seat";
    if (seat >= room_seats(room))
        return PROTOCOL_UNKNOWN_SEAT;
    *reported = (struct reported){.by = kernel_session_id(call->session),
                                  .about = room_seat_session(room, seat),
                                  .why = why_find(call->request->why),
                                  .at_ms = kernel_now_ms(call->hub)};
    if (!reported->about)
        return PROTOCOL_SEAT_EMPTY;
    return reported->about != reported->by ? PROTOCOL_OK : PROTOCOL_BAD_FIELD;
}

static void answer_repeated(const struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    call_reply(call, &reply, NULL);
}

void report_file(const struct call *call, const struct reported *reported,
                 bool (*make)(const struct call *call, struct buffer *out))
{
    struct reporters *reporters = &moderation_of(call->hub)->reporters;
    enum protocol_error error;
    bool repeated = false;
    if (!reserve_reporters(reporters)) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    const size_t today = count_today(reporters, reported, &repeated);
    if (repeated) {
        answer_repeated(call);
        return;
    }
    if (today >= (uint64_t)kernel_config(call->hub)->reports_per_account_per_day)
        error = PROTOCOL_TOO_MANY_REPORTS;
    else
        error = send_report(call, reported, make);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}

void op_report(struct call *call)
{
    struct reported reported;
    const char *field;
    const enum protocol_error error = may_report(call, &reported, &field);
    if (error == PROTOCOL_OK)
        report_file(call, &reported, make_snapshot);
    else
        call_error(call, error, field);
}
