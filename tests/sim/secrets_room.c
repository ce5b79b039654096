/* A whole room of Totem, restored twice: the second time a family has hidden other spells. */
#include "marks.h"
#include "secrets.h"
#include <assert.h>
#include <cards.h>
#include <room_internal.h>
#include <string.h>
#include <totem/game.h>
#include <totem_hidden.h>
#include <view.h>

/* What a family has hidden since the round began, and what it could have hidden instead. */
struct hiding {
    uint64_t since; /* the round's last event before it */
    unsigned family;
    unsigned pair[2];
};

static const struct totem_match *totem_of(const struct room *room)
{
    return match_game_of(room->match);
}

/* The spells that it has uncovered since then: nothing can be exchanged for them. */
static unsigned shown_since(const struct room *room, uint64_t since, unsigned family)
{
    unsigned shown = 0;
    for (uint64_t seq = since + 1; seq <= room_seq(room); seq++) {
        struct room_event event;
        room_event_at(room, seq, &event);
        if (event.kind == ROOM_MOVE)
            shown |= totem_shown_by(event.text, event.text_len, family);
    }
    return shown;
}

/* From the same log, or, with `hiding`, from one with other commands. NULL: they are impossible. */
static struct room *restore(const struct room *room, const struct hiding *hiding)
{
    struct room *other = room_restore(test_games, room_seed(room));
    assert(other);
    for (uint64_t seq = 1; seq <= room_seq(room); seq++) {
        char text[ROOM_EVENT_TEXT_MAX];
        struct room_event event;
        room_event_at(room, seq, &event);
        if (hiding && seq > hiding->since && event.kind == ROOM_MOVE) {
            size_t len = event.text_len;
            memcpy(text, event.text, len);
            totem_exchange_command(text, &len, hiding->family, hiding->pair[0], hiding->pair[1]);
            event.text = text;
            event.text_len = (uint16_t)len;
        }
        if (room_restore_event(other, &event) < 0) {
            room_destroy(other);
            return NULL;
        }
    }
    room_restored(other, room->match->at_ms);
    return other;
}

static int add_push(void *ctx, const char *bytes, size_t len)
{
    struct buffer *out = ctx;
    buffer_append(out, bytes, len);
    return 0;
}

/* What the room does next and when; what a seat that leads the family chooses is its own. */
static void write_next(const struct room *room, unsigned family, struct writer *writer)
{
    static const struct room_limits limits = {
        .abandoned_ms = 600000, .paused_ms = 600000, .computer_ms = 500};
    char scratch[ROOM_EVENT_TEXT_MAX];
    struct room_event event;
    int64_t deadline_ms = room_deadline_ms(room, &limits);
    writer_key_int(writer, "deadline", deadline_ms == INT64_MAX ? -1 : deadline_ms);
    if (deadline_ms == INT64_MAX || !room_decide_due(room, &limits, deadline_ms, &event, scratch))
        return;
    writer_key_int(writer, "due", event.kind);
    writer_key_int(writer, "seat", event.seat);
    writer_key_int(writer, "at", event.at_ms);
    if (event.kind == ROOM_MOVE && totem_seat_of(&totem_of(room)->options, family) == event.seat)
        return;
    writer_key(writer, "text");
    writer_string_n(writer, event.text, event.text_len);
}

static void write_answers(const struct room *room, unsigned audience, unsigned family,
                          struct writer *writer)
{
    unsigned viewer = view_viewer(&room->setup, audience);
    struct refusal refusal;
    writer_object(writer);
    writer_key(writer, "state");
    room_write_state(room, audience, room_seq(room), writer);
    writer_key(writer, "summary");
    room_write_summary(room, ROOM_NO_SEAT, writer);
    if (viewer < room_seats(room)) {
        const struct room_actor actor = {.session = room_seat_session(room, (uint8_t)viewer),
                                         .name = "Ana"};
        writer_key_object(writer, "moves");
        if (!room_write_moves(room, &actor, writer, &refusal))
            writer_key_string(writer, "refused", refusal.code ? refusal.code : "");
        writer_end(writer);
    }
    write_next(room, family, writer);
    writer_end(writer);
}

/* All that can be had from the room: what was missed, the record, and every answer. */
static void write_room(const struct room *room, unsigned audience, const struct hiding *hiding,
                       struct buffer *out)
{
    struct writer writer;
    int done = room_write_missed(room, audience, hiding->since, room_seq(room), add_push, out);
    assert(done == 0);
    done = room_write_record(room, room_seq(room), "sim 1", NULL, out);
    assert(done == 0);
    writer_init(&writer, out);
    write_answers(room, audience, hiding->family, &writer);
    assert(!out->failed);
}

static bool same_room(const struct room *room, const struct room *other, unsigned audience,
                      const struct hiding *hiding)
{
    struct buffer buffers[2];
    buffer_init(&buffers[0], 0, 1 << 22);
    buffer_init(&buffers[1], 0, 1 << 22);
    write_room(room, audience, hiding, &buffers[0]);
    write_room(other, audience, hiding, &buffers[1]);
    bool same =
        buffers[0].len == buffers[1].len &&
        memcmp(buffer_payload(&buffers[0]), buffer_payload(&buffers[1]), buffers[0].len) == 0;
    buffer_release(&buffers[0]);
    buffer_release(&buffers[1]);
    return same;
}

static int first_that_differs(const struct room *room, const struct hiding *hiding)
{
    struct room *same = restore(room, NULL), *other = restore(room, hiding);
    int found = same && other ? -1 : 0;
    for (unsigned audience = 0; found < 0 && audience < room_audiences(room); audience++) {
        unsigned viewer = totem_match_audience(view_viewer(&room->setup, audience));
        if (!totem_may_know(&totem_of(room)->options, viewer, hiding->family) &&
            !same_room(same, other, audience, hiding))
            found = (int)audience;
    }
    room_destroy(same);
    room_destroy(other);
    return found;
}

int secrets_room_depends(const struct room *room, uint64_t since)
{
    struct hiding hiding = {.since = since};
    if (room->setup.game != &game_type_totem || !room->match->dealt ||
        room_phase(room) == PROTOCOL_PHASE_OVER)
        return -1;
    const struct totem_match *match = totem_of(room);
    hiding.family = (unsigned)(room_seq(room) % totem_families(&match->options));
    const struct totem_family *family = &match->game.families[hiding.family];
    unsigned shown = shown_since(room, since, hiding.family);
    if (!totem_hidden_pair(family, family, shown, room_seq(room), hiding.pair))
        return -1;
    mark(MARK_ROOM_EXCHANGED);
    return first_that_differs(room, &hiding);
}
