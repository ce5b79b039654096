#include "build.h"

#include "lagoon.h"
#include <assert.h>
#include <string.h>

/* One build being looked at. */
struct question {
    const struct taluva *game;
    unsigned seat;
    const struct taluva_build *build;
    struct taluva_detail *detail;
    struct taluva_build_plan *plan;
};

static void plan_one(const struct question *ask, enum taluva_kind kind)
{
    ask->plan->kind = (uint8_t)kind;
    ask->plan->cost = 1;
    ask->plan->n_hexes = kind == TALUVA_BOAT ? 0 : 1;
    ask->plan->hexes[0] = ask->build->at;
}

static enum taluva_status refuse_at(const struct question *ask, enum taluva_status status,
                                    struct taluva_hex hex)
{
    ask->detail->has_hex = true;
    ask->detail->hex = hex;
    return status;
}

static enum taluva_status refuse_cost(const struct question *ask, int huts)
{
    ask->detail->has_number = true;
    ask->detail->number = huts;
    return TALUVA_NOT_ENOUGH_HUTS;
}

static enum taluva_status check_field(const struct question *ask, unsigned *cell)
{
    *cell = rules_find(ask->game, ask->build->at.q, ask->build->at.r);
    if (*cell == TALUVA_NO_CELL)
        return TALUVA_NOT_ON_ISLAND;
    if (ask->game->cells[*cell].terrain == TALUVA_VOLCANO)
        return TALUVA_ON_VOLCANO;
    return ask->game->cells[*cell].owner != TALUVA_NO_SEAT ? TALUVA_HEX_OCCUPIED : TALUVA_OK;
}

static enum taluva_status check_hut(const struct question *ask)
{
    const struct taluva *const game = ask->game;
    unsigned cell;
    const enum taluva_status status = check_field(ask, &cell);
    if (status != TALUVA_OK)
        return status;
    if (game->reserve[ask->seat][TALUVA_HUT] == 0)
        return refuse_cost(ask, 1);
    if (game->cells[cell].level != 1)
        return TALUVA_HUT_ABOVE_LEVEL_1;
    if (!game->options.huts_anywhere && rules_is_beside_own(game, cell, ask->seat))
        return TALUVA_NEXT_TO_OWN_BUILDING;
    plan_one(ask, TALUVA_HUT);
    return TALUVA_OK;
}

static enum taluva_status check_tower(const struct question *ask)
{
    unsigned cell;
    const enum taluva_status status = check_field(ask, &cell);
    if (status != TALUVA_OK)
        return status;
    if (ask->game->reserve[ask->seat][TALUVA_TOWER] == 0)
        return TALUVA_NO_TOWER_LEFT;
    if (ask->game->cells[cell].level < 3)
        return TALUVA_TOWER_BELOW_LEVEL_3;
    struct rules_settlements settlements;
    rules_settlements_init(&settlements, ask->game, ask->seat);
    if (settlements.beside[cell] == 0)
        return TALUVA_NO_SETTLEMENT_ADJACENT;
    if ((settlements.beside[cell] & ~settlements.with_tower) == 0)
        return TALUVA_SETTLEMENT_HAS_TOWER;
    plan_one(ask, TALUVA_TOWER);
    return TALUVA_OK;
}

static enum taluva_status check_temple(const struct question *ask)
{
    unsigned cell;
    const enum taluva_status status = check_field(ask, &cell);
    if (status != TALUVA_OK)
        return status;
    if (ask->game->reserve[ask->seat][TALUVA_TEMPLE] == 0)
        return TALUVA_NO_TEMPLE_LEFT;
    struct rules_settlements settlements;
    rules_settlements_init(&settlements, ask->game, ask->seat);
    if (settlements.beside[cell] == 0)
        return TALUVA_NO_SETTLEMENT_ADJACENT;
    if ((settlements.beside[cell] & settlements.large) == 0)
        return TALUVA_SETTLEMENT_TOO_SMALL;
    if ((settlements.beside[cell] & settlements.large & ~settlements.with_temple) == 0)
        return TALUVA_SETTLEMENT_HAS_TEMPLE;
    plan_one(ask, TALUVA_TEMPLE);
    return TALUVA_OK;
}

static void plan_expansion(const struct question *ask, const struct rules_settlements *settlements,
                           unsigned s)
{
    struct taluva_build_plan *const plan = ask->plan;
    plan->kind = TALUVA_HUT;
    plan->cost = (uint8_t)settlements->cost[s][ask->build->terrain];
    plan->n_hexes = 0;
    for (unsigned cell = 0; cell < ask->game->n_cells; cell++) {
        if ((settlements->beside[cell] >> s & 1) != 0 &&
            ask->game->cells[cell].terrain == ask->build->terrain)
            plan->hexes[plan->n_hexes++] = ask->game->cells[cell].hex;
    }
    rules_hexes_sort(plan->hexes, plan->n_hexes);
}

static enum taluva_status check_expand(const struct question *ask)
{
    const struct taluva *const game = ask->game;
    if (ask->build->terrain >= TERRAINS)
        return TALUVA_NO_SUCH_TERRAIN;
    const unsigned cell = rules_find(game, ask->build->at.q, ask->build->at.r);
    if (cell == TALUVA_NO_CELL || game->cells[cell].owner != ask->seat)
        return TALUVA_NOT_YOUR_SETTLEMENT;
    struct rules_settlements settlements;
    rules_settlements_init(&settlements, game, ask->seat);
    const unsigned s = settlements.of[cell];
    if (settlements.first[s] != cell)
        return refuse_at(ask, TALUVA_NOT_SMALLEST_HEX, game->cells[settlements.first[s]].hex);
    const unsigned cost = settlements.cost[s][ask->build->terrain];
    if (cost == 0)
        return TALUVA_NOTHING_TO_EXPAND;
    if (cost > game->reserve[ask->seat][TALUVA_HUT])
        return refuse_cost(ask, (int)cost);
    plan_expansion(ask, &settlements, s);
    return TALUVA_OK;
}

static enum taluva_status check_boat(const struct question *ask)
{
    const struct taluva *const game = ask->game;
    if (!game->options.boats)
        return TALUVA_BOATS_NOT_PLAYED;
    if (game->reserve[ask->seat][TALUVA_BOAT] == 0)
        return TALUVA_NO_BOAT_LEFT;
    struct taluva_lagoon lagoon;
    if (!taluva_lagoon_at(game, ask->build->at, &lagoon))
        return TALUVA_NOT_A_LAGOON;
    if (!rules_hex_equal(lagoon.hex, ask->build->at))
        return refuse_at(ask, TALUVA_NOT_SMALLEST_HEX, lagoon.hex);
    if (lagoon.boat != TALUVA_NO_SEAT)
        return TALUVA_LAGOON_HAS_BOAT;
    struct rules_boat_places places;
    rules_boat_places_init(&places, game, ask->seat);
    if (!rules_boat_places_has(&places, lagoon.hex))
        return TALUVA_LAGOON_NOT_ADJACENT;
    plan_one(ask, TALUVA_BOAT);
    return TALUVA_OK;
}

enum taluva_status rules_check_build(const struct taluva *game, unsigned seat,
                                     const struct taluva_build *build, struct taluva_detail *detail,
                                     struct taluva_build_plan *plan)
{
    struct taluva_detail no_detail;
    struct taluva_build_plan no_plan;
    const struct question ask = {game, seat, build, detail ? detail : &no_detail,
                                 plan ? plan : &no_plan};
    memset(ask.detail, 0, sizeof *ask.detail);
    if (build->verb >= TALUVA_VERBS)
        return TALUVA_NO_SUCH_BUILD;
    switch ((enum taluva_verb)build->verb) {
    case TALUVA_BUILD_HUT:
        return check_hut(&ask);
    case TALUVA_BUILD_TOWER:
        return check_tower(&ask);
    case TALUVA_BUILD_TEMPLE:
        return check_temple(&ask);
    case TALUVA_BUILD_EXPAND:
        return check_expand(&ask);
    case TALUVA_BUILD_BOAT:
        return check_boat(&ask);
    }
    return TALUVA_NO_SUCH_BUILD;
}
