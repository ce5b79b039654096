/*
 * What is true of every game of Totem at every moment (section 10 of the rules), asserted the slow
 * way. Used by random games and by fuzzing.
 */
#ifndef TESTS_TOTEM_INVARIANTS_H
#define TESTS_TOTEM_INVARIANTS_H

#include <totem_rules/totem.h>

#define HOLD(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            totem_broken(__FILE__, __LINE__, #condition);                                          \
    } while (0)

/* Says so, with the position, and aborts. */
_Noreturn void totem_broken(const char *file, int line, const char *condition);

/* The position to print when something is broken; NULL: none. */
void totem_broken_about(const struct totem *game);

/* People, birds, poles, who must act. Of any position that can be read. */
void hold_totem(const struct totem *game);

/* The same of a position that a whole game has come to. */
void hold_totem_played(const struct totem *game);

/* A position holds the whole game: written and read back, it is the same bytes. */
void hold_totem_round_trip(const struct totem *game);

/* No audience can tell it from a game in which others hide something else. */
void hold_totem_hidden(const struct totem *game);

/*
 * The effects of the command (NULL: a seat left), done to `before` one by one, lead to `after`:
 * nothing else has changed.
 */
void hold_totem_effects(const struct totem *before, const struct totem_command *command,
                        const struct totem *after, const struct totem_effects *effects);

#endif
