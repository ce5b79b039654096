/*
 * The careful player: tries what it could do in forecasts of the round, against several guesses of
 * what others hide.
 */
#ifndef TOTEM_COMPUTER_CAREFUL_H
#define TOTEM_COMPUTER_CAREFUL_H

#include "guess.h"
#include <totem_computer/computer.h>

/* `out` has its family, and nothing else yet. */
void totem_careful_choose(const struct totem *known, const struct totem_care *care,
                          struct rng *random, struct totem_command *out);

/* settling.c: the arrangement of a family's people that is worth most. */
void totem_settle_best(struct totem_thought *thought, struct totem_command *out);

/* spells.c */
void totem_plan_spells(struct totem_thought *thought, struct totem_command *out);
void totem_cast_best(struct totem_thought *thought, struct totem_command *out);
void totem_reveal_best(struct totem_thought *thought, struct totem_command *out);

#endif
