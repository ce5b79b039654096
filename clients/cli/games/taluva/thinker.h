/*
 * The computer player of the server, from the outside: cli/game.h has the contract.
 */
#ifndef CLI_TALUVA_THINKER_H
#define CLI_TALUVA_THINKER_H

#include <cli/game.h>

extern const struct game_thinker taluva_thinker;

#endif
