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

static const char map[] = "/2J *\\ [  ]  [ ] the tile placed last, * built last;\n"
                          "\\Ah3 / [  ]  2 is the level, J the terrain.\n"
                          "Ah3 three huts of player A, Atow tower, Atem temple\n"
                          "J jungle C clearing S sand R rock L lake V volcano\n"
                          "Directions k: 0 E, 1 SE, 2 SW, 3 W, 4 NW, 5 NE.\n"
                          "V>0 is a volcano whose tile lies in direction 0 of\n"
                          "    it and in the next one clockwise.\n"
                          "2,-1:4 puts the tile's volcano at column q2, row\n"
                          "    r-1, its first terrain in direction 4 of it, and\n"
                          "    the second in 5. `turn` shows another k.\n"
                          "+   turned as shown, the tile's volcano may go here\n"
                          "~~~~ a lagoon; Aboat in it: a boat of player A\n"
                          "^more < > vmore: more of the island lies there\n"
                          ". . . beyond the board; :2 so many corners of this\n"
                          "    hex lie beyond it: a tile may have two there\n";

static const char ends[] = "Why a match is over:\n"
                           "two-kinds      somebody has built all pieces of two\n"
                           "               kinds, and wins\n"
                           "last-standing  all others are out\n"
                           "exhausted      the tiles are used up\n"
                           "no-room        no tile fits any more\n"
                           "called-off     the players have agreed to end it\n"
                           "abandoned      everybody has stayed away too long\n"
                           "closed         the operator has ended it\n"
                           "After exhausted and no-room who has built more\n"
                           "temples wins, then more towers, then more huts; with\n"
                           "boats, more boats before huts.\n";

const struct game_page taluva_pages[] = {
    {"levels", levels}, {"map", map}, {"ends", ends}, {NULL, NULL}};
