/*
 * A second game for the client, to show that the client depends on no game: sticks lie in a row,
 * each player in turn takes one to three, and the player who takes the last one wins. Its state:
 *
 *     {"game": "sticks", "table": {"sticks": 5, "taken": {"0": 2}}, ...}
 */
#ifndef TESTS_UNIT_CLIENTS_GAME_STICKS_H
#define TESTS_UNIT_CLIENTS_GAME_STICKS_H

#include <cli/game.h>

extern const struct game game_sticks;

#endif
