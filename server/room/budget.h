/*
 * How much of what a room can keep each of its people may spend.
 *
 * A room's log is bounded, and what can be repeated for ever (to be ready and not, to offer and to
 * withdraw, a move and its undo) is counted for whoever asked for it. Nobody can spend the part of
 * another one:
 *
 *     lobby   | the host's | of all the others together | of who comes after that is spent  |
 *                          | at most so much each       | a few each, and a few `ready` more |
 *     match   | one part for each seat, all alike; the end of it only for what ends a pause or it |
 *
 * What takes something back (stand up, empty a seat, withdraw) is always allowed: there is never
 * more of it than of what it takes back. It is an event as any other, since whoever was told of the
 * first has to be told of it too, by a number of its own: the log never forgets what it has said.
 * The counts follow from the log.
 */
#ifndef ROOM_BUDGET_H
#define ROOM_BUDGET_H

#include <room/room.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BUDGET_LOBBY_HOST = 90,  /* of ROOM_LOBBY_EVENTS_MAX */
    BUDGET_LOBBY_EACH = 40,  /* of ROOM_LOBBY_OTHERS; and when that is spent, */
    BUDGET_LOBBY_LATE = 6,   /* of each: to join, to be ready, to think better of it */
    BUDGET_LOBBY_READY = 4,  /* `ready` of each who sits, when all is spent */
    BUDGET_MATCH_TO_END = 8, /* of a seat's part */
};

enum budget_use {
    BUDGET_CHANGE,
    BUDGET_READY,  /* to say that one is ready, or not */
    BUDGET_TO_END, /* to offer that a pause ends, or the match */
};

/* May this session cause one such event more? */
bool budget_allows(const struct room *room, uint64_t session, enum budget_use use);

#endif
