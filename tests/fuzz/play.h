/* Something legal, whatever the game: how targets get on with one. */
#ifndef TESTS_FUZZ_PLAY_H
#define TESTS_FUZZ_PLAY_H

#include <rules/taluva.h>

/* One step of a game that is not over. What is chosen depends on `state` alone, which goes on. */
void play_something(struct taluva *game, uint32_t *state);

#endif
