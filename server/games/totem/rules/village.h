/*
 * What happens by itself between two questions: births, catch, meal, illness, generations (§5.4 to
 * §5.7). Each is one phase over all families.
 */
#ifndef TOTEM_VILLAGE_H
#define TOTEM_VILLAGE_H

#include <totem_rules/totem.h>

void totem_births_happen(struct totem *game, const struct totem_births *births,
                         struct totem_effects *effects);
void totem_catch_happens(struct totem *game, struct totem_effects *effects);

/* Everybody eats; fills in who is hungry, and how many must go (§5.5.1, §5.5.2). */
void totem_meal_happens(struct totem *game, struct totem_effects *effects);

/* §5.5.6. */
void totem_spill_happens(struct totem *game, struct totem_effects *effects);

void totem_illness_happens(struct totem *game, struct totem_effects *effects);
void totem_generations_happen(struct totem *game, struct totem_effects *effects);

#endif
