/*
 * A game that only the tests know: hidden hands, and everybody chooses at the same time.
 *
 * Each seat is dealt CARDS_HAND cards with names like "c4711". In a round every seat in play lays
 * one of them face down (and may take it back until the last one is down); then all are turned up,
 * the highest number takes the round, and the cards are gone. The last card plays itself. Most
 * rounds win. Options: {"players": 2..5}.
 */
#ifndef TEST_CARDS_H
#define TEST_CARDS_H

#include <games/game.h>

enum { CARDS_SEATS = 5, CARDS_HAND = 6, CARDS_NAME = 6 };

extern const struct game_type cards_game;
/* All games that the tests play: Taluva, the default, and this one. NULL at the end. */
extern const struct game_type *const test_games[];

/* Is any card named in these bytes that this viewer may not know? */
bool cards_leak(const void *game, unsigned viewer, const char *bytes, size_t len);

#endif
