#include "secrets.h"

#include "marks.h"
#include <assert.h>
#include <cards.h>
#include <room_internal.h>
#include <string.h>
#include <view.h>

bool secrets_kept(const struct room *room)
{
    return room->match && room->setup.game == &cards_game;
}

bool secrets_leak(const struct room *room, uint64_t session, const char *bytes, size_t len)
{
    /* When it is over, the secret of the deal is told to all. */
    if (!secrets_kept(room) || !room->match->dealt || room_phase(room) == PROTOCOL_PHASE_OVER)
        return false;
    return cards_leak(match_game_of(room->match), room_seat_of(room, session), bytes, len);
}

bool secrets_before(const struct room *room, struct match_space *before)
{
    if (!secrets_kept(room))
        return false;
    match_copy(&room->setup, match_in(before), room->match);
    return true;
}

/* ---- two worlds that one audience cannot tell apart */

struct worlds {
    const struct setup *setup;
    const struct match *before[2], *after[2];
    struct room_event events[2];
};

static void write_world(const struct worlds *worlds, unsigned which, unsigned viewer,
                        struct buffer *buffer)
{
    struct writer writer;
    view_write_push(worlds->setup, worlds->before[which], worlds->after[which],
                    &worlds->events[which], viewer, buffer);
    writer_init(&writer, buffer);
    view_write_state(worlds->setup, worlds->after[which], viewer, &writer);
    assert(!buffer->failed);
}

static bool same_bytes(const struct worlds *worlds, unsigned viewer)
{
    struct buffer buffers[2];
    for (unsigned i = 0; i < 2; i++) {
        buffer_init(&buffers[i], 0, 1 << 20);
        write_world(worlds, i, viewer, &buffers[i]);
    }
    bool same =
        buffers[0].len == buffers[1].len &&
        memcmp(buffer_payload(&buffers[0]), buffer_payload(&buffers[1]), buffers[0].len) == 0;
    for (unsigned i = 0; i < 2; i++)
        buffer_release(&buffers[i]);
    return same;
}

static bool depends(const struct room *room, const struct match_space *before,
                    const struct room_event *event, unsigned viewer, const uint16_t pair[2])
{
    struct match_space spaces[2] = {*before};
    char move[ROOM_EVENT_TEXT_MAX];
    match_copy(&room->setup, match_in(&spaces[1]), room->match);
    struct worlds worlds = {
        .setup = &room->setup,
        .before = {(const struct match *)(const void *)before->bytes, match_in(&spaces[0])},
        .after = {room->match, match_in(&spaces[1])},
        .events = {*event, *event},
    };
    memcpy(move, event->text, event->text_len);
    if (event->kind == ROOM_MOVE)
        cards_exchange_move(move, event->text_len, pair);
    worlds.events[1].text = move;
    for (unsigned i = 0; i < 2; i++)
        cards_exchange(match_game(match_in(&spaces[i])), pair);
    return !same_bytes(&worlds, viewer);
}

int secrets_depend(const struct room *room, const struct match_space *before,
                   const struct room_event *event)
{
    uint16_t pair[2];
    for (unsigned audience = 0; audience < room_audiences(room); audience++) {
        unsigned viewer = view_viewer(&room->setup, audience);
        if (!room->match->dealt || !cards_hidden_pair(match_game_of(room->match), viewer, pair))
            continue;
        mark(MARK_SECRET_EXCHANGED);
        if (depends(room, before, event, viewer, pair))
            return (int)audience;
    }
    return -1;
}
