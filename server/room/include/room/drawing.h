/*
 * A drawing of the table of a room, for pictures: what everybody may see, and nothing else. It is
 * taken from the room at once, and drawn on any thread.
 */
#ifndef ROOM_DRAWING_H
#define ROOM_DRAWING_H

#include <games/game.h>
#include <stdbool.h>
#include <stddef.h>

struct room;
struct room_drawing;

/* Has it begun, and has its game a drawing? */
bool room_has_drawing(const struct room *room);
/* Of one that has; NULL: out of memory. */
struct room_drawing *room_drawing_create(const struct room *room);
void room_drawing_destroy(struct room_drawing *drawing); /* takes NULL */
/* Into GAME_SHAPES_MAX of them; how many. */
size_t room_drawing_draw(const struct room_drawing *drawing, struct game_shape *shapes);

#endif
