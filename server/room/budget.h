/*
 * How much of what a room can keep each of its people may spend.
 *
 * A room's log is bounded, and what can be repeated for ever (to be ready and not, to offer and to
 * withdraw, a move and its undo) is counted for whoever asked for it. Nobody can spend the part of
 * another one:
 *
 *     lobby   | the host's | of all the others together                         |
 *                          | at most so much each; a few `ready` of each beyond  |
 *     match   | one part for each seat, all alike; the end of it only for what ends a pause or it |
 *
 * What takes something back (stand up, empty a seat, withdraw) is always allowed: there is never
 * more of it than of what it takes back. The counts follow from the log.
 */
#ifndef ROOM_BUDGET_H
#define ROOM_BUDGET_H

#include <room/room.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BUDGET_LOBBY_HOST = 90,  /* of ROOM_LOBBY_EVENTS_MAX */
    BUDGET_LOBBY_EACH = 40,  /* of what is not the host's */
    BUDGET_LOBBY_READY = 4,  /* of each, when the others have spent it all */
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
