/*
 * The computer players of Totem: from what a seat may know to a command. Knows the rules, and no
 * room, no clock and nothing that others hide. No memory is allocated and no number is a fraction:
 * the same knowledge, level and seed give the same command on every machine.
 *
 *     totem_computer_hide(&known, seat);
 *     totem_computer_choose(&known, family, TOTEM_LEVEL_STRONG, seed, &command);
 *
 * How each level plays, and how well: README.md of this folder.
 */
#ifndef TOTEM_COMPUTER_H
#define TOTEM_COMPUTER_H

#include <totem_rules/totem.h>

/* From the weakest. */
enum totem_level {
    TOTEM_LEVEL_BEGINNER = 1,
    TOTEM_LEVEL_SIMPLE,
    TOTEM_LEVEL_SKILLED,
    TOTEM_LEVEL_STRONG,
};
enum { TOTEM_LEVELS = TOTEM_LEVEL_STRONG };

/*
 * Leaves of the game what the seat may know: what others hide becomes something that says nothing,
 * the same whatever it was.
 */
void totem_computer_hide(struct totem *game, unsigned seat);

/* A legal command of a family that may act. `known`: what its seat knows. */
void totem_computer_choose(const struct totem *known, unsigned family, enum totem_level level,
                           uint64_t seed, struct totem_command *out);

/* The first family of the seat that may act; there must be one. */
unsigned totem_computer_family(const struct totem *known, unsigned seat);

#endif
