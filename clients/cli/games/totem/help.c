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

static const char rules[] = "A round: 1 settle people in huts, 6 in each.\n"
                            "2 Lay spells: as many as your pole has pieces,\n"
                            "  one more for each bird you give up.\n"
                            "3 Births: with a man in the hut each woman has a\n"
                            "  child. 4 Catch: a bird for every 5 of b m M.\n"
                            "5 Meal: a bird for every 5 people; for each bird\n"
                            "  missing one goes. 6 Illness. 7 All grow older.\n"
                            "8 The two largest families add a piece. Who has 6\n"
                            "  pieces wins.\n"
                            "Before 3, 4, 6 and 7 you may uncover spells of\n"
                            "that phase. A family without a woman or a man dies\n"
                            "out; one without elders loses a piece. More than 5\n"
                            "birds fly off after the meal.\n";

static const char spells[] = "Before the births:\n"
                             "  G girls: all children are girls; B boys: all boys\n"
                             "  T twins: two children; I infertility: none\n"
                             "Before the catch:\n"
                             "  A abundance: hunters count twice; F famine: not\n"
                             "Before illness:\n"
                             "  M measles: half of each kind of children dies\n"
                             "  P plague: half of each kind of grown-ups dies\n"
                             "  H health: nobody of the hut falls ill\n"
                             "Before all grow older:\n"
                             "  L long life: the elders of the hut stay\n"
                             "G and B, T and I, A and F on one hut undo each\n"
                             "other. A spell works where it lies, uncovered.\n";

static const char levels[] = "beginner  often overlooks that there is something\n"
                             "          to do\n"
                             "simple    does what is worth most at once\n"
                             "skilled   reckons the round to its end, overlooks\n"
                             "          a little (if none is named)\n"
                             "strong    reckons the round to its end, with many\n"
                             "          guesses at what is hidden\n";

const struct game_page totem_pages[] = {
    {"map", map}, {"rules", rules}, {"spells", spells}, {"levels", levels}, {NULL, NULL}};
