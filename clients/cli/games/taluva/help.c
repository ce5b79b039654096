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

static const char rules[] = "A turn: place a tile, then build. You must do both.\n"
                            "A tile beside the island is level 1. Or it erupts:\n"
                            "  on hexes of one level, its volcano on a volcano\n"
                            "  that points elsewhere; it is a level higher. It\n"
                            "  may cover huts, which are lost, but no temple, no\n"
                            "  tower and no whole settlement. Huts that are lost\n"
                            "  still count as built.\n"
                            "A settlement: buildings of one colour that touch.\n"
                            "Build one of these, on hexes that are empty and are\n"
                            "no volcano:\n"
                            "hut     on level 1, mostly not beside your own\n"
                            "temple  beside a settlement of 3 hexes or more that\n"
                            "        has no temple\n"
                            "tower   on level 3 or higher, beside a settlement\n"
                            "        without a tower\n"
                            "expand  huts on all hexes of one terrain beside a\n"
                            "        settlement, on each as many as its level\n"
                            "boat    if they are played: in a lagoon without one,\n"
                            "        beside a settlement\n"
                            "Who can build nothing is out. Who has built all\n"
                            "pieces of two kinds wins at once. `help ends` says\n"
                            "how else a match ends.\n";

static const char ends[] = "Why a match is over:\n"
                           "two kinds are built: whoever built them wins; of a\n"
                           "  team one two kinds and the other one\n"
                           "all others are out: who is left wins\n"
                           "no tiles are left, no tile fits: who has built more\n"
                           "  temples wins, then more towers, then more huts;\n"
                           "  with boats, more boats before huts. Who has as\n"
                           "  many of all wins as well.\n"
                           "called off: the players have agreed, nobody wins\n"
                           "all stayed away: for too long, nobody wins\n"
                           "by the operator: the server's, nobody wins\n"
                           "Ranked matches go on until all have a place.\n";

const struct game_page taluva_pages[] = {
    {"rules", rules}, {"levels", levels}, {"map", map}, {"ends", ends}, {NULL, NULL}};

const struct game_end taluva_ends[] = {{"two-kinds", "two kinds are built"},
                                       {"last-standing", "all others are out"},
                                       {"exhausted", "no tiles are left"},
                                       {"no-room", "no tile fits"},
                                       {NULL, NULL}};
