/*
 * What load_taluva's table is made of, by file. The contracts stand in load/game.h.
 */
#ifndef LOAD_TALUVA_PARTS_H
#define LOAD_TALUVA_PARTS_H

#include <load/game.h>
#include <rules/taluva.h>

/* choose.c; the game is not over. */
void taluva_choose(const struct taluva *game, struct rng *rng, struct load_move *out);

/* copy.c */
bool taluva_copy_begin(struct taluva *game, const json_t *state);
bool taluva_copy_play(struct taluva *game, const char *move, bool confirm, const json_t *state);
bool taluva_copy_follow(struct taluva *game, const struct load_move *move, struct scan push);
const char *taluva_copy_difference(const struct taluva *game, const json_t *state, bool whole);

#endif
