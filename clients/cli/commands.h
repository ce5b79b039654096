/*
 * How commands are run and explained: usage, help and manual follow from their table.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "command_table.h"

/* argv without program, game and command name. Handles --help and bad usage. */
int command_run(const struct game *game, const struct command *command, int argc, char **argv);

/* Usage of the program, help of one command, the manual page in man(7) macros. */
void usage_print(FILE *out);
void help_print(const struct game *game, const struct command *command, FILE *out);
void manual_print(FILE *out);

#endif
