/*
 * What is known of a match before it begins, as lines of text: what will be played, how others
 * come in, what to do next.
 */
#ifndef CLI_LOBBY_H
#define CLI_LOBBY_H

#include <cli/game.h>
#include <stdio.h>

/* `server` is how others reach the server, `seat` ours or -1. Lines of at most 54 columns. */
void lobby_print(const struct game *game, const json_t *state, const char *room, const char *server,
                 int seat, FILE *out);

/* "fischer: 600 s, 10 s more after each turn" */
void clock_print(const json_t *clock, FILE *out);

#endif
