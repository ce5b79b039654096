#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include <check.h>
#include <computer/analysis.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATIONS = 30 };
static _Alignas(max_align_t) unsigned char memory[4 * (ANALYSIS_ROOT_BYTES +
                                                       ANALYSIS_SIMULATION_BYTES * SIMULATIONS)];

static struct analysis_effort effort_of(uint32_t simulations)
{
    return (struct analysis_effort){
        .simulations = simulations,
        .memory = memory,
        .memory_bytes = ANALYSIS_ROOT_BYTES + ANALYSIS_SIMULATION_BYTES * (size_t)simulations,
    };
}

static void begin(struct analysis *analysis, const struct table *table,
                  const struct analysis_effort *effort)
{
    ck_assert(analysis_begin(analysis, &table->game.options, table->deck, effort) == TALUVA_OK);
}

static void tell(struct analysis *analysis, uint8_t seat, const struct analysis_move *move)
{
    ck_assert_int_eq(analysis_move(analysis, seat, move), TALUVA_OK);
}

/* Plays it and tells it. */
static void play(struct analysis *analysis, struct table *table, const struct computer_turn *turn)
{
    struct analysis_move move = {.kind = ANALYSIS_DRAW};
    const uint8_t seat = table->game.seat;
    table_play_turn(table, turn);
    if ((turn->parts & COMPUTER_PART_DRAW) != 0)
        tell(analysis, seat, &move);
    move = (struct analysis_move){.kind = ANALYSIS_PLACE, .placement = turn->placement};
    if ((turn->parts & COMPUTER_PART_PLACE) != 0)
        tell(analysis, seat, &move);
    move = (struct analysis_move){.kind = ANALYSIS_BUILD, .build = turn->build};
    if ((turn->parts & COMPUTER_PART_BUILD) != 0)
        tell(analysis, seat, &move);
}

static void leave(struct analysis *analysis, struct table *table, uint8_t seat)
{
    const struct analysis_move move = {.kind = ANALYSIS_FORFEIT};
    ck_assert(taluva_forfeit(&table->game, seat, NULL) == TALUVA_OK);
    table_draw(table);
    tell(analysis, seat, &move);
}

/* One of the better turns, now and then any. */
static struct computer_turn choose(struct table *table)
{
    const struct computer_question question = table_question(table);
    struct computer_answer answer;
    computer_think(&question, &answer);
    return answer.turns[rng_below(&table->rng, 4) == 0 ? rng_below(&table->rng, answer.n) : 0];
}

/* A whole game with any options, in which seats leave now and then. */
static void play_any(struct analysis *analysis, uint64_t seed, const struct analysis_effort *effort)
{
    struct table table;
    table_deal_any(&table, seed);
    begin(analysis, &table, effort);
    while (table.game.step != TALUVA_STEP_OVER) {
        const uint8_t other = (uint8_t)rng_below(&table.rng, table.game.options.seats);
        if (rng_below(&table.rng, 40) == 0 && table.game.state[other] == TALUVA_SEAT_PLAYING) {
            leave(analysis, &table, other);
            continue;
        }
        const struct computer_turn turn = choose(&table);
        play(analysis, &table, &turn);
        ck_assert_int_eq(memcmp(&analysis->game.cells, &table.game.cells, sizeof table.game.cells),
                         0);
    }
    ck_assert_int_eq(analysis->game.end, table.game.end);
    analysis_finish(analysis);
}

/* ---- what holds for every match */

static void check_chances(const int16_t *chances, const struct taluva_options *options)
{
    int sum = 0;
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        ck_assert_int_ge(chances[seat], 0);
        ck_assert_int_le(chances[seat], ANALYSIS_ONE);
        sum += chances[seat];
    }
    const int whole = options->teams     ? 2 * ANALYSIS_ONE
                      : options->ranking ? options->seats * ANALYSIS_ONE / 2
                                         : ANALYSIS_ONE;
    ck_assert_int_le(abs(sum - whole), 5);
}

static void check_turn(const struct analysis_turn *turn, const struct taluva_options *options)
{
    const unsigned seat = turn->seat;
    check_chances(turn->start, options);
    check_chances(turn->best, options);
    check_chances(turn->played, options);
    ck_assert_int_ge(turn->loss, 0);
    ck_assert_int_ge(turn->best[seat], turn->played[seat]);
    ck_assert_int_ge(turn->loss, turn->best[seat] - turn->played[seat]);
    if (!taluva_tile_is_two_hex(turn->turn.placement.tile))
        ck_assert_int_eq(turn->start[seat] + turn->luck - turn->loss, turn->played[seat]);
    else
        ck_assert_int_eq(turn->luck, 0);
    ck_assert_int_eq(turn->mark == ANALYSIS_IS_BLUNDER, turn->loss >= ANALYSIS_BLUNDER);
    if (turn->loss >= ANALYSIS_MISTAKE)
        ck_assert_uint_ge(turn->mark, ANALYSIS_IS_MISTAKE);
    ck_assert_int_eq(turn->better.parts != 0, turn->mark >= ANALYSIS_IS_MISTAKE);
}

START_TEST(test_what_holds_for_every_match)
{
    static struct analysis analysis;
    const struct analysis_effort effort = effort_of(2);
    play_any(&analysis, 300 + (uint64_t)_i, &effort);
    struct analysis_seat seats[TALUVA_SEATS_MAX] = {{0}};
    for (unsigned i = 0; i < analysis.n; i++) {
        const struct analysis_turn *const turn = &analysis.turns[i];
        check_turn(turn, &analysis.game.options);
        if (i > 0)
            ck_assert_uint_gt(turn->number, turn[-1].number);
        seats[turn->seat].luck += turn->luck;
        seats[turn->seat].loss += turn->loss;
        seats[turn->seat].good += turn->mark == ANALYSIS_IS_GOOD;
        seats[turn->seat].mistakes += turn->mark == ANALYSIS_IS_MISTAKE;
        seats[turn->seat].blunders += turn->mark == ANALYSIS_IS_BLUNDER;
    }
    ck_assert_mem_eq(seats, analysis.seats, sizeof seats);
    ck_assert_uint_le(analysis.n_points, ANALYSIS_POINTS);
    for (unsigned i = 1; i < analysis.n_points; i++)
        ck_assert_uint_gt(analysis.points[i], analysis.points[i - 1]);
}
END_TEST

/* What a turn leaves is what the next one starts with, unless a seat left between the two. */
START_TEST(test_turns_follow_each_other)
{
    static struct analysis analysis;
    const struct analysis_effort effort = effort_of(6);
    struct table table;
    table_deal(&table, 20 + (uint64_t)_i);
    begin(&analysis, &table, &effort);
    while (table.game.step != TALUVA_STEP_OVER) {
        const struct computer_turn turn = choose(&table);
        play(&analysis, &table, &turn);
    }
    analysis_finish(&analysis);
    ck_assert_uint_ge(analysis.n, 10);
    for (unsigned i = 1; i < analysis.n; i++)
        ck_assert_mem_eq(analysis.turns[i].start, analysis.turns[i - 1].played,
                         sizeof analysis.turns[i].start);
    const struct analysis_turn *const last = &analysis.turns[analysis.n - 1];
    for (unsigned seat = 0; seat < 2; seat++)
        ck_assert(last->played[seat] == 0 || last->played[seat] == ANALYSIS_ONE);
}
END_TEST

static void check_same_text(const struct analysis_text *one, const struct analysis_text *other)
{
    ck_assert_uint_eq(one->parts, other->parts);
    ck_assert_mem_eq(&one->placement, &other->placement, sizeof one->placement);
    ck_assert_mem_eq(&one->build, &other->build, sizeof one->build);
}

/* Part by part: there are bytes between them that may hold anything. */
static void check_same(const struct analysis_turn *one, const struct analysis_turn *other)
{
    ck_assert_mem_eq(one, other, offsetof(struct analysis_turn, turn));
    check_same_text(&one->turn, &other->turn);
    check_same_text(&one->better, &other->better);
}

START_TEST(test_the_same_match_has_the_same_analysis)
{
    static struct analysis one, other;
    struct analysis_effort effort = effort_of(SIMULATIONS);
    play_any(&one, 500, &effort);
    effort.memory_bytes = sizeof memory; /* more than it needs */
    play_any(&other, 500, &effort);
    ck_assert_uint_gt(one.simulations, SIMULATIONS);
    ck_assert_uint_eq(one.simulations, other.simulations);
    ck_assert_uint_eq(one.n, other.n);
    for (unsigned i = 0; i < one.n; i++)
        check_same(&one.turns[i], &other.turns[i]);
    ck_assert_mem_eq(one.points, other.points, sizeof one.points);
    ck_assert_mem_eq(one.seats, other.seats, sizeof one.seats);
}
END_TEST

START_TEST(test_cancelled)
{
    static struct analysis analysis;
    static atomic_bool cancel;
    struct analysis_effort effort = effort_of(SIMULATIONS);
    struct table table;
    atomic_store(&cancel, false);
    effort.cancel = &cancel;
    table_deal(&table, 3);
    begin(&analysis, &table, &effort);
    for (unsigned i = 0; i < 6; i++) {
        const struct computer_turn turn = choose(&table);
        if (i == 3)
            atomic_store(&cancel, true);
        play(&analysis, &table, &turn);
        ck_assert_int_eq(analysis.cancelled, i >= 3);
        ck_assert_uint_eq(analysis.n, i < 3 ? i + 1 : 3);
    }
}
END_TEST

/* ---- seats that leave */

static void play_turns(struct analysis *analysis, struct table *table, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        const struct computer_turn turn = table_look(table);
        play(analysis, table, &turn);
    }
}

START_TEST(test_a_turn_that_is_cut_short_is_not_rated)
{
    static struct analysis analysis;
    static const struct taluva_options options = {.seats = 3, .tiles = 48};
    const struct analysis_effort effort = effort_of(6);
    struct table table;
    table_deal_options(&table, 4, options);
    begin(&analysis, &table, &effort);
    play_turns(&analysis, &table, 4);
    const uint8_t seat = table.game.seat;
    struct computer_turn turn = table_look(&table);
    turn.parts = COMPUTER_PART_PLACE;
    play(&analysis, &table, &turn);
    leave(&analysis, &table, seat);
    play_turns(&analysis, &table, 3);
    ck_assert_uint_eq(analysis.n, 7);
    ck_assert_uint_eq(analysis.turns[3].number, 4);
    ck_assert_uint_eq(analysis.turns[4].number, 6);
    ck_assert_int_eq(analysis.turns[4].start[seat], 0);
    ck_assert_int_gt(analysis.turns[3].played[seat], 0);
}
END_TEST

/* A turn is not better for what another seat gave up in the middle of it. */
START_TEST(test_who_leaves_in_somebody_elses_turn)
{
    static struct analysis quiet, left;
    static const struct taluva_options options = {.seats = 3, .tiles = 48};
    const struct analysis_effort effort = effort_of(6);
    struct table table, other;
    table_deal_options(&table, 5, options);
    begin(&quiet, &table, &effort);
    begin(&left, &table, &effort);
    other = table;
    play_turns(&quiet, &table, 4);
    play_turns(&left, &other, 4);
    struct computer_turn turn = table_look(&table), part = turn;
    const uint8_t seat = table.game.seat, leaver = (uint8_t)((seat + 2) % 3);
    play(&quiet, &table, &turn);
    part.parts = COMPUTER_PART_PLACE;
    play(&left, &other, &part);
    leave(&left, &other, leaver);
    part = turn;
    part.parts = COMPUTER_PART_BUILD;
    play(&left, &other, &part);
    ck_assert_uint_eq(quiet.n, 5);
    ck_assert_uint_eq(left.n, 5);
    check_same(&quiet.turns[4], &left.turns[4]);
    play_turns(&left, &other, 1);
    ck_assert_int_eq(left.turns[5].start[leaver], 0);
    /* Before anything is placed: the turn begins without it. */
    leave(&quiet, &table, leaver);
    play_turns(&quiet, &table, 1);
    ck_assert_int_eq(quiet.turns[5].start[leaver], 0);
}
END_TEST

/* ---- bad matches */

START_TEST(test_what_the_rules_refuse)
{
    static struct analysis analysis;
    const struct analysis_effort effort = effort_of(0);
    struct table table;
    table_deal(&table, 6);
    struct taluva_options options = table.game.options;
    options.seats = 9;
    ck_assert(analysis_begin(&analysis, &options, table.deck, &effort) == TALUVA_BAD_SEATS);
    /* More of a tile than the box has. */
    memset(table.deck, table.deck[0], sizeof table.deck);
    begin(&analysis, &table, &effort);
    enum taluva_status status = TALUVA_OK;
    table_draw(&table);
    for (unsigned i = 0; i < 12 && status == TALUVA_OK; i++) {
        const struct computer_turn turn = table_look(&table);
        const struct analysis_move place = {.kind = ANALYSIS_PLACE, .placement = turn.placement};
        const struct analysis_move build = {.kind = ANALYSIS_BUILD, .build = turn.build};
        const uint8_t seat = table.game.seat;
        ck_assert_int_eq(analysis_move(&analysis, seat, &build), TALUVA_WRONG_STEP);
        ck_assert_int_eq(analysis_move(&analysis, !seat, &place), TALUVA_NOT_YOUR_TURN);
        tell(&analysis, seat, &place);
        tell(&analysis, seat, &build);
        (void)taluva_place(&table.game, seat, &turn.placement, true, NULL);
        (void)taluva_build(&table.game, seat, &turn.build, NULL);
        (void)taluva_draw(&table.game, table.game.seat, table.deck[0], NULL);
        table.unseen[table.deck[0]] = 0;
        const struct analysis_move draw = {.kind = ANALYSIS_DRAW};
        status = analysis_move(&analysis, table.game.seat, &draw);
    }
    ck_assert_int_eq(status, TALUVA_NO_SUCH_TILE);
}
END_TEST

Suite *analysis_suite(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tests = tcase_create("analysis");
    tcase_set_timeout(tests, 240);
    tcase_add_loop_test(tests, test_what_holds_for_every_match, 0, 1);
    tcase_add_loop_test(tests, test_turns_follow_each_other, 0, 1);
    tcase_add_test(tests, test_cancelled);
    tcase_add_test(tests, test_a_turn_that_is_cut_short_is_not_rated);
    tcase_add_test(tests, test_who_leaves_in_somebody_elses_turn);
    tcase_add_test(tests, test_what_the_rules_refuse);
    suite_add_tcase(suite, tests);
    tests = tcase_create("numbers");
    tcase_set_tags(tests, SAME_NUMBERS);
    tcase_set_timeout(tests, 240);
    tcase_add_loop_test(tests, test_what_holds_for_every_match, 1, 2);
    suite_add_tcase(suite, tests);
    tests = tcase_create("more of the same");
    tcase_set_tags(tests, LONG_TESTS);
    tcase_set_timeout(tests, 240);
    tcase_add_loop_test(tests, test_what_holds_for_every_match, 2, 10);
    tcase_add_loop_test(tests, test_turns_follow_each_other, 1, 2);
    tcase_add_test(tests, test_the_same_match_has_the_same_analysis);
    suite_add_tcase(suite, tests);
    return suite;
}
