/*
 * What one session has in a match becomes another one's, as if it had been theirs from the
 * beginning: seats, who made it, and who has asked for what. Nobody sees a difference: a seat keeps
 * its name, and there is no event. Repeats of what was asked for before are not known any more.
 */
#ifndef ROOM_HAND_H
#define ROOM_HAND_H

#include <room/event.h>
#include <stdbool.h>
#include <stdint.h>

struct room;

/* Has the session asked for something here, or made the room? Then it is given nothing of it. */
bool room_has_acted(const struct room *room, uint64_t session);

/* The origin of an event in the log as it is kept from then on. */
struct room_origin room_hand_origin(const struct room_origin *origin, uint64_t from, uint64_t to);

/* `to` has not acted there. It is the caller's to keep the log so (STORE_HAND_ROOM). */
void room_hand(struct room *room, uint64_t from, uint64_t to);

#endif
