/*
 * The computer players of the server, from the outside: cli/game.h has the contract.
 */
#ifndef CLI_TOTEM_THINKER_H
#define CLI_TOTEM_THINKER_H

#include <cli/game.h>

extern const struct game_thinker totem_thinker;

#endif
