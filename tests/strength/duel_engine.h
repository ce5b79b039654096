/* An engine (protocol/engine.md) as one of the players of a match. */
#ifndef TEST_STRENGTH_DUEL_ENGINE_H
#define TEST_STRENGTH_DUEL_ENGINE_H

#include "program.h"
#include <cli/game.h>

/* What it is asked with. */
struct duel_engine {
    const struct game_engine *type;
    const char *limits; /* behind `go`; "" */
    int64_t patience_ms;
};

/* Starts it and waits until it is ready; if it never is, that is its fault. False: no process. */
bool duel_engine_start(struct program *program, const char *command,
                       const struct duel_engine *engine);
/*
 * What it plays in this position (of the game's thinker). Where it is at fault, as `program->fault`
 * says then, the plan is empty: a turn that is not legal is PROGRAM_REFUSED.
 */
void duel_engine_ask(struct program *program, const struct duel_engine *engine,
                     const void *position, uint64_t seed, struct game_plan *plan);

#endif
