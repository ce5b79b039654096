/*
 * What the two forms of recorded games share.
 */
#ifndef CLI_TALUVA_REPLAY_PARTS_H
#define CLI_TALUVA_REPLAY_PARTS_H

#include <cli/replay.h>
#include <jansson.h>
#include <rules/taluva.h>

/* Prints the position if that is asked for. */
void taluva_replay_position(struct replay *replay, const struct taluva *game);

/* The options and the deck that a JSON object names. False, and a difference, if they are wrong. */
bool taluva_read_game(struct replay *replay, const json_t *object, struct taluva *game,
                      taluva_tile deck[TALUVA_TILES_MAX], size_t *deck_count);

#endif
