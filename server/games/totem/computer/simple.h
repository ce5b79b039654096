/*
 * The simple player: couples in every hut, spells where they are worth most by simple reckoning
 * (magic.c), and whoever hurts others most goes first when it takes people. The seed decides
 * between equals.
 */
#ifndef TOTEM_COMPUTER_SIMPLE_H
#define TOTEM_COMPUTER_SIMPLE_H

#include <base/rng.h>
#include <totem_rules/totem.h>

/* `out` has its family. False: what is done for those who do nothing is good enough. */
bool totem_simple_choose(const struct totem *known, struct rng *random, struct totem_command *out);

/* magic.c: what a spell on a hut is worth to the seat; at most 0: nothing. */
int totem_worth_of_spell(const struct totem *game, unsigned family, unsigned spell, unsigned hut);

/* The best hut for a spell, ties decided by `random`; its worth. */
int totem_best_hut(const struct totem *game, unsigned family, unsigned spell, struct rng *random,
                   unsigned *hut);

#endif
