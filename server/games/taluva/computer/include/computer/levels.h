/*
 * The levels at which people meet the computer, weakest first. README.md of this folder says how
 * each plays and how they fare against each other.
 */
#ifndef COMPUTER_LEVELS_H
#define COMPUTER_LEVELS_H

#include <computer/computer.h>

enum computer_level {
    COMPUTER_BEGINNER = 1,
    COMPUTER_SIMPLE,
    COMPUTER_REGULAR,
    COMPUTER_SKILLED,
    COMPUTER_STRONG,
    COMPUTER_MASTER,
};
enum { COMPUTER_LEVELS = COMPUTER_MASTER };

/* [level - 1]: its word; NULL at the end. */
extern const char *const computer_level_words[COMPUTER_LEVELS + 1];

/* The memory that a player of this level thinks in, in bytes; 0: it never searches. */
size_t computer_level_bytes(enum computer_level level);

/*
 * What a player of this level plays in the step that the question is about. The level has
 * simulations of its own; the question's, if they are not 0, are a bound. There are none with fewer
 * than computer_level_bytes of memory: then one turn is looked ahead, which takes less than a
 * millisecond.
 *
 * All levels but the two weakest choose placement and build together. A placement alone says that
 * the build is to be asked for after it, or that its player is out. Chances and visits are 0 where
 * the level does not know them. Returns how many simulations were made.
 */
uint32_t computer_play(const struct computer_question *question, enum computer_level level,
                       struct computer_turn *turn);

#endif
