/*
 * Moves as people type them, turned into the notation: `2,-1:4` with the tile in hand, `hut 1,0`,
 * `expand 1,2 L` from any hex of the settlement, `boat 3,-1` from any hex of the lagoon.
 *
 * Knows the picture and no rules: whether a move is legal is the server's to say.
 */
#ifndef CLI_TALUVA_MOVE_INPUT_H
#define CLI_TALUVA_MOVE_INPUT_H

#include "map.h"

#include <protocol/limits.h>
#include <stddef.h>

struct typed_at {
    const struct map *map;
    const char *tile; /* in hand, "" if none */
    int rotation;     /* for a placement without one */
};

enum move_input_outcome {
    MOVE_INPUT_UNKNOWN,
    MOVE_INPUT_OK,
    MOVE_INPUT_WRONG, /* begins like a move, but is none: `problem` says why */
};

struct typed {
    char move[PROTOCOL_MOVE_BYTES + 1];
    bool confirm; /* a `!` at the end: also if it eliminates */
    const char *problem;
};

enum move_input_outcome typed_read(struct typed *typed, const char *line,
                                   const struct typed_at *at);

/* A legal move as one would type it: "2,-1:4", "hut 1,0", "expand 0,1 L". */
void typed_write(char *text, size_t size, const char *move, const char *tile);

#endif
