/*
 * The computer player: which turns are best in a position, and what each seat can hope for after
 * them. A move, a hint and an analysis are the same question.
 *
 * It is told what a seat may know and nothing else: the public game, and which tiles have not been
 * seen, never their order. No heap, no clock, no globals, no floating point: the same question has
 * the same answer with every compiler, unless it was cancelled.
 */
#ifndef COMPUTER_COMPUTER_H
#define COMPUTER_COMPUTER_H

#include <rules/taluva.h>
#include <stdatomic.h>

enum {
    COMPUTER_CHANCE_ONE = 65536,
    COMPUTER_TURNS = 40,    /* at most this many are rated */
    COMPUTER_PART_DRAW = 1, /* draw the next tile, instead of taking a 2-Hex tile */
    COMPUTER_PART_PLACE = 2,
    COMPUTER_PART_BUILD = 4,
};

struct computer_question {
    /* Step draw, place or build. With nothing but drawing to do in step draw: draw, then ask. */
    const struct taluva *game;
    /* [tile number]: volcano tiles of the box that no player has seen; the one in hand is seen. */
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    uint64_t seed;        /* decides between what is otherwise equal */
    uint32_t simulations; /* 0: one turn is looked ahead, and no memory is used */
    /*
     * Only the best turn is wanted: no more simulations once none can change which it is. It is the
     * same as without; the others and all chances are as they stand then.
     */
    bool best_only;
    const atomic_bool *cancel; /* NULL, or looked at before each simulation */
    void *memory;              /* aligned as malloc aligns; about 1,500 bytes a simulation */
    size_t memory_bytes;       /* when it is full the search goes on in what it has */
};

/* A turn, or what is left of it in the step that was asked about. */
struct computer_turn {
    struct taluva_placement placement;
    struct taluva_build build;
    uint8_t parts;   /* set of COMPUTER_PART_*; PLACE alone: its player is out */
    uint32_t visits; /* simulations that went this way */
    /*
     * Of COMPUTER_CHANCE_ONE, by seat: the chance to win (in teams, that its team wins), or in the
     * ranking variant the share of the other players that it will leave behind.
     */
    int32_t chances[TALUVA_SEATS_MAX];
};

struct computer_answer {
    unsigned n;                                 /* at least 1 */
    struct computer_turn turns[COMPUTER_TURNS]; /* best first */
    uint32_t simulations;                       /* done */
    uint64_t rated;                             /* positions that the net has rated */
    bool cancelled;
};

void computer_think(const struct computer_question *question, struct computer_answer *answer);

#endif
