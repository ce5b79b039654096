/*
 * The whole program, but for the list of its games.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <cli/game.h>

/* With these games (see games_set): an exit code. `types`: the same, for matches without a server.
 */
int program_run(const struct game *const *games, const struct game_type *const *types, int argc,
                char **argv);

#endif
