/* An engine (protocol/engine.md) that answers what an analysis asks, in place of the computer. */
#ifndef CLI_TALUVA_ANALYSE_ENGINE_H
#define CLI_TALUVA_ANALYSE_ENGINE_H

#include <cli/game.h>
#include <computer/analysis.h>

struct analyse_engine {
    const struct engine_asker *asker;
    uint32_t simulations;   /* of a whole question; many ask for a share of it */
    int64_t ms;             /* the same; below 0: it is not said */
    char why[GAME_PROBLEM]; /* it is broken: a phrase; else "" */
};

/* For struct analysis_thinker; the user is a struct analyse_engine. */
void analyse_engine_think(void *user, const struct computer_question *question,
                          struct computer_answer *answer);

#endif
