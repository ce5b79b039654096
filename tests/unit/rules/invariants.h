/*
 * What is true of every game at every moment, asserted the slow way. Used by random games and by
 * fuzzing.
 */
#ifndef TESTS_RULES_INVARIANTS_H
#define TESTS_RULES_INVARIANTS_H

#include <rules/taluva.h>

#define HOLD(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            invariant_broken(__FILE__, __LINE__, #condition);                                      \
        }                                                                                          \
    } while (0)

/* Says so, with the position, and aborts. */
_Noreturn void invariant_broken(const char *file, int line, const char *condition);

/* The position to print when something is broken. */
void invariant_about(const struct taluva *game);

/* All water connected with this hex of a lagoon, found by walking; how many hexes. */
enum { WATER_MAX = (TALUVA_SPAN_MAX + 2) * (TALUVA_SPAN_MAX + 2) };
size_t water_around(const struct taluva *game, struct taluva_hex hex, struct taluva_hex *out);

/* Counts, links, settlements, lagoons. */
void hold_invariants(const struct taluva *game);

/* Written, read and written again it is the same, and has the same moves in the same order. */
void hold_round_trip(const struct taluva *game);

/* The lists are what the checks allow, hex by hex, and the flags what would happen. */
void hold_lists(const struct taluva *game);

/* The effects name what has changed, and nothing else. */
void hold_effects(const struct taluva *before, const struct taluva *after,
                  const struct taluva_effects *effects);

#endif
