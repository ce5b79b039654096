/*
 * What those who sit down are called, so that no two at a table look alike.
 */
#ifndef ROOM_SEAT_NAME_H
#define ROOM_SEAT_NAME_H

#include <protocol/limits.h>
#include <room/room.h>

/* The first of the computers' names that nobody at the table has. */
const char *seat_name_of_computer(const struct room *room);

/*
 * The player's own name. If somebody at the table has one that looks like it, there is a number
 * behind it, "Ana 2", and it is cut where that needs the place.
 */
void seat_name_of_person(const struct room *room, const char *name,
                         char out[PROTOCOL_NAME_BYTES + 1]);

#endif
