/*
 * The whole program, but for the list of its games.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <cli/game.h>

/* With these games (see games_set): an exit code. */
int program_run(const struct game *const *games, int argc, char **argv);

#endif
