/*
 * Totem for the terminal client.
 */
#ifndef CLI_TOTEM_GAME_H
#define CLI_TOTEM_GAME_H

#include <cli/game.h>

extern const struct game game_totem;

#endif
