#include "table.h"

#include <check.h>
#include <string.h>

static uint32_t uniform(void *rng, uint32_t n)
{
    return rng_below(rng, n);
}

static bool one_in(struct rng *rng, unsigned n)
{
    return rng_below(rng, n) == 0;
}

void table_deal_options(struct table *table, uint64_t seed, struct taluva_options options)
{
    const struct taluva_deal what = {.draw_first = true, .draw_two_hex = options.two_hex != 0};
    taluva_tile box[TALUVA_TILES_MAX];
    memset(table, 0, sizeof *table);
    table->rng.state = seed;
    options.two_hex = 0;
    ck_assert(taluva_deal(&options, what, uniform, &table->rng, table->deck) == TALUVA_OK);
    ck_assert(taluva_init(&table->game, &options) == TALUVA_OK);
    const size_t n = taluva_box(options.seats == 5, box);
    for (size_t i = 0; i < n; i++)
        table->unseen[box[i]]++;
    table_draw(table);
}

void table_deal(struct table *table, uint64_t seed)
{
    const struct taluva_options options = {.seats = 2, .tiles = 48};
    table_deal_options(table, seed, options);
}

void table_deal_any(struct table *table, uint64_t seed)
{
    static const uint8_t tiles[] = {24, 36, 48, 60};
    struct rng rng = {seed};
    struct taluva_options options = {.seats = (uint8_t)(2 + rng_below(&rng, 4))};
    do
        options.tiles = tiles[rng_below(&rng, 4)];
    while (!taluva_tiles_allowed(options.seats, options.tiles));
    options.huts_anywhere = one_in(&rng, 3);
    options.teams = options.seats == 4 && one_in(&rng, 2);
    options.ranking = !options.teams && one_in(&rng, 3);
    options.boats = one_in(&rng, 2);
    options.two_hex = one_in(&rng, 2);
    options.zone = (uint8_t)(one_in(&rng, 2) ? rng_below(&rng, TALUVA_ZONES) : 0);
    table_deal_options(table, seed, options);
}

static void draw(struct table *table)
{
    const taluva_tile tile = table->deck[table->n_drawn++];
    table->unseen[tile]--;
    ck_assert(taluva_draw(&table->game, table->game.seat, tile, NULL) == TALUVA_OK);
}

void table_draw(struct table *table)
{
    if (taluva_may_take(&table->game) == TALUVA_TAKE_DRAW)
        draw(table);
}

static taluva_tile tile_to_place(const struct table *table)
{
    const unsigned may_take = taluva_may_take(&table->game);
    unsigned i = 0;
    if (table->game.step == TALUVA_STEP_PLACE)
        return table->game.tile;
    while ((may_take >> i & 1) == 0)
        i++;
    return (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
}

static void place_random(struct table *table)
{
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(&table->game, tile_to_place(table), list, NULL);
    const struct taluva_placement *const placement = &list[rng_below(&table->rng, (uint32_t)n)];
    ck_assert(taluva_place(&table->game, table->game.seat, placement, true, NULL) == TALUVA_OK);
}

void table_play_random(struct table *table)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    if ((taluva_may_take(&table->game) & TALUVA_TAKE_DRAW) != 0 && one_in(&table->rng, 2)) {
        draw(table);
        return;
    }
    if (table->game.step != TALUVA_STEP_BUILD) {
        place_random(table);
    } else {
        const size_t n = taluva_list_builds(&table->game, builds);
        ck_assert(taluva_build(&table->game, table->game.seat,
                               &builds[rng_below(&table->rng, (uint32_t)n)], NULL) == TALUVA_OK);
    }
    table_draw(table);
}

void table_play_turn(struct table *table, const struct computer_turn *turn)
{
    const uint8_t seat = table->game.seat;
    if (turn->parts == COMPUTER_PART_DRAW) {
        draw(table);
        return;
    }
    ck_assert_uint_ne(turn->parts, 0);
    if ((turn->parts & COMPUTER_PART_PLACE) != 0)
        ck_assert(taluva_place(&table->game, seat, &turn->placement, true, NULL) == TALUVA_OK);
    if ((turn->parts & COMPUTER_PART_BUILD) != 0)
        ck_assert(taluva_build(&table->game, seat, &turn->build, NULL) == TALUVA_OK);
    table_draw(table);
}

struct computer_question table_question(const struct table *table)
{
    struct computer_question question = {.game = &table->game, .seed = 7};
    memcpy(question.unseen, table->unseen, sizeof question.unseen);
    return question;
}

struct computer_turn table_look(const struct table *table)
{
    const struct computer_question question = table_question(table);
    struct computer_answer answer;
    computer_think(&question, &answer);
    ck_assert_uint_ge(answer.n, 1);
    return answer.turns[0];
}
