/*
 * The whole table turned by sixth parts of a circle, clockwise.
 */
#ifndef TESTS_RULES_ROTATION_H
#define TESTS_RULES_ROTATION_H

#include "world.h"

/* The same game on the turned table, read from its notation. */
void rotate_game(const struct taluva *game, unsigned sixths, struct taluva *out);

/* The same command there: settlements and lagoons may have another smallest hex. */
struct command rotate_command(const struct taluva *turned, const struct command *command,
                              unsigned sixths);

struct taluva_placement rotate_placement(struct taluva_placement placement, unsigned sixths);

#endif
