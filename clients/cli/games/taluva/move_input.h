/*
 * Moves as people type them, turned into the notation: `2,-1:4` with the tile in hand, `hut 1,0`,
 * `expand 1,2 L` from any hex of the settlement, `boat 3,-1` from any hex of the lagoon.
 *
 * Knows the picture and no rules: whether a move is legal is the server's to say.
 */
#ifndef CLI_TALUVA_MOVE_INPUT_H
#define CLI_TALUVA_MOVE_INPUT_H

#include "map.h"
#include <cli/game.h>

struct move_input_place {
    const struct map *map;
    const char *tile; /* in hand, "" if none */
    const char *step; /* of our turn: draw, place, build; "" if it is not ours */
    int rotation;     /* for a placement without one */
};

/* A `!` at the end confirms. */
enum game_input move_input_read(struct game_move *move, const char *line,
                                const struct move_input_place *at);

/* A legal move as one would type it: "2,-1:4", "hut 1,0", "expand 0,1 L". */
void move_input_write(char *text, size_t size, const char *move, const char *tile);

#endif
