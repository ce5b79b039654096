/*
 * Counts legal sequences of turns. The last turn is not played but counted: most placements on the
 * table are far from the seat's buildings, and those are counted 64 at a time.
 */
#include "build.h"
#include "build_count.h"
#include "placements.h"
#include "tile.h"

/* A placement that leaves nothing to build is a whole turn. */
static uint64_t at_least_one(unsigned n_builds)
{
    return n_builds > 0 ? n_builds : 1;
}

static uint64_t count_each(struct rules_build_count *counter, taluva_tile tile, unsigned k,
                           unsigned word, uint64_t left)
{
    uint64_t sum = 0;
    for (; left != 0; left &= left - 1) {
        const unsigned bit = 64 * word + (unsigned)__builtin_ctzll(left);
        const struct taluva_placement placement = {rules_map_hex(&counter->map, bit), (uint8_t)k,
                                                   tile};
        sum += at_least_one(rules_build_count_after(counter, &placement));
    }
    return sum;
}

/* The bits of a word at which the tile would have a field beside a building of the seat. */
static uint64_t near_own(const struct rules_build_count *counter, taluva_tile tile, unsigned k,
                         unsigned word)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < rules_tile_hexes(tile); i++) {
        if (taluva_tile_terrain(tile, i) != TALUVA_VOLCANO) {
            const int off = i == 0 ? 0 : counter->map.off[rules_turn(k, i - 1)];
            bits |= rules_bits_seen(&counter->near_own, word, off);
        }
    }
    return bits;
}

static unsigned fields_of(taluva_tile tile)
{
    unsigned n = 0;
    for (unsigned i = 0; i < rules_tile_hexes(tile); i++)
        n += taluva_tile_terrain(tile, i) != TALUVA_VOLCANO;
    return n;
}

static uint64_t count_last(const struct taluva *game, taluva_tile tile)
{
    struct rules_places places;
    struct rules_build_count counter;
    const struct rules_map *const map = &places.map;
    rules_places_init(&places, game, tile);
    rules_build_count_init(&counter, game, game->seat);
    const uint64_t n_far = at_least_one(rules_build_count_far_from_own(&counter, fields_of(tile)));
    uint64_t sum = 0;
    for (unsigned k = 0; k < rules_tile_turns(tile); k++) {
        for (unsigned i = 0; i < map->n_words; i++) {
            const uint64_t all = places.fits[k].words[MAP_GUARD + i];
            const uint64_t plain = counter.has_boats ? 0
                                                     : all & ~map->land.words[MAP_GUARD + i] &
                                                           ~near_own(&counter, tile, k, i);
            sum += rules_popcount(plain) * n_far;
            sum += count_each(&counter, tile, k, i, all & ~plain);
        }
    }
    return sum;
}

static uint64_t after_builds(const struct taluva *game, const taluva_tile *deck, size_t n_deck,
                             unsigned turns)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, builds);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct taluva next = *game;
        (void)taluva_build(&next, game->seat, &builds[i], NULL);
        sum += taluva_perft(&next, deck, n_deck, turns - 1);
    }
    return sum;
}

static uint64_t after_placements(const struct taluva *game, taluva_tile tile,
                                 const taluva_tile *deck, size_t n_deck, unsigned turns)
{
    if (turns == 1)
        return count_last(game, tile);
    struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, placements, NULL);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct taluva next = *game;
        (void)taluva_place(&next, game->seat, &placements[i], true, NULL);
        sum += next.step == TALUVA_STEP_BUILD ? after_builds(&next, deck, n_deck, turns)
                                              : taluva_perft(&next, deck, n_deck, turns - 1);
    }
    return sum;
}

uint64_t taluva_perft(const struct taluva *game, const taluva_tile *deck, size_t n_deck,
                      unsigned turns)
{
    if (turns == 0)
        return 1;
    const unsigned take = taluva_may_take(game);
    uint64_t sum = 0;
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((take >> i & 1) != 0)
            sum +=
                after_placements(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i), deck, n_deck, turns);
    }
    if ((take & TALUVA_TAKE_DRAW) != 0 && n_deck > 0) {
        struct taluva next = *game;
        (void)taluva_draw(&next, game->seat, deck[0], NULL);
        sum += after_placements(&next, deck[0], deck + 1, n_deck - 1, turns);
    }
    return sum;
}
