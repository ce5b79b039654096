/*
 * A room's state as a position of the rules core, for whoever wants to compute with it.
 *
 * Nothing of the state is trusted: it becomes the text of a position (protocol/notation.md), and
 * the rules' reader refuses what no game can reach.
 */
#ifndef CLI_TALUVA_STATE_POSITION_H
#define CLI_TALUVA_STATE_POSITION_H

#include "known.h"

/* False, with *game untouched, if the state shows no position of a match under way. */
bool state_position(struct taluva *game, const json_t *state, const struct known *known);

#endif
