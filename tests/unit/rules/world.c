#include "world.h"

#include <assert.h>
#include <rules/box.h>
#include <string.h>

static uint32_t uniform(void *ctx, uint32_t n)
{
    return rng_scaled(ctx, n);
}

static bool toss(struct rng *dice, unsigned of_256)
{
    return rng_scaled(dice, 256) < of_256;
}

void world_init(struct world *world, uint64_t seed)
{
    struct rng *const dice = &world->dice;
    memset(world, 0, sizeof *world);
    dice->state = seed;
    struct taluva_options options = {
        .seats = (uint8_t)(2 + rng_scaled(dice, 4)),
        .zone = (uint8_t)(toss(dice, 128) ? rng_scaled(dice, TALUVA_ZONES) : 0),
        .huts_anywhere = toss(dice, 64),
        .ranking = toss(dice, 80),
        .boats = toss(dice, 128),
    };
    options.teams = options.seats == 4 && toss(dice, 128);
    options.ranking = options.ranking && !options.teams;
    options.tiles =
        (uint8_t)(toss(dice, 64) ? 1 + rng_scaled(dice, 48)
                                 : 12 * (2 + rng_scaled(dice, 2u + (options.seats == 5))));
    const struct taluva_deal deal = {.draw_first = true, .draw_two_hex = toss(dice, 128)};
    enum taluva_status status = taluva_deal(&options, deal, uniform, dice, world->deck);
    assert(status == TALUVA_OK);
    status = taluva_init(&world->game, &options);
    assert(status == TALUVA_OK);
    world->erupts = rng_scaled(dice, 257);
    world->expands = rng_scaled(dice, 257);
    world->spends = rng_scaled(dice, 257);
    world->takes = rng_scaled(dice, 100);
    world->forfeits = toss(dice, 128) ? 0 : 2;
}

static struct taluva_placement any_placement(struct world *world, taluva_tile tile)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    struct rng *const dice = &world->dice;
    const size_t n = taluva_list_placements(&world->game, tile, all, NULL);
    assert(n > 0);
    size_t chosen = rng_scaled(dice, (uint32_t)n);
    for (int tries = 0; toss(dice, world->erupts) && tries < 60; tries++) {
        if (taluva_cell_at(&world->game, all[chosen].at))
            break;
        chosen = rng_scaled(dice, (uint32_t)n);
    }
    return all[chosen];
}

static struct taluva_build any_build(struct world *world)
{
    static struct taluva_build all[TALUVA_BUILDS_MAX];
    struct rng *const dice = &world->dice;
    const size_t n = taluva_list_builds(&world->game, all);
    assert(n > 0);
    /* The list ends with expansions and boats. */
    if (toss(dice, world->expands)) {
        const uint32_t last = n < 6 ? (uint32_t)n : 6;
        return all[n - 1 - rng_scaled(dice, last)];
    }
    for (size_t i = 0; toss(dice, world->spends) && i < n; i++) {
        if (all[i].verb == TALUVA_BUILD_TOWER || all[i].verb == TALUVA_BUILD_TEMPLE)
            return all[i];
    }
    return all[rng_scaled(dice, (uint32_t)n)];
}

static struct command next_tile(struct world *world)
{
    struct taluva *const game = &world->game;
    const unsigned take = taluva_may_take(game);
    const bool may_draw = (take & TALUVA_TAKE_DRAW) != 0;
    struct command command = {.kind = COMMAND_DRAW, .seat = game->seat};
    assert(take != 0);
    if (may_draw && (take == TALUVA_TAKE_DRAW || !toss(&world->dice, world->takes))) {
        command.tile = world->deck[world->drawn++];
        return command;
    }
    unsigned tile;
    do {
        tile = rng_scaled(&world->dice, TALUVA_TWO_HEX_MAX);
    } while ((take >> tile & 1) == 0);
    command.kind = COMMAND_PLACE;
    command.confirm = true;
    command.placement = any_placement(world, (taluva_tile)(TALUVA_TILE_TWO_HEX + tile));
    return command;
}

struct command world_next(struct world *world)
{
    struct taluva *const game = &world->game;
    struct command command = {.seat = game->seat, .confirm = true};
    assert(game->step != TALUVA_STEP_OVER);
    if (toss(&world->dice, world->forfeits)) {
        command.kind = COMMAND_FORFEIT;
        do {
            command.seat = (uint8_t)rng_scaled(&world->dice, game->options.seats);
        } while (game->state[command.seat] != TALUVA_SEAT_PLAYING);
        return command;
    }
    if (game->step == TALUVA_STEP_DRAW)
        return next_tile(world);
    if (game->step == TALUVA_STEP_PLACE) {
        command.kind = COMMAND_PLACE;
        command.placement = any_placement(world, game->tile);
        return command;
    }
    command.kind = COMMAND_BUILD;
    command.build = any_build(world);
    return command;
}

static struct taluva_hex any_hex(struct world *world)
{
    struct rng *const dice = &world->dice;
    if (toss(dice, 16) || world->game.n_cells == 0)
        return (struct taluva_hex){(int16_t)rng_scaled(dice, 65536),
                                   (int16_t)rng_scaled(dice, 65536)};
    struct taluva_hex hex = world->game.cells[rng_scaled(dice, world->game.n_cells)].hex;
    for (unsigned steps = rng_scaled(dice, 4); steps > 0; steps--)
        hex = taluva_hex_step(hex, rng_scaled(dice, 6));
    return hex;
}

struct command world_nonsense(struct world *world)
{
    struct rng *const dice = &world->dice;
    struct taluva *const game = &world->game;
    struct command command = {
        .kind = (enum command_kind)rng_scaled(dice, 3),
        .seat = toss(dice, 224) ? game->seat : (uint8_t)rng_scaled(dice, 256),
        .confirm = toss(dice, 128),
        .tile = (taluva_tile)rng_scaled(dice, toss(dice, 250) ? TALUVA_TILES : 256),
    };
    if (game->step != TALUVA_STEP_OVER && toss(dice, 200))
        command.kind = (enum command_kind)game->step;
    command.placement.at = any_hex(world);
    command.placement.k = (uint8_t)rng_scaled(dice, toss(dice, 250) ? 6 : 256);
    command.placement.tile =
        game->step == TALUVA_STEP_PLACE && toss(dice, 200) ? game->tile : command.tile;
    command.build.at = any_hex(world);
    command.build.verb = (uint8_t)rng_scaled(dice, toss(dice, 250) ? TALUVA_VERBS : 256);
    command.build.terrain = (uint8_t)rng_scaled(dice, toss(dice, 250) ? 5 : 256);
    return command;
}

enum taluva_status command_check(const struct taluva *game, const struct command *command)
{
    switch (command->kind) {
    case COMMAND_DRAW:
        return taluva_check_draw(game, command->seat, command->tile);
    case COMMAND_PLACE:
        return taluva_check_place(game, command->seat, &command->placement, command->confirm, NULL);
    case COMMAND_BUILD:
        return taluva_check_build(game, command->seat, &command->build, NULL);
    case COMMAND_FORFEIT:
        return taluva_check_forfeit(game, command->seat);
    }
    return TALUVA_OK;
}

enum taluva_status command_do(struct taluva *game, const struct command *command,
                              struct taluva_effects *effects)
{
    switch (command->kind) {
    case COMMAND_DRAW:
        return taluva_draw(game, command->seat, command->tile, effects);
    case COMMAND_PLACE:
        return taluva_place(game, command->seat, &command->placement, command->confirm, effects);
    case COMMAND_BUILD:
        return taluva_build(game, command->seat, &command->build, effects);
    case COMMAND_FORFEIT:
        return taluva_forfeit(game, command->seat, effects);
    }
    return TALUVA_OK;
}
