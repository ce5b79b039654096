/* What was written in secret, read when the last has written (§5.2 spells B, §5.5.5). */
#ifndef TOTEM_SECRETS_H
#define TOTEM_SECRETS_H

#include <totem_rules/totem.h>

/* Lays all written spells face down. */
void totem_read_spells(struct totem *game, struct totem_effects *effects);

/* The family that is dealt with loses who was named. */
void totem_read_takes(struct totem *game, struct totem_effects *effects);

void totem_notes_clear(struct totem *game);

#endif
