/*
 * The computer player. It plays legal moves, avoids placements that would eliminate it, and builds
 * temples beside settlements of three hexes and towers on high hexes beside a settlement. It spends
 * huts to get there, but with care, as a player without huts is soon out. It looks one turn of its
 * own ahead and sees what every player sees, never the stack. A beginner plays the same but looks
 * at few placements and overlooks builds.
 */
#include "taluva_match.h"
#include <assert.h>
#include <base/rng.h>
#include <limits.h>
#include <rules/notation.h>
#include <string.h>

enum {
    /* Placements tried with every build that could follow: some microseconds each. */
    TRIES = 24,
    TRIES_OF_BEGINNER = 4,
    OVERLOOKED_ONE_IN = 2, /* by a beginner, of the builds */

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

enum level { LEVEL_BEGINNER = 1, LEVEL_SIMPLE };

static const char *const levels[] = {"beginner", "simple", NULL};

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
static bool wins(const struct taluva *game, enum taluva_kind kind, unsigned pieces)
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
    if (wins(game, (enum taluva_kind)plan.kind, plan.cost))
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
static bool best_build(const struct taluva *game, enum level level, struct rng *random,
                       struct taluva_build *best, int *best_worth)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    size_t count = taluva_list_builds(game, builds);
    *best_worth = INT_MIN;
    for (size_t i = 0; i < count; i++) {
        bool last_chance = i + 1 == count && *best_worth == INT_MIN;
        if (level == LEVEL_BEGINNER && !last_chance && random_below(random, OVERLOOKED_ONE_IN) == 0)
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
                              enum level level, struct rng *random)
{
    struct taluva next = *game;
    struct taluva_effects effects;
    struct taluva_build build;
    int worth;
    enum taluva_status status = taluva_place(&next, game->seat, placement, true, &effects);
    assert(status == TALUVA_OK);
    if (next.step != TALUVA_STEP_BUILD || !best_build(&next, level, random, &build, &worth))
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

static size_t choose_placement(const struct taluva *game, taluva_tile tile, enum level level,
                               struct rng *random, char *move)
{
    size_t tries = level == LEVEL_BEGINNER ? TRIES_OF_BEGINNER : TRIES;
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
        int worth = worth_of_placement(game, &placement, level, random);
        if (worth > best_worth) {
            best_worth = worth;
            best = placement;
        }
    }
    return taluva_placement_format(&best, move);
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

/* Only the stack is hidden, from everybody; which tiles have been drawn from it all have seen. */
static void know(const void *value, unsigned seat, void *known)
{
    struct taluva_match *copy = known;
    (void)seat;
    memcpy(copy, value, sizeof *copy);
    size_t drawn = (size_t)(copy->options.tiles - copy->game.stack);
    memset(copy->deck + drawn, 0, sizeof copy->deck - drawn);
}

static size_t choose(const void *known, unsigned seat, unsigned number, uint64_t seed,
                     struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    const struct taluva_match *match = known;
    const struct taluva *game = &match->game;
    struct taluva_build build;
    struct rng random = {seed};
    enum level level = (enum level)number;
    int worth;
    (void)thinking; /* both levels are quick */
    assert(game->seat == seat);
    switch ((enum taluva_step)game->step) {
    case TALUVA_STEP_DRAW:
        if (!(taluva_may_take(game) & TALUVA_TAKE_DRAW))
            return choose_placement(game, any_two_hex(game), level, &random, move);
        memcpy(move, TALUVA_DRAW_TEXT, sizeof TALUVA_DRAW_TEXT - 1);
        return sizeof TALUVA_DRAW_TEXT - 1;
    case TALUVA_STEP_PLACE:
        return choose_placement(game, game->tile, level, &random, move);
    case TALUVA_STEP_BUILD:
        if (best_build(game, level, &random, &build, &worth))
            return taluva_build_format(&build, move);
        break;
    case TALUVA_STEP_OVER:
        break;
    }
    assert(false && "nothing to choose");
    return 0;
}

const struct game_computer taluva_computer = {
    .levels = levels,
    .level_default = LEVEL_SIMPLE,
    .level_unnamed = LEVEL_SIMPLE,
    .know = know,
    .choose = choose,
    .hint = taluva_hint,
    .hint_bytes = TALUVA_HINT_BYTES,
};
