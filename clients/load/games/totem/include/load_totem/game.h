/*
 * Totem for the load tester.
 */
#ifndef LOAD_TOTEM_GAME_H
#define LOAD_TOTEM_GAME_H

#include <load/game.h>

extern const struct load_game load_totem;

#endif
