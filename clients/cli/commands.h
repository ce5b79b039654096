/*
 * The commands of the client, and those of its games, as one list; how they are run and explained.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <cli/game.h>

extern const struct command command_analyse;
extern const struct command command_bot;
extern const struct command command_create;
extern const struct command command_join;
extern const struct command command_play;
extern const struct command command_record;
extern const struct command command_replay;
extern const struct command command_rooms;
extern const struct command command_verify;
extern const struct command command_watch;

/* The client's and the game's commands by name: the first one behind `after`; NULL at the end. */
const struct command *command_next(const struct game *game, const char *after);
const struct command *command_find(const struct game *game, const char *name);

/* argv without program, game and command name. Handles --help and bad usage. */
int command_run(const struct game *game, const struct command *command, int argc, char **argv);

/* Usage of the program, help of one command, the manual page in man(7) macros. */
void usage_print(FILE *out);
void help_print(const struct game *game, const struct command *command, FILE *out);
void manual_print(FILE *out);

#endif
