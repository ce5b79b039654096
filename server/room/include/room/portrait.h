/*
 * A drawing of the table of a room, for pictures: what everybody may see, and nothing else. It is
 * taken from the room at once, and drawn on any thread.
 */
#ifndef ROOM_PORTRAIT_H
#define ROOM_PORTRAIT_H

#include <games/game.h>
#include <stdbool.h>
#include <stddef.h>

struct room;
struct room_portrait;

/* Has it begun, and has its game a drawing? */
bool room_has_portrait(const struct room *room);
/* Of one that has; NULL: out of memory. */
struct room_portrait *room_portrait_create(const struct room *room);
void room_portrait_destroy(struct room_portrait *portrait); /* takes NULL */
/* Into GAME_SHAPES_MAX of them; how many. */
size_t room_portrait_draw(const struct room_portrait *portrait, struct game_shape *shapes);

#endif
