/*
 * One match of Taluva between two players, each the computer or a program, over the
 * whole server without its sockets: in this process, so that the deal can be chosen and nobody else
 * can reach it. A level is played as `taluva bot` does, from what its seat is told; a program gets
 * and says what it would as the user of `taluva join --ready --json`.
 */
#ifndef TEST_STRENGTH_DUEL_H
#define TEST_STRENGTH_DUEL_H

#include "program.h"
#include <jansson.h>
#include <stdint.h>

struct duellist {
    const char *command;  /* for the shell; NULL: it is the computer */
    bool is_engine;       /* the command speaks protocol/engine.md */
    unsigned level;       /* 0: the best that it can with so many simulations */
    uint32_t simulations; /* 0: it looks one turn ahead */
};

struct duel {
    struct duellist sides[2];
    const json_t *options; /* of `create` */
    uint64_t seed;         /* of the deal: the same seed and options, the same deal */
    unsigned swapped;      /* 0 or 1: who sits where */
    int64_t patience_ms;   /* for a program's move */
    const char *limits;    /* how much an engine may think: behind `go` */
};

struct duel_result {
    bool played; /* else `why` says what prevented it */
    char why[256];
    double share;                 /* of what there is to win, the first player's, 0 to 1 */
    double fair;                  /* what equal players would have */
    char reason[32];              /* why the match ended */
    char deal[65];                /* the commitment to it */
    enum program_fault faults[2]; /* of a player's programs, the first one; it resigned then */
    unsigned moves[2];
    double cpu_s[2], wall_s[2]; /* that its moves took; cpu of programs from start to end */
};

/* Who sits there: with an even number every other seat, else one seat against all others. */
unsigned duel_side(unsigned seats, unsigned seat, unsigned swapped);

void duel_play(const struct duel *duel, struct duel_result *result);

#endif
