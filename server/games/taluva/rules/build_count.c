#include "build_count.h"

#include "build.h"
#include "lagoon.h"
#include "lay.h"

static void find_near_own(struct rules_build_count *counter)
{
    const struct taluva *const game = counter->game;
    const struct rules_map *const map = &counter->map;
    struct rules_bits own;
    rules_bits_clear(map, &own);
    rules_bits_clear(map, &counter->near_own);
    for (unsigned i = 0; i < game->n_cells; i++) {
        if (game->cells[i].owner == counter->seat)
            rules_bits_set(&own, rules_map_bit(map, game->cells[i].hex.q, game->cells[i].hex.r));
    }
    for (unsigned i = 0; i < map->n_words; i++)
        counter->near_own.words[MAP_GUARD + i] = rules_bits_beside(map, &own, i);
}

void rules_build_count_init(struct rules_build_count *counter, const struct taluva *game,
                            unsigned seat)
{
    counter->game = game;
    counter->seat = seat;
    counter->has_boats = game->reserve[seat][TALUVA_BOAT] > 0;
    rules_settlements_init(&counter->settlements, game, seat);
    const struct rules_tally tally = rules_tally_builds(game, seat, &counter->settlements);
    counter->n_huts = tally.huts;
    counter->n_fields = tally.huts + tally.towers + tally.temples;
    counter->n_boats = tally.boats;
    counter->n_builds = counter->n_fields + tally.expansions + tally.boats;
    counter->for_temple = game->reserve[seat][TALUVA_TEMPLE] > 0
                              ? counter->settlements.large & ~counter->settlements.with_temple
                              : 0;
    rules_map_init(&counter->map, game);
    find_near_own(counter);
    if (counter->has_boats)
        rules_lagoons(&counter->map, &counter->lagoons);
    counter->copy = *game;
}

/* A field that the tile adds, and the seat's settlements beside it. */
struct landing {
    unsigned terrain;
    uint32_t beside;
};

static int is_payable(unsigned cost, unsigned huts)
{
    return cost > 0 && cost <= huts;
}

/* How many more expansions settlement s has once these fields lie on the table. */
static int expansions_gained(const struct rules_build_count *counter,
                             const struct landing *landings, unsigned n, unsigned s)
{
    const unsigned huts = counter->game->reserve[counter->seat][TALUVA_HUT];
    unsigned added[TERRAINS] = {0};
    int gained = 0;
    for (unsigned i = 0; i < n; i++)
        added[landings[i].terrain] += landings[i].beside >> s & 1;
    for (unsigned i = 0; i < n; i++) {
        const unsigned terrain = landings[i].terrain, cost = counter->settlements.cost[s][terrain];
        gained += is_payable(cost + added[terrain], huts) - is_payable(cost, huts);
        added[terrain] = 0;
    }
    return gained;
}

static int gained_on_table(const struct rules_build_count *counter,
                           const struct taluva_placement *placement)
{
    const bool huts = counter->game->reserve[counter->seat][TALUVA_HUT] > 0;
    struct landing landings[3];
    struct taluva_hex hexes[3];
    unsigned n = 0;
    int gained = 0;
    uint32_t beside = 0;
    if (!huts && counter->for_temple == 0)
        return 0;
    const size_t n_hexes = taluva_placement_hexes(placement, hexes);
    for (unsigned i = 0; i < n_hexes; i++) {
        const unsigned terrain = taluva_tile_terrain(placement->tile, i);
        if (terrain == TALUVA_VOLCANO)
            continue;
        landings[n].terrain = terrain;
        landings[n].beside = rules_settlements_beside(&counter->settlements, counter->game,
                                                      counter->seat, hexes[i].q, hexes[i].r);
        gained += huts && (counter->game->options.huts_anywhere || landings[n].beside == 0);
        gained += (landings[n].beside & counter->for_temple) != 0;
        beside |= landings[n].beside;
        n++;
    }
    for (unsigned s = 0; beside >> s != 0; s++)
        gained += (beside >> s & 1) != 0 ? expansions_gained(counter, landings, n, s) : 0;
    return gained;
}

static bool is_in(const struct rules_build_count *counter, const struct rules_bits *bits,
                  const struct taluva_placement *placement)
{
    return rules_bits_has(bits, rules_map_bit(&counter->map, placement->at.q, placement->at.r));
}

unsigned rules_build_count_after(struct rules_build_count *counter,
                                 const struct taluva_placement *placement)
{
    if (!counter->has_boats && !is_in(counter, &counter->map.land, placement))
        return (unsigned)((int)counter->n_builds + gained_on_table(counter, placement));
    struct rules_covered covered;
    rules_lay(&counter->copy, placement, &covered);
    const unsigned n = rules_count_builds(&counter->copy, counter->seat);
    rules_lift(&counter->copy, &covered);
    return n;
}

/* An eruption changes no water, so that there is a boat after it only if there was one before. */
static bool is_dead_end_erupting(struct rules_build_count *counter,
                                 const struct taluva_placement *placement)
{
    /* Huts need nothing but their fields, and of those a tile on a volcano covers two. */
    if (counter->n_huts > 2)
        return false;
    struct rules_covered covered;
    rules_lay(&counter->copy, placement, &covered);
    const bool any = rules_can_build_on_land(&counter->copy, counter->seat) ||
                     (counter->n_boats > 0 && rules_can_build_boat(&counter->copy, counter->seat));
    rules_lift(&counter->copy, &covered);
    return !any;
}

/*
 * Whether a tile on the open sea can cut off some of it. Around the tile lie, clockwise, what is
 * beside its first hex, its second and its third; where all the land among them is one stretch, or
 * there is none, the water beside the tile stays connected along it.
 */
static bool may_enclose(const struct rules_build_count *counter,
                        const struct taluva_placement *placement)
{
    static const uint8_t three[][2] = {{0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 5},
                                       {1, 0}, {1, 1}, {2, 1}, {2, 2}};
    static const uint8_t two[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4},
                                     {0, 5}, {1, 5}, {1, 0}, {1, 1}};
    struct taluva_hex hexes[3];
    const bool is_three = taluva_placement_hexes(placement, hexes) == 3;
    const unsigned n = is_three ? 9 : 8;
    unsigned around = 0, stretches = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t *const from = is_three ? three[i] : two[i];
        const unsigned d = ((unsigned)placement->k + from[1]) % 6;
        const int q = hexes[from[0]].q + rules_dq[d], r = hexes[from[0]].r + rules_dr[d];
        around |= rules_find(counter->game, q, r) != TALUVA_NO_CELL ? 1u << i : 0;
    }
    for (unsigned i = 0; i < n; i++)
        stretches += (around >> i & 1) != 0 && (around >> (i + 1) % n & 1) == 0;
    return stretches > 1;
}

static bool is_dead_end_on_table(struct rules_build_count *counter,
                                 const struct taluva_placement *placement)
{
    const int n_on_land = (int)(counter->n_builds - counter->n_boats);
    if (counter->n_fields > 0 || n_on_land + gained_on_table(counter, placement) > 0)
        return false;
    if (!counter->has_boats)
        return true;
    /* A tile in a lagoon can only remove places for boats, one in the sea can only add some. */
    const bool in_lagoon = is_in(counter, &counter->lagoons, placement);
    const bool had_boats = counter->n_boats > 0;
    if (in_lagoon != had_boats)
        return in_lagoon;
    if (!in_lagoon && !may_enclose(counter, placement))
        return true;
    struct rules_covered covered;
    rules_lay(&counter->copy, placement, &covered);
    const bool any = rules_can_build_boat(&counter->copy, counter->seat);
    rules_lift(&counter->copy, &covered);
    return !any;
}

bool rules_build_count_is_dead_end(struct rules_build_count *counter,
                                   const struct taluva_placement *placement)
{
    return is_in(counter, &counter->map.land, placement) ? is_dead_end_erupting(counter, placement)
                                                         : is_dead_end_on_table(counter, placement);
}
