/*
 * A player without the net: it plays legal moves, avoids placements that would eliminate it, and
 * builds temples beside settlements of three hexes and towers on high hexes beside a settlement. It
 * spends huts to get there, but with care, as a player without huts is soon out. It looks one turn
 * of its own ahead. A beginner plays the same but looks at few placements and overlooks builds.
 */
#include "simple.h"

#include <assert.h>
#include <base/rng.h>
#include <limits.h>
#include <string.h>

enum {
    /* Placements tried with every build that could follow: some microseconds each. */
    TRIES = 24,
    TRIES_OF_BEGINNER = 6,
    OVERLOOKED_ONE_IN = 3, /* by a beginner, of the builds */

    /* What things are worth, compared with each other. */
    WORTH_WIN = 100000,
    WORTH_TEMPLE = 1000,
    WORTH_TOWER = 800,
    WORTH_BOAT = 300,
    WORTH_OF_SIZE_3 = 200, /* a settlement that can have a temple next */
    WORTH_OF_SIZE_2 = 90,
    WORTH_NEW = 60,
    WORTH_FREE_NEIGHBOUR = 8,
    WORTH_COVERED = 25,
    COST_COVERED = 50,
    COST_HUT = 9,
    COST_LAST_HUTS = 120, /* for each hut fewer than ENOUGH_HUTS that would be left */
    ENOUGH_HUTS = 4,
    NOISE = 12,
};

static size_t random_below(struct rng *random, size_t n)
{
    return (size_t)(rng_next(random) % n);
}

/* Room to grow into: free fields around a hex. */
static int free_neighbours(const struct taluva *game, struct taluva_hex hex)
{
    int count = 0;
    for (unsigned direction = 0; direction < 6; direction++) {
        const struct taluva_cell *cell = taluva_cell_at(game, taluva_hex_step(hex, direction));
        count += cell && cell->terrain != TALUVA_VOLCANO && cell->owner == TALUVA_NO_SEAT;
    }
    return count;
}

/* Would these pieces, placed, be the last of a second kind? */
static bool wins_game(const struct taluva *game, enum taluva_kind kind, unsigned pieces)
{
    unsigned empty = 0;
    for (unsigned i = 0; i < (game->options.boats ? TALUVA_KINDS : TALUVA_BOAT); i++) {
        unsigned left = game->reserve[game->seat][i];
        empty += i == (unsigned)kind ? left == pieces : left == 0;
    }
    return empty >= 2;
}

/* The fewer huts would be left, the more they cost. */
static int cost_of_huts(const struct taluva *game, int spent)
{
    int left = game->reserve[game->seat][TALUVA_HUT] - spent;
    int missing = left < ENOUGH_HUTS ? ENOUGH_HUTS - left : 0;
    return COST_HUT * spent + COST_LAST_HUTS * missing;
}

static int worth_of_expansion(const struct taluva *game, const struct taluva_build *build,
                              const struct taluva_build_plan *plan)
{
    struct taluva_settlement settlement;
    taluva_settlement_at(game, build->at, &settlement);
    int worth = 0;
    if (!settlement.has_temple && settlement.n_hexes < 3)
        worth = settlement.n_hexes + plan->n_hexes >= 3 ? WORTH_OF_SIZE_3 : WORTH_OF_SIZE_2;
    return worth - cost_of_huts(game, plan->cost);
}

static int worth_of_build(const struct taluva *game, const struct taluva_build *build)
{
    struct taluva_build_plan plan;
    if (taluva_plan_build(game, game->seat, build, &plan) != TALUVA_OK)
        return 0;
    if (wins_game(game, (enum taluva_kind)plan.kind, plan.cost))
        return WORTH_WIN;
    switch ((enum taluva_verb)build->verb) {
    case TALUVA_BUILD_TEMPLE:
        return WORTH_TEMPLE;
    case TALUVA_BUILD_TOWER:
        return WORTH_TOWER;
    case TALUVA_BUILD_BOAT:
        return WORTH_BOAT;
    case TALUVA_BUILD_HUT:
        return WORTH_NEW + WORTH_FREE_NEIGHBOUR * free_neighbours(game, build->at) -
               cost_of_huts(game, plan.cost);
    case TALUVA_BUILD_EXPAND:
        return worth_of_expansion(game, build, &plan);
    }
    return 0;
}

/*
 * The best build now and what it is worth; false if there is none. A beginner overlooks some, but
 * not the last when it has found none before.
 */
static bool best_build(const struct taluva *game, bool beginner, struct rng *random,
                       struct taluva_build *best, int *best_worth)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    size_t count = taluva_list_builds(game, builds);
    *best_worth = INT_MIN;
    for (size_t i = 0; i < count; i++) {
        bool last_chance = i + 1 == count && *best_worth == INT_MIN;
        if (beginner && !last_chance && random_below(random, OVERLOOKED_ONE_IN) == 0)
            continue;
        int worth = worth_of_build(game, &builds[i]) + (int)random_below(random, NOISE);
        if (worth > *best_worth) {
            *best_worth = worth;
            *best = builds[i];
        }
    }
    return count > 0;
}

static int worth_of_covering(const struct taluva_effects *effects, unsigned seat)
{
    int worth = 0;
    for (unsigned i = 0; i < TALUVA_SEATS_MAX; i++) {
        bool mine = i == seat;
        worth += effects->huts_covered[i] * (mine ? -COST_COVERED : WORTH_COVERED);
    }
    return worth;
}

static int worth_of_placement(const struct taluva *game, const struct taluva_placement *placement,
                              bool beginner, struct rng *random)
{
    struct taluva next = *game;
    struct taluva_effects effects;
    struct taluva_build build;
    int worth;
    enum taluva_status status = taluva_place(&next, game->seat, placement, true, &effects);
    assert(status == TALUVA_OK);
    if (next.step != TALUVA_STEP_BUILD || !best_build(&next, beginner, random, &build, &worth))
        return INT_MIN;
    return worth + worth_of_covering(&effects, game->seat);
}

/* Moves the placements that are no dead ends to the front; how many, or all if there are none. */
static size_t keep_alive(struct taluva_placement *list, const bool *dead_end, size_t count)
{
    size_t alive = 0;
    for (size_t i = 0; i < count; i++) {
        if (!dead_end[i])
            list[alive++] = list[i];
    }
    return alive > 0 ? alive : count;
}

static struct taluva_placement choose_placement(const struct taluva *game, taluva_tile tile,
                                                bool beginner, struct rng *random)
{
    size_t tries = beginner ? TRIES_OF_BEGINNER : TRIES;
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    bool dead_end[TALUVA_PLACEMENTS_MAX];
    size_t count = taluva_list_placements(game, tile, list, dead_end);
    assert(count > 0);
    count = keep_alive(list, dead_end, count);
    struct taluva_placement best = list[0];
    int best_worth = INT_MIN;
    for (size_t i = 0; i < tries && i < count; i++) {
        size_t pick = i + random_below(random, count - i);
        struct taluva_placement placement = list[pick];
        list[pick] = list[i];
        int worth = worth_of_placement(game, &placement, beginner, random);
        if (worth > best_worth) {
            best_worth = worth;
            best = placement;
        }
    }
    return best;
}

/* The first 2-Hex tile that may be taken. */
static taluva_tile any_two_hex(const struct taluva *game)
{
    unsigned may_take = taluva_may_take(game);
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((may_take >> i) & 1)
            return (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
    }
    assert(false && "step draw, and nothing to take");
    return TALUVA_TILE_NONE;
}

static void choose_build(const struct taluva *game, bool beginner, struct rng *random,
                         struct computer_turn *turn)
{
    int worth;
    const bool any = best_build(game, beginner, random, &turn->build, &worth);
    assert(any);
    (void)any;
    turn->parts = COMPUTER_PART_BUILD;
}

void simple_choose(const struct taluva *game, bool beginner, uint64_t seed,
                   struct computer_turn *turn)
{
    struct rng random = {seed};
    memset(turn, 0, sizeof *turn);
    switch ((enum taluva_step)game->step) {
    case TALUVA_STEP_DRAW:
        turn->parts = COMPUTER_PART_DRAW;
        if ((taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0)
            return;
        turn->parts = COMPUTER_PART_PLACE;
        turn->placement = choose_placement(game, any_two_hex(game), beginner, &random);
        return;
    case TALUVA_STEP_PLACE:
        turn->parts = COMPUTER_PART_PLACE;
        turn->placement = choose_placement(game, game->tile, beginner, &random);
        return;
    case TALUVA_STEP_BUILD:
        choose_build(game, beginner, &random, turn);
        return;
    case TALUVA_STEP_OVER:
        break;
    }
    assert(false && "nothing to choose");
}
