/*
 * A cursor over the legal moves: which hex, what is put there, how it is turned. Knows the list of
 * moves as the server sends it, and where hexes lie in the picture; neither rules nor screen.
 *
 * Left and right go through the places line by line, as one reads, from the last line's end on to
 * the next line; so they reach every place. Up and down go to the nearest place of the next line
 * that has one.
 */
#ifndef CLI_TALUVA_CURSOR_H
#define CLI_TALUVA_CURSOR_H

#include "map.h"
#include <jansson.h>
#include <stddef.h>

enum { CURSOR_MOVE = 32, CURSOR_WHAT = 12 }; /* bytes of a move, and of what it puts there */

struct cursor_move {
    char text[CURSOR_MOVE]; /* the move, as the server takes it */
    char what[CURSOR_WHAT]; /* "JC", "2VL", "hut", "expand L", "draw" */
    struct map_at at;
    bool has_place; /* not `draw` */
    int k;          /* a tile's direction; -1: nothing is turned */
};

struct cursor {
    struct cursor_move *moves; /* sorted by line, place, what, direction; NULL: closed */
    size_t count, now;
    int k; /* the direction that was chosen last, kept where a place does not allow it */
};

enum cursor_step { CURSOR_LEFT, CURSOR_RIGHT, CURSOR_UP, CURSOR_DOWN };

/*
 * Takes the moves that can be read, 0 or more. The cursor is at the place nearest to `near`, its
 * tile turned by `k` if it may be; at `draw` if there is that. False if there is none, or memory
 * ran out; then the cursor is closed.
 */
bool cursor_open(struct cursor *cursor, const json_t *moves, struct map_at near, int k);
void cursor_close(struct cursor *cursor);

/* The move that is chosen; the cursor is open. */
const struct cursor_move *cursor_now(const struct cursor *cursor);

/* Goes to this move. False if it is not legal; then nothing changes. */
bool cursor_find(struct cursor *cursor, const char *move);

/* Goes to another place, with the same thing if it can be put there. */
void cursor_step(struct cursor *cursor, enum cursor_step step);

/* At the same place: the tile turned on, or the next thing that can be built. */
void cursor_turn(struct cursor *cursor, bool back);

/* The next thing that can be put anywhere, at the nearest place for it. */
void cursor_change(struct cursor *cursor, bool back);

/* Goes to this place, with the same thing if it can be. False if nothing can be put there. */
bool cursor_point(struct cursor *cursor, struct map_at at);

#endif
