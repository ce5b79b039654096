/* Recorded games as JSON: changed in one place, and replayed. */
#ifndef TESTS_UNIT_CLIENTS_REPLAY_STAGE_H
#define TESTS_UNIT_CLIENTS_REPLAY_STAGE_H

#include <cli/game.h>
#include <cli/replay.h>
#include <jansson.h>

/* What it found is written to `shown`. */
struct replay replay_all_of(const struct game *of, const json_t *game, char *shown, size_t size);

/* Follows the dots of the path; the last step is set, or removed if there is no value (as JSON). */
void replay_change(json_t *at, const char *path, const char *value);

#endif
