/*
 * Positions in the notation of protocol/totem.md as a command takes them, and as the state of a
 * room that has come to them.
 */
#ifndef CLI_TOTEM_POSITION_H
#define CLI_TOTEM_POSITION_H

#include <jansson.h>
#include <totem_rules/totem.h>

/* The words as one line, or `-` for the standard input: an exit code, with a message unless OK. */
int totem_line_read(struct totem *game, int count, char *const *words);

/* What the audience (a seat, TOTEM_WATCHER, TOTEM_SERVER) may see of it; a new reference. */
json_t *totem_state_of(const struct totem *game, unsigned audience);

#endif
