/* The list of what followed from a command, as it grows. */
#ifndef TOTEM_EFFECTS_H
#define TOTEM_EFFECTS_H

#include <totem_rules/totem.h>

/* A new one at the end, to be filled in. */
struct totem_effect *totem_effect_add(struct totem_effects *effects, enum totem_effect_kind kind,
                                      unsigned family);

/* One of a number; nothing if the number is 0 (§7.2: zero birds or people are no effect). */
void totem_effect_add_number(struct totem_effects *effects, enum totem_effect_kind kind,
                             unsigned family, unsigned number);

/* People of one hut; nothing if there are none. */
void totem_effect_add_hut(struct totem_effects *effects, enum totem_effect_kind kind, unsigned hut,
                          const struct totem_people *people);

#endif
