/*
 * Who is in, who is next, and when it ends. Every turn ends through rules_turn_end.
 */
#ifndef RULES_TURN_H
#define RULES_TURN_H

#include "grid.h"

static inline bool rules_is_playing(const struct taluva *game, unsigned seat)
{
    return game->state[seat] == TALUVA_SEAT_PLAYING;
}

/* Kinds of which the seat has placed all pieces. */
unsigned rules_kinds_done(const struct taluva *game, unsigned seat);

/* Whether the seat may take a 2-Hex tile: its first, or its second when the stack is empty. */
bool rules_may_use_two_hex(const struct taluva *game, unsigned seat);

/* Whether `seat` has won by two kinds just now, or its team has. */
bool rules_has_won(const struct taluva *game, unsigned seat);

/* Whether at most one player, or one team, is left. */
bool rules_is_last_standing(const struct taluva *game);

/* Stack empty, and nobody may take a 2-Hex tile. Asked between turns. */
bool rules_is_exhausted(const struct taluva *game);

void rules_eliminate(struct taluva *game, unsigned seat, struct taluva_effects *effects);

/* The turn of the seat to move is over: the game ends or passes on. */
void rules_turn_end(struct taluva *game, struct taluva_effects *effects);

void rules_game_end(struct taluva *game, enum taluva_end end, struct taluva_effects *effects);

#endif
