/* The flat board and the survey say the same as the rules. */
#include "../../support/long_tests.h"
#include "around.h"
#include "builds.h"
#include "ground.h"
#include "suites.h"
#include "table.h"
#include "weights.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static void check_boards(const struct board *a, const struct board *b)
{
    ck_assert_uint_eq(a->n_cells, b->n_cells);
    ck_assert_mem_eq(a->level, b->level, a->n_cells);
    ck_assert_mem_eq(a->terrain, b->terrain, a->n_cells);
    ck_assert_mem_eq(a->facing, b->facing, a->n_cells);
    ck_assert_mem_eq(a->owner, b->owner, a->n_cells);
    ck_assert_mem_eq(a->kind, b->kind, a->n_cells);
    ck_assert_mem_eq(a->near, b->near, sizeof a->near[0] * a->n_cells);
    ck_assert_mem_eq(a->reserve, b->reserve, sizeof a->reserve);
}

static void check_seats(const struct board *a, const struct board *b)
{
    ck_assert_int_eq(a->over, b->over);
    ck_assert_uint_eq(a->seat, b->seat);
    ck_assert_uint_eq(a->stack, b->stack);
    ck_assert_uint_eq(a->n_finished, b->n_finished);
    ck_assert_mem_eq(a->state, b->state, a->over ? 0 : sizeof a->state);
}

/* What was found of the ground before a build holds after it. */
static void check_ground(const struct board *board, const struct ground *ground)
{
    struct survey survey, expected;
    memset(&survey, 0, sizeof survey);
    memset(&expected, 0, sizeof expected);
    survey_on(&survey, board, ground);
    survey_init(&expected, board);
    ck_assert_mem_eq(&survey, &expected, sizeof expected);
}

/* One build on the board against the same by the rules. */
static void check_choice(struct board *board, const struct ground *ground,
                         const struct survey *survey, const struct taluva *placed,
                         const struct taluva_placement *placement, const struct choice *choice)
{
    const uint8_t seat = placed->seat;
    struct taluva after = *placed;
    struct taluva_build build;
    struct board_built built;
    struct board expected;
    builds_name(board, survey, placement, choice, &build);
    ck_assert_int_eq((int)taluva_build(&after, seat, &build, NULL), TALUVA_OK);
    builds_plan(board, survey, seat, choice, &built);
    board_put(board, &built);
    board_end_turn(board, seat);
    board_init(&expected, &after);
    check_boards(board, &expected);
    check_ground(board, ground);
    /* That a board has no room left only the rules know. */
    if (after.end != TALUVA_END_NO_ROOM)
        check_seats(board, &expected);
    ck_assert_int_eq(choice->promise >= BUILDS_SURE / 2,
                     after.end == TALUVA_END_TWO_KINDS || after.state[seat] != placed->state[seat]);
    board_take(board, &built);
    board_begin_turn(board);
}

static unsigned count_on_land(const struct taluva *game)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, builds);
    unsigned on_land = 0;
    for (size_t i = 0; i < n; i++)
        on_land += builds[i].verb != TALUVA_BUILD_BOAT;
    return on_land;
}

static void check_placement(struct board *board, const struct taluva *game,
                            const struct taluva_placement *placement)
{
    struct taluva placed = *game;
    struct board before = *board, expected;
    struct board_covered covered;
    struct ground ground;
    struct survey survey;
    struct choice choices[BUILDS_KEPT];
    ck_assert(taluva_place(&placed, game->seat, placement, true, NULL) == TALUVA_OK);
    board_lay(board, placement, &covered);
    board_init(&expected, &placed);
    check_boards(board, &expected);
    if (placed.step == TALUVA_STEP_BUILD && placed.seat == game->seat) {
        ground_init(&ground, board);
        survey_on(&survey, board, &ground);
        const unsigned n = builds_list(board, &survey, game->seat, NULL, 0, BUILDS_KEPT, choices);
        const unsigned all = count_on_land(&placed);
        ck_assert_uint_eq(n, all < BUILDS_KEPT ? all : BUILDS_KEPT);
        for (unsigned i = 0; i < n; i++)
            check_choice(board, &ground, &survey, &placed, placement, &choices[i]);
    }
    board_lift(board, &covered);
    check_boards(board, &before);
    ck_assert_mem_eq(board, &before, sizeof before);
}

/* What is beside a hex, by the rules' own look-up of its neighbours. */
static void check_beside(const struct around *around, const struct survey *survey,
                         const struct taluva *game, struct taluva_hex hex)
{
    const struct beside *const beside = &around->beside[around->hex[around_at(around, hex)]];
    const struct taluva_cell *const cell = taluva_cell_at(game, hex);
    bool found[SURVEY_SETTLEMENTS] = {false};
    unsigned n = 0;
    for (unsigned d = 0; d < 6; d++) {
        const struct taluva_cell *const other = taluva_cell_at(game, taluva_hex_step(hex, d));
        const unsigned number = other ? survey->of[other - game->cells] : 0;
        n += number != 0 && !found[number];
        found[number] = true;
    }
    ck_assert_uint_eq(beside->n, n);
    for (unsigned i = 0; i < beside->n; i++) {
        ck_assert(found[beside->settlements[i]]);
        ck_assert(i == 0 || beside->settlements[i - 1] < beside->settlements[i]);
    }
    ck_assert_uint_eq(around->cell[around_at(around, hex)],
                      cell ? (unsigned)(cell - game->cells) : TALUVA_NO_CELL);
}

static void check_around(const struct board *board, const struct taluva *game)
{
    struct around around;
    struct survey survey;
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, game->tile, list, NULL);
    survey_init(&survey, board);
    around_init(&around, board, &survey);
    for (size_t i = 0; i < n; i++) {
        struct taluva_hex hexes[3];
        const size_t n_hexes = taluva_placement_hexes(&list[i], hexes);
        for (size_t j = 0; j < n_hexes; j++)
            check_beside(&around, &survey, game, hexes[j]);
    }
}

static void check_eruptions(const struct board *board, const struct taluva *game)
{
    struct survey survey;
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    unsigned expected = 0;
    const size_t n = taluva_list_placements(game, 0, list, NULL);
    for (size_t i = 0; i < n; i++)
        expected += taluva_cell_at(game, list[i].at) != NULL;
    survey_init(&survey, board);
    ck_assert_uint_eq(survey.eruptions, expected);
}

START_TEST(test_turns_by_the_board_and_by_the_rules)
{
    struct table table;
    table_deal_any(&table, (uint64_t)_i);
    for (unsigned turn = 0; table.game.step != TALUVA_STEP_OVER; turn++) {
        struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
        struct board board;
        if (table.game.step == TALUVA_STEP_PLACE) {
            const size_t n = taluva_list_placements(&table.game, table.game.tile, list, NULL);
            board_init(&board, &table.game);
            check_around(&board, &table.game);
            if (table.game.options.zone == TALUVA_ZONE_NONE)
                check_eruptions(&board, &table.game);
            for (size_t i = turn % 7; i < n; i += 7)
                check_placement(&board, &table.game, &list[i]);
        }
        const struct computer_turn best = table_look(&table);
        if (turn % 3 == 0)
            table_play_random(&table);
        else
            table_play_turn(&table, &best);
    }
}
END_TEST

/* The facing of a volcano of a 2-Hex tile is that of none of a tile of three. */
START_TEST(test_two_volcanoes_face_each_other)
{
    const struct taluva game = {.options = {.seats = 2}};
    const struct taluva_placement placement = {{0, 0}, (uint8_t)_i, TALUVA_TILE_2VV};
    struct board board;
    struct board_covered covered;
    board_init(&board, &game);
    board_lay(&board, &placement, &covered);
    ck_assert_uint_eq(board.n_cells, 2);
    ck_assert_uint_eq(board.facing[0], 6 + (unsigned)_i);
    ck_assert_uint_eq(board.facing[1], 6 + (unsigned)(_i + 3) % 6);
}
END_TEST

/* Seat 0 of two has built; whose turn is next, with so many tiles in the stack, these 2-Hex tiles
 * on the table, and so many of them used by each seat? */
static const struct {
    uint8_t stack, two_hex, used[2], next;
} turn_ends[] = {
    {1, 0, {0, 0}, 1}, {1, 0, {1, 1}, 1}, {0, 0, {0, 0}, TALUVA_NO_SEAT}, {0, 1, {0, 1}, 1},
    {0, 2, {0, 2}, 0}, {0, 1, {1, 2}, 0}, {0, 1, {2, 2}, TALUVA_NO_SEAT},
};

START_TEST(test_whose_turn_is_next)
{
    const struct taluva game = {.options = {.seats = 2}};
    struct board board = {.game = &game,
                          .stack = turn_ends[_i].stack,
                          .two_hex = turn_ends[_i].two_hex,
                          .reserve = {{20, 3, 2}, {20, 3, 2}}};
    memcpy(board.two_hex_used, turn_ends[_i].used, sizeof turn_ends[_i].used);
    board_end_turn(&board, 0);
    ck_assert_uint_eq(board.seat, turn_ends[_i].next);
    ck_assert_int_eq(board.over, turn_ends[_i].next == TALUVA_NO_SEAT);
}
END_TEST

START_TEST(test_the_net_fits_its_arithmetic)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < NET_HIDDEN; i++)
        sum += (unsigned)abs(net_trained.output[i]);
    ck_assert_uint_gt(sum, 0);
    ck_assert_uint_le(sum, NET_OUTPUT_SUM);
}
END_TEST

Suite *board_suite(void)
{
    Suite *suite = suite_create("board");
    TCase *tests = tcase_create("board");
    tcase_add_loop_test(tests, test_turns_by_the_board_and_by_the_rules, 0, 4);
    tcase_add_loop_test(tests, test_two_volcanoes_face_each_other, 0, 6);
    tcase_add_loop_test(tests, test_whose_turn_is_next, 0, sizeof turn_ends / sizeof *turn_ends);
    tcase_add_test(tests, test_the_net_fits_its_arithmetic);
    suite_add_tcase(suite, tests);
    tests = tcase_create("more of the same");
    tcase_set_tags(tests, LONG_TESTS);
    tcase_add_loop_test(tests, test_turns_by_the_board_and_by_the_rules, 4, 24);
    suite_add_tcase(suite, tests);
    return suite;
}
