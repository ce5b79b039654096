/*
 * The whole program, but for its games.
 */
#ifndef LOAD_PROGRAM_H
#define LOAD_PROGRAM_H

#include <load/game.h>

/* The games end with NULL; the first is played unless --game says otherwise. Returns an exit
 * status; --help lists them. */
int program_run(const struct load_game *const *games, int argc, char **argv);

#endif
