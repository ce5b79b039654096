#include "play.h"

#include "../unit/rules/invariants.h"

static size_t choose(uint32_t *state, size_t n)
{
    *state = *state * 1664525u + 1013904223u;
    return (size_t)((uint64_t)(*state >> 8) * n >> 24);
}

static void place(struct taluva *game, taluva_tile tile, uint32_t *state)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    static bool dead_end[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, dead_end);
    HOLD(n > 0 && n <= TALUVA_PLACEMENTS_MAX);
    const size_t i = choose(state, n);
    struct taluva_effects effects;
    HOLD(taluva_place(game, game->seat, &all[i], true, &effects) == TALUVA_OK);
    HOLD((effects.eliminated != 0) == dead_end[i]);
}

static void take(struct taluva *game, uint32_t *state)
{
    const unsigned may_take = taluva_may_take(game);
    if ((may_take & TALUVA_TAKE_DRAW) != 0) {
        const taluva_tile tile = (taluva_tile)choose(state, TALUVA_TILE_TWO_HEX);
        HOLD(taluva_draw(game, game->seat, tile, NULL) == TALUVA_OK);
        return;
    }
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((may_take >> i & 1) != 0) {
            place(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i), state);
            return;
        }
    }
    HOLD(!"nothing to take");
}

static void build(struct taluva *game, uint32_t *state)
{
    static struct taluva_build all[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, all);
    HOLD(n > 0 && n <= TALUVA_BUILDS_MAX);
    HOLD(taluva_build(game, game->seat, &all[choose(state, n)], NULL) == TALUVA_OK);
}

void play_something(struct taluva *game, uint32_t *state)
{
    if (game->step == TALUVA_STEP_DRAW)
        take(game, state);
    else if (game->step == TALUVA_STEP_PLACE)
        place(game, game->tile, state);
    else
        build(game, state);
}
