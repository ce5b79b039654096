/*
 * What can be said about a room when it is made, whatever its game is: options of every command
 * that `creates`.
 */
#ifndef CLI_ROOM_OPTIONS_H
#define CLI_ROOM_OPTIONS_H

#include <cli/command.h>
#include <jansson.h>

extern const struct option_row room_option_rows[]; /* of struct room_options */

/* EXIT_OK, or the complaint about an option that would be ignored. */
int room_options_check(const struct invocation *invocation);

/* The request `create` that the command line asks for; a new reference. */
json_t *room_options_request(const struct invocation *invocation);

#endif
