/*
 * Looking back at a match that is over: how good its moves were, as far as its game can tell. What
 * is needed for that is taken out of the room, so that another thread can do it.
 */
#ifndef ROOM_ANALYSIS_H
#define ROOM_ANALYSIS_H

#include <games/game.h>
#include <protocol/buffer.h>
#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>

/* A match from the deal to its end: nothing in it refers to the room. */
struct room_played {
    const struct game_type *game;
    void *value; /* of the game, at its end */
    char *text;  /* which the moves point into */
    size_t count;
    struct game_played moves[];
};

/* How much memory looking back at this room takes; 0: its game has no analyst. */
size_t room_analysis_bytes(const struct room *room);

/* Of a match that is over, in a game with an analyst. NULL: no memory. */
struct room_played *room_played_create(const struct room *room);
void room_played_destroy(struct room_played *played);

/*
 * On any thread. `thinking` has room_analysis_bytes of memory. Appends the analysis, one JSON
 * object: the same bytes for the same match. False: it was cancelled, or `out` has failed.
 */
bool room_analyse(const struct room_played *played, struct game_thinking *thinking,
                  struct buffer *out);

#endif
