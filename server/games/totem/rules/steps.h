/*
 * The order of a round (§5): which step comes after which, whom it asks, and what happens in
 * between.
 */
#ifndef TOTEM_STEPS_H
#define TOTEM_STEPS_H

#include <totem_rules/totem.h>

/* Round 1, or a later one: families begin again, and everybody settles (§5.1). */
void totem_round_begin(struct totem *game, struct totem_effects *effects);

/* Goes on until somebody is asked or the game is over. */
void totem_go_on(struct totem *game, const struct totem_births *births,
                 struct totem_effects *effects);

/*
 * Asks whoever must take from the family that is dealt with: with meals A from the start, with
 * meals B those who have not written yet.
 */
void totem_ask_takers(struct totem *game);

/* What was written is taken back: who has not written is asked again, in turn order. */
void totem_ask_again(struct totem *game);

/* Asks about the next of the hungry; after the last of them the meal ends (§5.5.6). */
void totem_meal_goes_on(struct totem *game, struct totem_effects *effects);

#endif
