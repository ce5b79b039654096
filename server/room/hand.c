#include <room/hand.h>

#include "room_internal.h"
#include <assert.h>

bool room_has_acted(const struct room *room, uint64_t session)
{
    uint32_t at = 0;
    while (at < room->log.count && room->log.entries[at].origin.session != session)
        at++;
    return at < room->log.count || room->setup.seed.host == session;
}

/* Ids of requests are a client's own: one of the other's may be the same. */
struct room_origin room_hand_origin(const struct room_origin *origin, uint64_t from, uint64_t to)
{
    return origin->session == from ? (struct room_origin){to, ROOM_NO_REQUEST, 0} : *origin;
}

static void hand_seats(const struct room *room, struct match *match, uint64_t from, uint64_t to)
{
    for (unsigned seat = 0; seat < room->setup.seats; seat++) {
        if (match->seats[seat].session == from)
            match->seats[seat].session = to;
    }
}

void room_hand(struct room *room, uint64_t from, uint64_t to)
{
    assert(from != 0 && to != 0 && !room_has_acted(room, to));
    for (uint32_t at = 0; at < room->log.count; at++) {
        struct room_origin *origin = &room->log.entries[at].origin;
        *origin = room_hand_origin(origin, from, to);
    }
    hand_seats(room, room->match, from, to);
    if (room->checkpoint.valid)
        hand_seats(room, room->checkpoint.match, from, to);
    if (room->setup.seed.host == from)
        room->setup.seed.host = to;
    for (unsigned at = 0; at < LET_IN_MAX; at++) {
        if (room->let_in[at] == from)
            room->let_in[at] = to;
    }
    room->changes++;
}
