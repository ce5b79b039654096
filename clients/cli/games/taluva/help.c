/*
 * What can be read at the table about Taluva.
 */
#include "parts.h"

static const char levels[] = "Each level of the computer wins most of its\n"
                             "matches against the one above it in this list.\n"
                             "beginner  looks at a few places, overlooks much\n"
                             "simple    looks at its next turn: temples and\n"
                             "          towers first (if none is named)\n"
                             "regular   knows what is good, is often wrong\n"
                             "skilled   is seldom wrong by much, takes every\n"
                             "          win in hand\n"
                             "strong    takes the best turn that can be seen\n"
                             "          one turn ahead\n"
                             "master    thinks many turns ahead\n"
                             "`bot B strong` seats a strong one at seat B.\n";

const struct game_page taluva_pages[] = {{"levels", levels}, {NULL, NULL}};
