#include "secrets.h"

#include "marks.h"
#include <assert.h>
#include <cards.h>
#include <room_internal.h>
#include <string.h>
#include <totem/game.h>
#include <totem_hidden.h>
#include <view.h>

bool secrets_kept(const struct room *room)
{
    return room->match && room->setup.game->hidden;
}

bool secrets_leak(const struct room *room, uint64_t session, const char *bytes, size_t len)
{
    /* When it is over, the secret of the deal is told to all. */
    if (!room->match || room->setup.game != &cards_game || !room->match->dealt ||
        room_phase(room) == PROTOCOL_PHASE_OVER)
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

/* An event in one of them. */
struct world {
    struct match_space before, after;
    struct room_event event;
    char text[ROOM_EVENT_TEXT_MAX];
};

static bool exchange_cards(struct world *world, unsigned viewer)
{
    uint16_t pair[2];
    if (!cards_hidden_pair(match_game(match_in(&world->after)), viewer, pair))
        return false;
    if (world->event.kind == ROOM_MOVE)
        cards_exchange_move(world->text, world->event.text_len, pair);
    cards_exchange(match_game(match_in(&world->before)), pair);
    cards_exchange(match_game(match_in(&world->after)), pair);
    return true;
}

static bool exchange_totem(struct world *world, unsigned viewer, unsigned family)
{
    struct totem_match *before = match_game(match_in(&world->before));
    struct totem_match *after = match_game(match_in(&world->after));
    bool move = world->event.kind == ROOM_MOVE;
    size_t len = move ? world->event.text_len : 0;
    if (family >= totem_families(&after->options) || !match_in(&world->before)->dealt ||
        totem_may_know(&after->options, totem_match_audience(viewer), family) ||
        !totem_exchange_event(before, after, family, world->event.seq, world->text, &len))
        return false;
    if (move)
        world->event.text_len = (uint16_t)len;
    return true;
}

/* The n-th other world for this viewer; false: there is none. */
static bool exchange(const struct setup *setup, struct world *world, unsigned viewer, unsigned n)
{
    world->event.text = world->text;
    if (setup->game == &game_type_totem)
        return exchange_totem(world, viewer, n);
    return n == 0 && exchange_cards(world, viewer);
}

static void write_what_it_may_do(const struct setup *setup, const struct match *match,
                                 unsigned seat, struct writer *writer)
{
    const void *game = match_game_of(match);
    char move[PROTOCOL_MOVE_BYTES];
    unsigned level = 1 + (unsigned)(match->seq % game_levels(setup->game));
    size_t len = game_choose(setup->game, game, seat, level, match->seq, move);
    setup->game->views->moves(game, seat, writer);
    writer_key(writer, "computer");
    writer_string_n(writer, move, len);
    len = game_stand_in(setup->game, game, seat, match->seq, move);
    writer_key(writer, "stand_in");
    writer_string_n(writer, move, len);
}

/* Why it is refused what it may not do. */
static void write_refusals(const struct setup *setup, const struct match *match, unsigned seat,
                           struct writer *writer)
{
    static const char *const moves[] = {"reveal@R=GBTIAFMPHL", "reveal@G=L",    "cast@B=T:Y1",
                                        "write@Y=G:R1,H:G2",   "choose@R=MPHL", "take@G=R:w/-/-",
                                        "starve@B=e/-/-",      "c0000"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct match_space space;
        struct game_change change = {0};
        struct refusal refusal = {0};
        match_copy(setup, match_in(&space), match);
        bool taken = setup->game->rules->act(match_game(match_in(&space)), seat, moves[i],
                                             strlen(moves[i]), true, &change, &refusal);
        writer_key_string(writer, moves[i], taken ? "taken" : refusal.code);
    }
    writer_key_bool(writer, "undo", setup->game->rules->may_undo(match_game_of(match), seat));
}

/* All that this viewer is told, or is answered if it asks. */
static void write_world(const struct setup *setup, const struct world *world, unsigned viewer,
                        struct buffer *buffer)
{
    const struct match *before = (const struct match *)(const void *)world->before.bytes;
    const struct match *after = (const struct match *)(const void *)world->after.bytes;
    struct writer writer;
    view_write_push(setup, before, after, &world->event, viewer, buffer);
    writer_init(&writer, buffer);
    writer_object(&writer);
    writer_key(&writer, "state");
    view_write_state(setup, after, viewer, &writer);
    if (viewer < setup->seats) {
        if ((match_acting(setup, after) >> viewer) & 1)
            write_what_it_may_do(setup, after, viewer, &writer);
        write_refusals(setup, after, viewer, &writer);
    }
    writer_end(&writer);
    assert(!buffer->failed);
}

static bool same_bytes(const struct setup *setup, const struct world worlds[2], unsigned viewer)
{
    struct buffer buffers[2];
    for (unsigned i = 0; i < 2; i++) {
        buffer_init(&buffers[i], 0, 1 << 20);
        write_world(setup, &worlds[i], viewer, &buffers[i]);
    }
    bool same =
        buffers[0].len == buffers[1].len &&
        memcmp(buffer_payload(&buffers[0]), buffer_payload(&buffers[1]), buffers[0].len) == 0;
    for (unsigned i = 0; i < 2; i++)
        buffer_release(&buffers[i]);
    return same;
}

static void make_world(const struct room *room, const struct match_space *before,
                       const struct room_event *event, struct world *world)
{
    world->before = *before;
    match_copy(&room->setup, match_in(&world->after), room->match);
    world->event = *event;
    memcpy(world->text, event->text, event->text_len);
    world->event.text = world->text;
}

int secrets_depend(const struct room *room, const struct match_space *before,
                   const struct room_event *event)
{
    static struct world worlds[2];
    if (!room->match->dealt || room_phase(room) == PROTOCOL_PHASE_OVER)
        return -1;
    for (unsigned audience = 0; audience < room_audiences(room); audience++) {
        unsigned viewer = view_viewer(&room->setup, audience);
        for (unsigned n = 0; n < TOTEM_FAMILIES; n++) {
            make_world(room, before, event, &worlds[0]);
            make_world(room, before, event, &worlds[1]);
            if (!exchange(&room->setup, &worlds[1], viewer, n))
                continue;
            mark(room->setup.game == &game_type_totem ? MARK_SPELLS_EXCHANGED
                                                      : MARK_SECRET_EXCHANGED);
            if (!same_bytes(&room->setup, worlds, viewer))
                return (int)audience;
        }
    }
    return -1;
}
