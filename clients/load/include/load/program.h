/*
 * The whole program, but for its game.
 */
#ifndef LOAD_PROGRAM_H
#define LOAD_PROGRAM_H

#include <load/game.h>

/* Returns an exit status; --help lists them. */
int program_run(const struct load_game *game, int argc, char **argv);

#endif
