#include "room_internal.h"
#include "sat.h"
#include "seat_name.h"
#include <assert.h>

void room_decide_given_seat(const struct room *room, uint8_t seat, const struct room_actor *actor,
                            int64_t now_ms, struct room_event *event,
                            char scratch[ROOM_EVENT_TEXT_MAX])
{
    const struct setup *setup = &room->setup;
    char own[PROTOCOL_NAME_BYTES + 1];
    assert(room->match->phase == PROTOCOL_PHASE_LOBBY && seat < setup->seats);
    assert(!room->match->seats[seat].taken && (!actor || actor->session != 0));
    room_begin_event(room, now_ms, ROOM_SAT, seat, event);
    struct sat_sitter sitter = {.colour = setup->game->colours[seat]};
    if (actor) {
        event->origin.session = actor->session;
        seat_name_of_person(room, actor->name, own);
        sitter.name = own;
        sitter.account = actor->account;
    } else {
        sitter.level = game_level_word(setup->game, setup->game->computer->level_default);
        sitter.name = seat_name_of_computer(room);
    }
    event->text = scratch;
    event->text_len = (uint16_t)sat_write(scratch, &sitter);
}

bool room_decide_rematch_seat(const struct room *room, const struct room *old, unsigned i,
                              int64_t now_ms, struct room_event *event,
                              char scratch[ROOM_EVENT_TEXT_MAX])
{
    unsigned seats = old->setup.seats;
    assert(room->setup.seats == seats);
    if (i >= seats)
        return false;
    const struct seat *seat = &old->match->seats[i];
    assert(seat->taken);
    uint8_t next = (uint8_t)((i + seats - 1) % seats);
    room_begin_event(room, now_ms, ROOM_SAT, next, event);
    event->origin.session = seat->session;
    event->text = scratch;
    const struct game_type *game = room->setup.game;
    const char *colour = game->colours[game->colours_fixed ? next : seat->colour];
    const struct sat_sitter sitter = {colour, match_level_word(&old->setup, seat), seat->name,
                                      &seat->account};
    event->text_len = (uint16_t)sat_write(scratch, &sitter);
    return true;
}

const struct protocol_account *room_seat_account(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    return &room->match->seats[seat].account;
}
