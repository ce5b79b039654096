/* The end and what it is worth (§9). */
#ifndef TOTEM_OUTCOME_H
#define TOTEM_OUTCOME_H

#include <totem_rules/totem.h>

/* Has the game ended with phase 8? Then it is over. */
bool totem_end_of_round(struct totem *game, struct totem_effects *effects);

/* Is one seat left? Then it is over. */
bool totem_end_of_leaving(struct totem *game, struct totem_effects *effects);

#endif
