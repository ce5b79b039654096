/*
 * Taluva for the terminal client.
 */
#ifndef CLI_TALUVA_GAME_H
#define CLI_TALUVA_GAME_H

#include <cli/game.h>

extern const struct game game_taluva;

#endif
