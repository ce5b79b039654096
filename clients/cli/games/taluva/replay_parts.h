/*
 * What the two forms of recorded games share.
 */
#ifndef CLI_TALUVA_REPLAY_PARTS_H
#define CLI_TALUVA_REPLAY_PARTS_H

#include <cli/replay.h>
#include <jansson.h>
#include <rules/taluva.h>

/*
 * Prints the island that this line of a record came to (NULL: at the start), if that is asked for.
 * `before`: as it was before this turn; NULL: the line is no turn.
 */
void taluva_replay_picture(struct replay *replay, const struct record *record,
                           const struct record_line *line, const struct taluva *before,
                           const struct taluva *game);

/* Prints the position if that is asked for. */
void taluva_replay_position(struct replay *replay, const struct taluva *game);

/* The options of a record and the stack, options->tiles of them. False, and a difference, if they
 * are wrong. */
bool taluva_read_deal(struct replay *replay, const struct record *record,
                      struct taluva_options *options, taluva_tile deck[TALUVA_TILES_MAX]);

/* The options and the deck that a JSON object names. False, and a difference, if they are wrong. */
bool taluva_read_game(struct replay *replay, const json_t *object, struct taluva *game,
                      taluva_tile deck[TALUVA_TILES_MAX], size_t *deck_count);

#endif
