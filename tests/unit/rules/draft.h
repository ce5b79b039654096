/*
 * A position while a case draws it.
 */
#ifndef TESTS_RULES_DRAFT_H
#define TESTS_RULES_DRAFT_H

#include <rules/notation.h>

enum { DRAFT_TOKEN = 32 };

struct draft_hex {
    struct taluva_hex hex;
    struct taluva_cell cell;
    char text[DRAFT_TOKEN];
};

struct draft {
    char position[TALUVA_POSITION_TEXT]; /* if it was not drawn but written */
    unsigned seats, first, tiles;
    bool boats, two_hex;
    char flags[128]; /* "/boats/2JJ2VL" */
    char offer[32];
    char boats_at[256];
    char turn[64];
    int stack; /* -1: plain */
    unsigned n_hexes;
    struct draft_hex hexes[TALUVA_HEXES_MAX];
    int players[TALUVA_SEATS_MAX][128]; /* by letter; -1: plain */
};

/* Each takes the words of a line after its keyword; false if it makes no sense. */
bool draft_begin(struct draft *draft, char *words);
bool draft_row(struct draft *draft, char *words);
bool draft_player(struct draft *draft, char *words);
bool draft_boat(struct draft *draft, char *words);

/* The position as one line. */
void draft_write(const struct draft *draft, char out[TALUVA_POSITION_TEXT]);

#endif
