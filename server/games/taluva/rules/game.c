/*
 * The commands. Each is checked by a function that changes nothing, and then applied by one that
 * checks nothing.
 */
#include "build.h"
#include "fit.h"
#include "lay.h"
#include "placements.h"
#include "turn.h"
#include <assert.h>
#include <string.h>

static unsigned set_size(unsigned set)
{
    return rules_popcount(set);
}

uint8_t taluva_built(const struct taluva *game, uint8_t seat, enum taluva_kind kind)
{
    return (uint8_t)(taluva_supply(&game->options, kind) - game->reserve[seat][kind]);
}

enum taluva_status taluva_check_options(const struct taluva_options *options)
{
    if (options->seats < 2 || options->seats > TALUVA_SEATS_MAX)
        return TALUVA_BAD_SEATS;
    if (options->first >= options->seats)
        return TALUVA_BAD_FIRST;
    if (options->tiles < 1 || options->tiles > TALUVA_TILES_MAX)
        return TALUVA_BAD_TILES;
    if (options->two_hex != 0 && (options->two_hex >= 1u << TALUVA_TWO_HEX_MAX ||
                                  set_size(options->two_hex) != options->seats))
        return TALUVA_BAD_TWO_HEX;
    if (options->zone >= TALUVA_ZONES)
        return TALUVA_BAD_ZONE;
    if (options->teams && options->seats != 4)
        return TALUVA_TEAMS_NEED_FOUR;
    return options->teams && options->ranking ? TALUVA_TEAMS_WITH_RANKING : TALUVA_OK;
}

enum taluva_status taluva_init(struct taluva *game, const struct taluva_options *options)
{
    const enum taluva_status status = taluva_check_options(options);
    if (status != TALUVA_OK)
        return status;
    const struct taluva_options chosen = *options;
    memset(game, 0, sizeof *game);
    game->options = chosen;
    game->step = TALUVA_STEP_DRAW;
    game->seat = chosen.first;
    game->tile = TALUVA_TILE_NONE;
    game->stack = chosen.tiles;
    game->two_hex = chosen.two_hex;
    for (unsigned seat = 0; seat < chosen.seats; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS; kind++)
            game->reserve[seat][kind] = taluva_supply(&chosen, (enum taluva_kind)kind);
    }
    return TALUVA_OK;
}

static enum taluva_status check_actor(const struct taluva *game, uint8_t seat)
{
    if (game->step == TALUVA_STEP_OVER)
        return TALUVA_GAME_OVER;
    if (seat >= game->options.seats)
        return TALUVA_NO_SUCH_SEAT;
    if (!rules_is_playing(game, seat))
        return TALUVA_ALREADY_OUT;
    return TALUVA_OK;
}

static enum taluva_status check_turn(const struct taluva *game, uint8_t seat)
{
    const enum taluva_status status = check_actor(game, seat);
    return status != TALUVA_OK || seat == game->seat ? status : TALUVA_NOT_YOUR_TURN;
}

/* If the caller passed NULL, the results are written to `scratch`. */
static struct taluva_effects *effects_begin(struct taluva_effects *wanted,
                                            struct taluva_effects *scratch)
{
    struct taluva_effects *const effects = wanted ? wanted : scratch;
    memset(effects, 0, sizeof *effects);
    return effects;
}

enum taluva_status taluva_check_draw(const struct taluva *game, uint8_t seat, taluva_tile tile)
{
    const enum taluva_status status = check_turn(game, seat);
    if (status != TALUVA_OK)
        return status;
    if (game->step != TALUVA_STEP_DRAW)
        return TALUVA_WRONG_STEP;
    if (tile >= TALUVA_TILE_TWO_HEX)
        return TALUVA_NO_SUCH_TILE;
    if (game->stack == 0)
        return TALUVA_STACK_EMPTY;
    return (taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0 ? TALUVA_OK : TALUVA_NO_ROOM_TO_DRAW;
}

enum taluva_status taluva_draw(struct taluva *game, uint8_t seat, taluva_tile tile,
                               struct taluva_effects *effects)
{
    const enum taluva_status status = taluva_check_draw(game, seat, tile);
    if (status != TALUVA_OK)
        return status;
    struct taluva_effects scratch;
    (void)effects_begin(effects, &scratch);
    game->stack--;
    game->tile = tile;
    game->step = TALUVA_STEP_PLACE;
    return TALUVA_OK;
}

static enum taluva_status check_tile_drawn(const struct taluva *game, taluva_tile tile)
{
    if (taluva_tile_is_two_hex(tile))
        return TALUVA_ALREADY_DRAWN;
    return tile == game->tile ? TALUVA_OK : TALUVA_WRONG_TILE;
}

static enum taluva_status check_tile_taken(const struct taluva *game, uint8_t seat,
                                           taluva_tile tile)
{
    if (!taluva_tile_is_two_hex(tile))
        return TALUVA_TILE_NOT_DRAWN;
    if ((game->two_hex >> (tile - TALUVA_TILE_TWO_HEX) & 1) == 0)
        return TALUVA_TWO_HEX_NOT_OFFERED;
    return rules_may_use_two_hex(game, seat) ? TALUVA_OK : TALUVA_TWO_HEX_ALREADY_USED;
}

static enum taluva_status check_tile(const struct taluva *game, uint8_t seat, taluva_tile tile)
{
    if (game->step != TALUVA_STEP_DRAW && game->step != TALUVA_STEP_PLACE)
        return TALUVA_WRONG_STEP;
    if (tile >= TALUVA_TILES)
        return TALUVA_NO_SUCH_TILE;
    return game->step == TALUVA_STEP_PLACE ? check_tile_drawn(game, tile)
                                           : check_tile_taken(game, seat, tile);
}

enum taluva_status taluva_check_place(const struct taluva *game, uint8_t seat,
                                      const struct taluva_placement *placement, bool confirm,
                                      struct taluva_detail *detail)
{
    if (detail)
        memset(detail, 0, sizeof *detail);
    enum taluva_status status = check_turn(game, seat);
    if (status == TALUVA_OK)
        status = check_tile(game, seat, placement->tile);
    if (status == TALUVA_OK)
        status = taluva_check_fit(game, placement, detail);
    if (status != TALUVA_OK || confirm)
        return status;
    return rules_is_dead_end(game, seat, placement) ? TALUVA_ELIMINATES_YOU : TALUVA_OK;
}

static void spend_tile(struct taluva *game, taluva_tile tile)
{
    if (taluva_tile_is_two_hex(tile)) {
        game->two_hex &= (uint8_t) ~(1u << (tile - TALUVA_TILE_TWO_HEX));
        game->two_hex_used[game->seat]++;
    }
    game->tile = TALUVA_TILE_NONE;
}

static void count_covered(const struct rules_covered *covered, struct taluva_effects *effects)
{
    for (unsigned i = 0; i < covered->n; i++) {
        if (covered->cells[i].owner != TALUVA_NO_SEAT)
            effects->huts_covered[covered->cells[i].owner] =
                (uint8_t)(effects->huts_covered[covered->cells[i].owner] + covered->cells[i].count);
    }
}

enum taluva_status taluva_place(struct taluva *game, uint8_t seat,
                                const struct taluva_placement *placement, bool confirm,
                                struct taluva_effects *wanted)
{
    const enum taluva_status status = taluva_check_place(game, seat, placement, confirm, NULL);
    if (status != TALUVA_OK)
        return status;
    struct taluva_effects scratch, *const effects = effects_begin(wanted, &scratch);
    struct rules_covered covered;
    rules_lay(game, placement, &covered);
    count_covered(&covered, effects);
    spend_tile(game, placement->tile);
    game->step = TALUVA_STEP_BUILD;
    if (!rules_can_build(game, seat)) {
        rules_eliminate(game, seat, effects);
        rules_turn_end(game, effects);
    }
    return TALUVA_OK;
}

enum taluva_status taluva_check_build(const struct taluva *game, uint8_t seat,
                                      const struct taluva_build *build,
                                      struct taluva_detail *detail)
{
    if (detail)
        memset(detail, 0, sizeof *detail);
    const enum taluva_status status = check_turn(game, seat);
    if (status != TALUVA_OK)
        return status;
    return game->step == TALUVA_STEP_BUILD ? rules_check_build(game, seat, build, detail, NULL)
                                           : TALUVA_WRONG_STEP;
}

enum taluva_status taluva_plan_build(const struct taluva *game, uint8_t seat,
                                     const struct taluva_build *build,
                                     struct taluva_build_plan *plan)
{
    const enum taluva_status status = check_actor(game, seat);
    return status != TALUVA_OK ? status : rules_check_build(game, seat, build, NULL, plan);
}

static void put_building(struct taluva *game, uint8_t seat, struct taluva_hex hex,
                         enum taluva_kind kind)
{
    struct taluva_cell *const cell = &game->cells[rules_find(game, hex.q, hex.r)];
    cell->owner = seat;
    cell->kind = (uint8_t)kind;
    cell->count = kind == TALUVA_HUT ? cell->level : 1;
}

static void put_boat(struct taluva *game, uint8_t seat, struct taluva_hex hex)
{
    struct taluva_lagoon lagoon;
    const bool is_lagoon = taluva_lagoon_at(game, hex, &lagoon);
    assert(is_lagoon && game->n_boats < TALUVA_BOATS_MAX);
    struct taluva_boat *const boat = &game->boats[game->n_boats++];
    boat->lagoon = hex;
    boat->n_hexes = lagoon.n_hexes;
    boat->seat = seat;
}

static void apply_build(struct taluva *game, uint8_t seat, const struct taluva_build_plan *plan,
                        struct taluva_hex at)
{
    game->reserve[seat][plan->kind] = (uint8_t)(game->reserve[seat][plan->kind] - plan->cost);
    for (unsigned i = 0; i < plan->n_hexes; i++)
        put_building(game, seat, plan->hexes[i], (enum taluva_kind)plan->kind);
    if (plan->kind == TALUVA_BOAT)
        put_boat(game, seat, at);
}

/* §3: two kinds wins, or in the ranking variant leaves with the next best rank. */
static void after_build(struct taluva *game, uint8_t seat, struct taluva_effects *effects)
{
    if (!rules_has_won(game, seat)) {
        rules_turn_end(game, effects);
    } else if (!game->options.ranking) {
        rules_game_end(game, TALUVA_END_TWO_KINDS, effects);
    } else {
        game->state[seat] = TALUVA_SEAT_FINISHED;
        game->finished[game->n_finished++] = seat;
        rules_turn_end(game, effects);
    }
}

enum taluva_status taluva_build(struct taluva *game, uint8_t seat, const struct taluva_build *build,
                                struct taluva_effects *wanted)
{
    struct taluva_build_plan plan;
    enum taluva_status status = check_turn(game, seat);
    if (status == TALUVA_OK)
        status = game->step == TALUVA_STEP_BUILD ? taluva_plan_build(game, seat, build, &plan)
                                                 : TALUVA_WRONG_STEP;
    if (status != TALUVA_OK)
        return status;
    struct taluva_effects scratch, *const effects = effects_begin(wanted, &scratch);
    apply_build(game, seat, &plan, build->at);
    after_build(game, seat, effects);
    return TALUVA_OK;
}

enum taluva_status taluva_check_forfeit(const struct taluva *game, uint8_t seat)
{
    return check_actor(game, seat);
}

enum taluva_status taluva_forfeit(struct taluva *game, uint8_t seat, struct taluva_effects *wanted)
{
    const enum taluva_status status = taluva_check_forfeit(game, seat);
    if (status != TALUVA_OK)
        return status;
    struct taluva_effects scratch, *const effects = effects_begin(wanted, &scratch);
    rules_eliminate(game, seat, effects);
    if (seat == game->seat) {
        game->tile = TALUVA_TILE_NONE;
        rules_turn_end(game, effects);
    } else if (rules_is_last_standing(game)) {
        game->tile = TALUVA_TILE_NONE;
        rules_game_end(game, TALUVA_END_LAST_STANDING, effects);
    }
    return TALUVA_OK;
}
