/*
 * A client's patched state held against the driver's own copy of the game.
 */
#ifndef LOAD_MIRROR_H
#define LOAD_MIRROR_H

#include <jansson.h>
#include <rules/taluva.h>

/* Sets the copy up from the state of a match just started. False: no such match. */
bool mirror_begin(struct taluva *game, const json_t *state);

/* Plays `move` on the copy, and draws what the state says was drawn. False: the state cannot come
 * of it. */
bool mirror_move(struct taluva *game, const char *move, bool confirm, const json_t *state);

/* NULL if the state shows this game, else what differs first. `whole`: every hex and reserve; else
 * whose turn, the stack and the number of hexes. */
const char *mirror_difference(const struct taluva *game, const json_t *state, bool whole);

#endif
