#include "totem_pushes.h"

#include "view.h"
#include <check.h>
#include <string.h>
#include <totem_hidden.h>

struct pushed {
    struct match_space before, after;
    struct room_event event;
    char text[ROOM_EVENT_TEXT_MAX];
};

static void write_push(const struct setup *setup, const struct pushed *pushed, unsigned viewer,
                       struct buffer *out)
{
    buffer_clear(out);
    view_write_push(setup, (const struct match *)(const void *)pushed->before.bytes,
                    (const struct match *)(const void *)pushed->after.bytes, &pushed->event, viewer,
                    out);
    ck_assert(!out->failed);
}

/* The same event in a world where the family has hidden something else. */
static bool make_other_world(const struct pushed *real, unsigned family, struct pushed *other)
{
    *other = *real;
    bool move = real->event.kind == ROOM_MOVE;
    size_t len = move ? real->event.text_len : 0;
    bool made = totem_exchange_event(match_game(match_in(&other->before)),
                                     match_game(match_in(&other->after)), family,
                                     real->event.seq * 37, other->text, &len);
    other->event.text = other->text;
    if (move)
        other->event.text_len = (uint16_t)len;
    return made;
}

static void expect_same_push(const struct setup *setup, const struct pushed worlds[2],
                             unsigned viewer)
{
    struct buffer told[2];
    for (unsigned i = 0; i < 2; i++) {
        buffer_init(&told[i], 0, 1 << 20);
        write_push(setup, &worlds[i], viewer, &told[i]);
    }
    ck_assert_msg(told[0].len == told[1].len &&
                      memcmp(buffer_payload(&told[0]), buffer_payload(&told[1]), told[0].len) == 0,
                  "%.*s\n%.*s", (int)told[0].len, buffer_payload(&told[0]), (int)told[1].len,
                  buffer_payload(&told[1]));
    buffer_release(&told[0]);
    buffer_release(&told[1]);
}

unsigned expect_blind_pushes(const struct setup *setup, const struct match *before,
                             const struct match *after, const struct room_event *event)
{
    static struct pushed worlds[2];
    const struct totem_match *match = match_game_of(after);
    unsigned compared = 0;
    if (!before->dealt || after->phase == PROTOCOL_PHASE_OVER)
        return 0;
    match_copy(setup, match_in(&worlds[0].before), before);
    match_copy(setup, match_in(&worlds[0].after), after);
    worlds[0].event = *event;
    memcpy(worlds[0].text, event->text, event->text_len);
    worlds[0].event.text = worlds[0].text;
    for (unsigned family = 0; family < totem_families(&match->options); family++) {
        if (!make_other_world(&worlds[0], family, &worlds[1]))
            continue;
        for (unsigned seat = 0; seat <= setup->seats; seat++) {
            unsigned viewer = seat < setup->seats ? seat : ROOM_NO_SEAT;
            if (totem_may_know(&match->options, totem_match_audience(viewer), family))
                continue;
            expect_same_push(setup, worlds, viewer);
            compared++;
        }
    }
    return compared;
}
