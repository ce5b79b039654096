/* Looks back at a match of a room: its moves as text, told to the analysis of computer/. */
#include "taluva_match.h"
#include <assert.h>
#include <computer/analysis.h>
#include <taluva_report/report.h>

/* All that is needed, in the memory of whoever runs it. */
struct work {
    struct analysis analysis;
    _Alignas(max_align_t) unsigned char memory[ANALYSIS_ROOT_BYTES +
                                               ANALYSIS_SIMULATION_BYTES * ANALYSIS_SIMULATIONS];
};

static bool tell_move(struct analysis *analysis, const struct game_played *played)
{
    struct analysis_move move = {.kind = ANALYSIS_FORFEIT};
    if (played->move && !analysis_move_read(&move, played->move, played->len))
        return false;
    return analysis_move(analysis, played->seat, &move) == TALUVA_OK;
}

static bool tell_all(struct analysis *analysis, const struct game_played *played, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!tell_move(analysis, &played[i]) || analysis->cancelled)
            return false;
    }
    analysis_finish(analysis);
    return true;
}

static uint32_t simulations_for(const struct game_thinking *thinking)
{
    uint32_t most = thinking->simulations_max;
    return most > 0 && most < ANALYSIS_SIMULATIONS ? most : ANALYSIS_SIMULATIONS;
}

static bool analyse_match(const void *game, const struct game_played *played, size_t count,
                          struct game_thinking *thinking, struct writer *writer)
{
    const struct taluva_match *match = game;
    struct work *const work = thinking->memory;
    assert(thinking->memory_bytes >= sizeof *work);
    struct analysis *const analysis = &work->analysis;
    const struct analysis_effort effort = {
        .simulations = simulations_for(thinking),
        .cancel = thinking->cancel,
        .memory = work->memory,
        .memory_bytes = sizeof work->memory,
    };
    if (analysis_begin(analysis, &match->game.options, match->deck, &effort) != TALUVA_OK)
        return false;
    const bool told = tell_all(analysis, played, count);
    thinking->simulations = (uint32_t)analysis->simulations;
    if (!told)
        return false;
    report_write(analysis, TALUVA_RULES_VERSION, writer);
    return true;
}

const struct game_analyst taluva_analyst = {
    .memory_bytes = sizeof(struct work),
    .analyse = analyse_match,
};
