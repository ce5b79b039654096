/*
 * Lists all builds of a seat in one pass over the free fields.
 */
#include "build.h"
#include "lagoon.h"
#include <string.h>

/* Where builds go, or are merely counted. */
struct sink {
    struct taluva_build *out;
    size_t n;
    unsigned tally[TALUVA_VERBS];
};

static void put_build(struct sink *sink, struct taluva_hex at, enum taluva_verb verb,
                      unsigned terrain)
{
    if (sink->out)
        sink->out[sink->n] = (struct taluva_build){at, (uint8_t)verb, (uint8_t)terrain};
    sink->n++;
    sink->tally[verb]++;
}

static void put_on_fields(struct sink *sink, const struct taluva *game, unsigned seat,
                          const struct rules_settlements *settlements)
{
    const uint8_t *const reserve = game->reserve[seat];
    const uint32_t for_tower = reserve[TALUVA_TOWER] > 0 ? ~settlements->with_tower : 0;
    const uint32_t for_temple =
        reserve[TALUVA_TEMPLE] > 0 ? settlements->large & ~settlements->with_temple : 0;
    const bool huts = reserve[TALUVA_HUT] > 0, anywhere = game->options.huts_anywhere;
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_cell *const cell = &game->cells[i];
        if (!rules_is_free_field(cell))
            continue;
        const uint32_t beside = settlements->beside[i];
        if (huts && cell->level == 1 && (anywhere || beside == 0))
            put_build(sink, cell->hex, TALUVA_BUILD_HUT, 0);
        if (cell->level >= 3 && (beside & for_tower) != 0)
            put_build(sink, cell->hex, TALUVA_BUILD_TOWER, 0);
        if ((beside & for_temple) != 0)
            put_build(sink, cell->hex, TALUVA_BUILD_TEMPLE, 0);
    }
}

static void put_expansions(struct sink *sink, const struct taluva *game, unsigned seat,
                           const struct rules_settlements *settlements)
{
    for (unsigned s = 0; s < settlements->n; s++) {
        for (unsigned t = 0; t < TERRAINS; t++) {
            if (settlements->cost[s][t] > 0 &&
                settlements->cost[s][t] <= game->reserve[seat][TALUVA_HUT])
                put_build(sink, game->cells[settlements->first[s]].hex, TALUVA_BUILD_EXPAND, t);
        }
    }
}

static void put_boats(struct sink *sink, const struct taluva *game, unsigned seat)
{
    if (game->reserve[seat][TALUVA_BOAT] == 0)
        return;
    struct rules_boat_places places;
    rules_boat_places_init(&places, game, seat);
    for (unsigned i = 0; i < places.n; i++) {
        const unsigned bit = (unsigned)rules_bits_first(&places.map, &places.names);
        put_build(sink, rules_map_hex(&places.map, bit), TALUVA_BUILD_BOAT, 0);
        places.names.words[MAP_GUARD + bit / 64] &= ~((uint64_t)1 << bit % 64);
    }
}

static void put_on_land(struct sink *sink, const struct taluva *game, unsigned seat,
                        const struct rules_settlements *settlements)
{
    put_on_fields(sink, game, seat, settlements);
    put_expansions(sink, game, seat, settlements);
}

struct rules_tally rules_tally_builds(const struct taluva *game, unsigned seat,
                                      const struct rules_settlements *settlements)
{
    struct sink sink = {NULL, 0, {0}};
    put_on_land(&sink, game, seat, settlements);
    put_boats(&sink, game, seat);
    return (struct rules_tally){
        .huts = sink.tally[TALUVA_BUILD_HUT],
        .towers = sink.tally[TALUVA_BUILD_TOWER],
        .temples = sink.tally[TALUVA_BUILD_TEMPLE],
        .expansions = sink.tally[TALUVA_BUILD_EXPAND],
        .boats = sink.tally[TALUVA_BUILD_BOAT],
    };
}

static size_t list_builds(const struct taluva *game, unsigned seat, struct taluva_build *out)
{
    struct sink sink = {out, 0, {0}};
    struct rules_settlements settlements;
    rules_settlements_init(&settlements, game, seat);
    put_on_land(&sink, game, seat, &settlements);
    put_boats(&sink, game, seat);
    return sink.n;
}

unsigned rules_count_builds(const struct taluva *game, unsigned seat)
{
    return (unsigned)list_builds(game, seat, NULL);
}

/* A quick check: usually a hut can be built, and most often on the latest hexes. */
static bool has_hut(const struct taluva *game, unsigned seat)
{
    if (game->reserve[seat][TALUVA_HUT] == 0)
        return false;
    for (unsigned i = game->n_cells; i-- > 0;) {
        if (game->cells[i].level == 1 && rules_is_free_field(&game->cells[i]) &&
            (game->options.huts_anywhere || !rules_is_beside_own(game, i, seat)))
            return true;
    }
    return false;
}

bool rules_can_build_on_land(const struct taluva *game, unsigned seat)
{
    if (has_hut(game, seat))
        return true;
    struct sink sink = {NULL, 0, {0}};
    struct rules_settlements settlements;
    rules_settlements_init(&settlements, game, seat);
    put_on_land(&sink, game, seat, &settlements);
    return sink.n > 0;
}

bool rules_can_build_boat(const struct taluva *game, unsigned seat)
{
    struct sink sink = {NULL, 0, {0}};
    put_boats(&sink, game, seat);
    return sink.n > 0;
}

bool rules_can_build(const struct taluva *game, unsigned seat)
{
    return rules_can_build_on_land(game, seat) || rules_can_build_boat(game, seat);
}

static bool build_less(const struct taluva_build *a, const struct taluva_build *b)
{
    if (a->verb != b->verb)
        return a->verb < b->verb;
    if (!rules_hex_equal(a->at, b->at))
        return rules_hex_less(a->at, b->at);
    return a->terrain < b->terrain;
}

static void sort_builds(struct taluva_build *builds, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct taluva_build build = builds[i];
        size_t j = i;
        for (; j > 0 && build_less(&build, &builds[j - 1]); j--)
            builds[j] = builds[j - 1];
        builds[j] = build;
    }
}

size_t taluva_list_builds(const struct taluva *game, struct taluva_build *out)
{
    if (game->step == TALUVA_STEP_OVER)
        return 0;
    const size_t n = list_builds(game, game->seat, out);
    if (out)
        sort_builds(out, n);
    return n;
}
