#include "parts.h"
#include <assert.h>
#include <rules/notation.h>
#include <string.h>

enum {
    GUESSES = 64,        /* placements tried at random places before all are listed */
    DRAW_IN_EIGHTHS = 6, /* how often the stack is preferred to a 2-Hex tile */
};

static taluva_tile tile_to_place(const struct taluva *game, struct rng *rng)
{
    const uint8_t may_take = taluva_may_take(game);
    if (game->step == TALUVA_STEP_PLACE)
        return game->tile;
    const uint8_t two_hex = (uint8_t)(may_take & ~TALUVA_TAKE_DRAW);
    if (two_hex == 0 || ((may_take & TALUVA_TAKE_DRAW) != 0 && rng_below(rng, 8) < DRAW_IN_EIGHTHS))
        return TALUVA_TILE_NONE;
    uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(two_hex));
    uint8_t i = 0;
    while ((two_hex & 1U << i) == 0 || skip-- > 0)
        i++;
    return (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
}

/* On or next to a hex of the island picked at random. */
static bool guess_placement(const struct taluva *game, taluva_tile tile, struct rng *rng,
                            struct taluva_placement *out)
{
    for (int i = 0; i < GUESSES && game->n_cells > 0; i++) {
        const struct taluva_cell *cell = &game->cells[rng_below(rng, game->n_cells)];
        *out = (struct taluva_placement){
            .at = cell->terrain == TALUVA_VOLCANO ? cell->hex
                                                  : taluva_hex_step(cell->hex, rng_below(rng, 6)),
            .k = (uint8_t)rng_below(rng, 6),
            .tile = tile,
        };
        if (taluva_check_place(game, game->seat, out, false, NULL) == TALUVA_OK)
            return true;
    }
    return false;
}

static bool search_placement(const struct taluva *game, taluva_tile tile, struct rng *rng,
                             struct taluva_placement *out)
{
    struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    bool dead_end[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, dead_end);
    assert(n > 0);
    const uint32_t start = rng_below(rng, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        const size_t at = (start + i) % n;
        if (!dead_end[at]) {
            *out = all[at];
            return true;
        }
    }
    *out = all[start];
    return false;
}

static void choose_build(const struct taluva *game, struct rng *rng, struct load_move *out)
{
    struct taluva_build all[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, all);
    assert(n > 0);
    taluva_build_format(&all[rng_below(rng, (uint32_t)n)], out->text);
}

void taluva_choose(const struct taluva *game, struct rng *rng, struct load_move *out)
{
    *out = (struct load_move){.confirm = false};
    if (game->step == TALUVA_STEP_BUILD) {
        choose_build(game, rng, out);
        return;
    }
    const taluva_tile tile = tile_to_place(game, rng);
    if (tile == TALUVA_TILE_NONE) {
        memcpy(out->text, "draw", sizeof "draw");
        return;
    }
    struct taluva_placement placement;
    if (!guess_placement(game, tile, rng, &placement))
        out->confirm = !search_placement(game, tile, rng, &placement);
    /* No 2-Hex tile is worth leaving the game for while there is a stack. */
    if (out->confirm && game->step == TALUVA_STEP_DRAW &&
        (taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0) {
        *out = (struct load_move){.text = "draw"};
        return;
    }
    taluva_placement_format(&placement, out->text);
}
