#include "build.h"
#include "tile.h"
#include "trial.h"

static uint64_t count_builds(const struct taluva *game, const taluva_tile *deck, size_t n_deck,
                             unsigned turns)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, builds);
    if (turns == 1) {
        return n;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct taluva next = *game;
        taluva_build(&next, game->seat, &builds[i], NULL);
        sum += taluva_perft(&next, deck, n_deck, turns - 1);
    }
    return sum;
}

static uint64_t count_tile(const struct taluva *game, taluva_tile tile, const taluva_tile *deck,
                           size_t n_deck, unsigned turns)
{
    struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, placements, NULL);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct taluva next = *game;
        taluva_place(&next, game->seat, &placements[i], true, NULL);
        sum += next.step == TALUVA_STEP_BUILD ? count_builds(&next, deck, n_deck, turns)
                                              : taluva_perft(&next, deck, n_deck, turns - 1);
    }
    return sum;
}

uint64_t taluva_perft(const struct taluva *game, const taluva_tile *deck, size_t n_deck,
                      unsigned turns)
{
    if (turns == 0)
        return 1;
    const uint8_t take = taluva_may_take(game);
    uint64_t sum = 0;
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if (take >> i & 1)
            sum += count_tile(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i), deck, n_deck, turns);
    }
    if ((take & TALUVA_TAKE_DRAW) && n_deck > 0) {
        struct taluva next = *game;
        taluva_draw(&next, game->seat, deck[0], NULL);
        sum += count_tile(&next, deck[0], deck + 1, n_deck - 1, turns);
    }
    return sum;
}
