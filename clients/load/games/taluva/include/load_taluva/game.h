/*
 * Taluva for the load tester.
 */
#ifndef LOAD_TALUVA_GAME_H
#define LOAD_TALUVA_GAME_H

#include <load/game.h>

extern const struct load_game load_taluva;

#endif
