/*
 * The two weakest levels, which do not use the net. The placement and the build of a turn are two
 * choices: a placement alone says that the build is to be asked for, or that there is none.
 */
#ifndef COMPUTER_SIMPLE_H
#define COMPUTER_SIMPLE_H

#include <computer/computer.h>

/* What is chosen in the step that the game is in; not when it is over. No chances are given. */
void simple_choose(const struct taluva *game, bool beginner, uint64_t seed,
                   struct computer_turn *turn);

#endif
