/*
 * What there is to know of a position, found in one go: the settlements of all seats, the free
 * fields with the settlements beside them, and what a single eruption can do.
 */
#ifndef COMPUTER_SURVEY_H
#define COMPUTER_SURVEY_H

#include "ground.h"

enum {
    SURVEY_SETTLEMENTS = TALUVA_SEATS_MAX * 25 + 1, /* number 0 is none */
    SURVEY_LARGE = 3,                               /* hexes that a temple needs beside it */
    SURVEY_HIGH = 3,                                /* level that a tower needs */
    SURVEY_TERRAINS = 5,
};

struct settlement {
    uint8_t owner;
    uint8_t size;
    uint8_t towers, temples;
    uint8_t free;                  /* free fields beside */
    uint8_t high;                  /* of them, of level 3 and more */
    uint8_t middle;                /* of them, of level 2 */
    uint8_t after_cut;             /* most hexes in one piece after the worst eruption */
    uint8_t makes_high;            /* eruptions that would make a high field beside */
    uint8_t makes_middle;          /* eruptions that would make one of level 2 */
    uint8_t frees_large;           /* eruptions that cut a large piece off from its temples */
    uint8_t frees_tower;           /* ... a piece with a high field off from its towers */
    uint8_t cost[SURVEY_TERRAINS]; /* huts for an expansion over a terrain, 0: none beside */
    uint8_t gain[SURVEY_TERRAINS]; /* its fields */
    uint8_t meets_temple;          /* set of terrains: it would join a settlement with one */
};

struct free_field {
    uint8_t cell;
    uint8_t n_beside;
    uint8_t owners; /* set of seats with a settlement beside */
    uint8_t beside[6];
};

struct survey {
    uint8_t n; /* settlements are 1 to n */
    uint8_t n_free;
    uint8_t spots[TALUVA_SEATS_MAX];     /* fields where a single hut may be built */
    uint8_t fields[TALUVA_SEATS_MAX];    /* free fields beside settlements */
    uint8_t coverable[TALUVA_SEATS_MAX]; /* hexes that some eruption can cover */
    uint8_t eruptions;                   /* possible ones */
    uint8_t of[BOARD_CELLS];             /* the settlement on a cell, or 0 */
    uint8_t beside_any[BOARD_CELLS];     /* 1: a settlement is beside */
    struct settlement settlements[SURVEY_SETTLEMENTS];
    struct free_field free[TALUVA_HEXES_MAX];
};

void survey_init(struct survey *survey, const struct board *board);

/* The same for a board on whose `ground` something may have been built since. */
void survey_on(struct survey *survey, const struct board *board, const struct ground *ground);

#endif
