#include "room_internal.h"
#include "seat_name.h"
#include <assert.h>

void room_decide_given_seat(const struct room *room, uint8_t seat, uint64_t session,
                            const char *name, int64_t now_ms, struct room_event *event,
                            char scratch[ROOM_EVENT_TEXT_MAX])
{
    const struct setup *setup = &room->setup;
    char own[PROTOCOL_NAME_BYTES + 1];
    assert(room->match->phase == PROTOCOL_PHASE_LOBBY && seat < setup->seats);
    assert(!room->match->seats[seat].taken && session != 0);
    room_begin_event(room, now_ms, ROOM_SAT, seat, event);
    event->origin.session = session;
    seat_name_of_person(room, name, own);
    event->text = scratch;
    event->text_len = (uint16_t)match_write_sat(scratch, setup->game->colours[seat], NULL, own);
}
