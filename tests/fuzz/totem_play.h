/* Choices in a game of Totem, made by bytes and, where those end, by numbers that follow from them.
 */
#ifndef TESTS_FUZZ_TOTEM_PLAY_H
#define TESTS_FUZZ_TOTEM_PLAY_H

#include "../unit/totem/invariants.h"

struct choices {
    const uint8_t *at;
    size_t left;
    uint32_t state;
};

/* 0 to n - 1. */
unsigned choices_below(struct choices *choices, unsigned n);

/* One of the families that may act. */
unsigned choose_family(struct choices *choices, const struct totem *game);

/* What the family may do now: allowed, whatever is chosen. */
void choose_legal(struct choices *choices, const struct totem *game, unsigned family,
                  struct totem_command *out);

/* Births of a round: the same whenever they are asked for. */
void make_births(const struct totem *game, struct totem_births *births);

/* Does what choose_legal says, and holds what is promised of it. */
void play_legal(struct choices *choices, struct totem *game);

#endif
