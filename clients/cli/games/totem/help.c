/*
 * What can be read at the table about Totem.
 */
#include "parts.h"

static const char map[] = ">R red    A ###...  birds 5  people 18  hand 3\n"
                          "  the family, who leads it, its totem pole, its\n"
                          "  birds and people; `>` may act now.\n"
                          "  hand: spells chosen and not placed; written: has\n"
                          "  written in secret; lacks: so many must starve;\n"
                          "  mourns: has lost its elders, adds no piece.\n"
                          "/R1\\  a hut; `*` where the latest event was\n"
                          "wwmW  its people:  g girl         b boy\n"
                          "      w young woman m young man   W woman  M man\n"
                          "      e elder\n"
                          "T:RG  twins, uncovered by red and by green\n"
                          "R?2   two of red's spells, face down\n"
                          "R(TH) your own, face down: you know them\n"
                          "+     more than there is room for: see `hut R1`\n"
                          "Who leads two families names one: settle B wm//e\n";

static const char rules[] = "Who has 6 pieces on the totem pole first wins. A\n"
                            "round has eight phases (`help phases`): people are\n"
                            "settled, spells laid, children born, birds caught\n"
                            "and eaten, some fall ill, all grow older, and the\n"
                            "two largest families add a piece.\n"
                            "A family without a woman or a man dies out, with its\n"
                            "birds; it begins again in the next round.\n"
                            "A family without elders loses a piece, though never\n"
                            "its first, and adds none in that round.\n"
                            "At most 6 people live in a hut, 18 in a family.\n"
                            "`help ties` says who of equal ones adds a piece.\n";

static const char phases[] = "1 settle people in huts, a woman and a man at least\n"
                             "2 spells: as many as your pole has pieces, one more\n"
                             "  for each bird you give up; `choose`, then `cast`,\n"
                             "  or `write` in secret\n"
                             "3 births: in a hut with a man each woman has a child\n"
                             "4 catch: a bird for every 5 of b m M, and for the\n"
                             "  rest below 5\n"
                             "5 meal: a bird for every 5 people and for the rest;\n"
                             "  for each that is missing one goes, by `starve`\n"
                             "  or `take`. Then more than 5 birds fly off.\n"
                             "6 illness: by sniffles and fever alone\n"
                             "7 growing older: elders go, W and M become elders,\n"
                             "  w W, m M, g w and b m\n"
                             "8 totems: the two largest families add a piece\n"
                             "Before 3, 4, 6 and 7 all may `reveal` spells.\n";

static const char ties[] = "Two places build in phase 8. Families of one size go\n"
                           "together: if all of them have a place each adds a\n"
                           "piece, else each gets a bird and nobody smaller gets\n"
                           "anything. One that lost its elders in this round\n"
                           "uses up its place and adds none.\n"
                           "With totem B the largest are told apart by elders,\n"
                           "then by birds. `help ends` says who wins of several.\n";

static const char ends[] = "Why a match is over:\n"
                           "a pole has 6 pieces: of several who have, the one\n"
                           "  with more people wins, then with more birds\n"
                           "no rounds are left: who has more pieces wins,\n"
                           "  then more people, then more birds\n"
                           "all others are out: who is left wins\n"
                           "Where the best are equal in all of it nobody wins.\n"
                           "Nor if it is called off, if all stayed away, or if\n"
                           "the operator of the server ends it.\n";

static const char spells[] = "Before the births:\n"
                             "  G girls: all children are girls; B boys: all boys\n"
                             "  T twins: two children; I empty cradles: none\n"
                             "Before the catch:\n"
                             "  A abundance: hunters count twice\n"
                             "  F empty nets: hunters do not count\n"
                             "Before illness:\n"
                             "  M sniffles: half of each kind of children leaves\n"
                             "  P fever: half of each kind of grown-ups leaves\n"
                             "  H health: nobody of the hut falls ill\n"
                             "Before all grow older:\n"
                             "  L long life: the elders of the hut stay\n"
                             "G and B, T and I, A and F on one hut undo each\n"
                             "other. A spell works where it lies, uncovered.\n"
                             "1995: I infertility, F famine, M measles, P plague\n";

static const char levels[] = "beginner  often overlooks that there is something\n"
                             "          to do\n"
                             "simple    does what is worth most at once\n"
                             "skilled   reckons the round to its end, overlooks\n"
                             "          a little (if none is named)\n"
                             "strong    reckons the round to its end, with many\n"
                             "          guesses at what is hidden\n";

const struct game_page totem_pages[] = {{"rules", rules},   {"phases", phases}, {"spells", spells},
                                        {"ties", ties},     {"ends", ends},     {"map", map},
                                        {"levels", levels}, {NULL, NULL}};

const struct game_end totem_ends[] = {{"totem", "a pole has 6 pieces"},
                                      {"rounds", "no rounds are left"},
                                      {"last-standing", "all others are out"},
                                      {NULL, NULL}};
