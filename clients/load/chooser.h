/*
 * Which legal move is played next: chosen by the rules core and a seeded die, cheaply, so that the
 * driver is not what is measured.
 */
#ifndef LOAD_CHOOSER_H
#define LOAD_CHOOSER_H

#include "dice.h"

#include <rules/notation.h>
#include <rules/taluva.h>

struct choice {
    char
        text[TALUVA_PLACEMENT_TEXT > TALUVA_BUILD_TEXT ? TALUVA_PLACEMENT_TEXT : TALUVA_BUILD_TEXT];
    bool confirm; /* it eliminates its player, there was nothing else */
};

/* A legal move of the seat to move; the game is not over. */
void choose(const struct taluva *game, struct dice *dice, struct choice *out);

#endif
