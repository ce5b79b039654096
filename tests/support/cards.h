/*
 * A card game for tests: hidden hands, and all players choose at the same time.
 *
 * Each seat is dealt CARDS_HAND cards with names like "c4711". In a round every seat in play lays
 * one of them face down (and may take it back until the last one is down); then all are turned up,
 * the highest number wins the round, and the cards are discarded. The last card is played by
 * itself. The player with most rounds wins. Options: {"players": 2..8}. A blank
 * and any remark may follow the name of a card.
 *
 * Its rules have two versions: in the first, seats that won equally many rounds share a rank; in
 * the second, the higher seat number ranks first.
 */
#ifndef TEST_CARDS_H
#define TEST_CARDS_H

#include <games/game.h>

enum { CARDS_SEATS = 8, CARDS_HAND = 6, CARDS_NAME = 6 };
/* This level of its computer player thinks, with so much memory, for so many simulations. */
enum { CARDS_THINKING = 3, CARDS_THINKING_BYTES = 4096, CARDS_SIMULATIONS = 100 };

extern const struct game_type cards_game;
/* The same game with only the first version of its rules, as in an older program. */
extern const struct game_type cards_game_1;
/* All games that the tests play: Taluva, the default, this one, and Totem. NULL at the end. */
extern const struct game_type *const test_games[];

/* Do these bytes name a card that this viewer must not know? */
bool cards_leak(const void *game, unsigned viewer, const char *bytes, size_t len);

/*
 * Two cards that this viewer cannot tell apart: neither is theirs, neither has been turned up, and
 * different seats hold them. False: there are none.
 */
bool cards_hidden_pair(const void *game, unsigned viewer, uint16_t pair[2]);
/* The same game with the two cards in each other's place. */
void cards_exchange(void *game, const uint16_t pair[2]);
/* A move with the other card of the pair; any other move stays as it is. */
void cards_exchange_move(char *move, size_t len, const uint16_t pair[2]);

/* From now on every deal gives these two seats each other's hands; the same seat twice: ends it. */
void cards_swap_hands(unsigned seat, unsigned other);

#endif
