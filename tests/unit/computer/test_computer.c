#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include "turns.h"
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << 20 };

static void check_answer(const struct table *table, const struct computer_answer *answer)
{
    ck_assert_uint_ge(answer->n, 1);
    for (unsigned i = 0; i < answer->n; i++) {
        const struct computer_turn *const turn = &answer->turns[i];
        int64_t sum = 0;
        struct table after = *table;
        table_play_turn(&after, turn);
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
            ck_assert_int_ge(turn->chances[seat], 0);
            ck_assert_int_le(turn->chances[seat], COMPUTER_CHANCE_ONE);
            sum += turn->chances[seat];
        }
        if (table->game.options.ranking || table->game.options.teams)
            continue;
        ck_assert_int_le(llabs(sum - COMPUTER_CHANCE_ONE), TALUVA_SEATS_MAX * 2);
    }
}

/* To the end, whatever the options; every turn that is offered is legal. */
START_TEST(test_all_turns_are_legal_to_the_end)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    struct table table;
    table_deal_any(&table, 1000 + (uint64_t)_i);
    for (unsigned turn = 0; table.game.step != TALUVA_STEP_OVER; turn++) {
        struct computer_question question = table_question(&table);
        struct computer_answer answer;
        question.simulations = turn % 3 == 0 ? 6 : 0;
        question.memory = memory;
        question.memory_bytes = sizeof memory;
        computer_think(&question, &answer);
        check_answer(&table, &answer);
        if (turn % 4 == 3)
            table_play_random(&table);
        else
            table_play_turn(&table, &answer.turns[0]);
    }
}
END_TEST

/* The stack is empty; nobody has built but one seat a temple, or nobody at all. */
static const struct {
    struct taluva_options options;
    int temple_of; /* -1: nobody */
    int32_t shares[4];
    int32_t of;
} ends[] = {
    {{.seats = 2, .tiles = 48}, -1, {1, 1}, 2},
    {{.seats = 2, .tiles = 48}, 1, {0, 1}, 1},
    {{.seats = 3, .tiles = 48}, -1, {1, 1, 1}, 3},
    {{.seats = 4, .tiles = 48, .teams = true}, -1, {1, 1, 1, 1}, 2},
    {{.seats = 4, .tiles = 48, .teams = true}, 0, {1, 0, 1, 0}, 1},
    {{.seats = 4, .tiles = 48, .teams = true}, 3, {0, 1, 0, 1}, 1},
    {{.seats = 3, .tiles = 48, .ranking = true}, -1, {1, 1, 1}, 2},
    {{.seats = 3, .tiles = 48, .ranking = true}, 1, {1, 4, 1}, 4},
};

START_TEST(test_what_an_end_is_worth)
{
    struct taluva game;
    int32_t chances[TALUVA_SEATS_MAX];
    ck_assert_int_eq((int)taluva_init(&game, &ends[_i].options), TALUVA_OK);
    game.step = TALUVA_STEP_OVER;
    game.end = TALUVA_END_EXHAUSTED;
    if (ends[_i].temple_of >= 0)
        game.reserve[ends[_i].temple_of][TALUVA_TEMPLE]--;
    turns_rate_end(&game, chances);
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        ck_assert_int_eq(chances[seat],
                         seat < 4 ? COMPUTER_CHANCE_ONE * ends[_i].shares[seat] / ends[_i].of : 0);
}
END_TEST

/* ---- what it must see */

static bool wins_by(const struct taluva *placed, unsigned seat)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    if (placed->step != TALUVA_STEP_BUILD)
        return false;
    const size_t n = taluva_list_builds(placed, builds);
    for (size_t i = 0; i < n; i++) {
        struct taluva after = *placed;
        (void)taluva_build(&after, (uint8_t)seat, &builds[i], NULL);
        if (after.end == TALUVA_END_TWO_KINDS)
            return true;
    }
    return false;
}

static bool can_win(const struct taluva *game)
{
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    if (game->step == TALUVA_STEP_BUILD)
        return wins_by(game, game->seat);
    if (game->step != TALUVA_STEP_PLACE)
        return false;
    const size_t n = taluva_list_placements(game, game->tile, list, NULL);
    for (size_t i = 0; i < n; i++) {
        struct taluva placed = *game;
        (void)taluva_place(&placed, game->seat, &list[i], true, NULL);
        if (placed.seat == game->seat && wins_by(&placed, game->seat))
            return true;
    }
    return false;
}

START_TEST(test_a_win_in_hand_is_taken)
{
    static const struct taluva_options options = {.seats = 2, .tiles = 48};
    struct table table;
    unsigned wins = 0;
    table_deal_options(&table, (uint64_t)_i, options);
    while (table.game.step != TALUVA_STEP_OVER) {
        struct taluva_placement placement;
        const struct computer_turn turn = table_look(&table);
        const bool winning = can_win(&table.game);
        const unsigned seat = table.game.seat;
        placement = turn.placement;
        ck_assert_uint_eq(turn.parts, COMPUTER_PART_PLACE | COMPUTER_PART_BUILD);
        /* The build is found again when it is asked for by itself. */
        struct table apart = table;
        ck_assert(taluva_place(&apart.game, (uint8_t)seat, &placement, true, NULL) == TALUVA_OK);
        const struct computer_turn build = table_look(&apart);
        ck_assert_uint_eq(build.parts, COMPUTER_PART_BUILD);
        table_play_turn(&table, &turn);
        table_play_turn(&apart, &build);
        if (!winning)
            continue;
        wins++;
        ck_assert_int_eq(table.game.end, TALUVA_END_TWO_KINDS);
        ck_assert_int_eq(apart.game.end, TALUVA_END_TWO_KINDS);
    }
    ck_assert_int_eq(wins > 0, table.game.end == TALUVA_END_TWO_KINDS);
}
END_TEST

/* The net may be as sure of a seat far ahead as the rules are of one that has won. */
START_TEST(test_a_win_comes_before_what_is_rated_as_one)
{
    const struct turn_rated rated = {.turn.parts = TURN_BUILD, .chances = {CHANCE_ONE}};
    struct turn_rated won = rated;
    struct turns turns = {0};
    won.final = true;
    turns_add(&turns, 0, TURNS_KEPT, &rated);
    turns_add(&turns, 0, TURNS_KEPT, &won);
    turns_add(&turns, 0, TURNS_KEPT, &rated);
    ck_assert_uint_eq(turns.n, 3);
    ck_assert(turns.list[0].final);
    ck_assert(!turns.list[1].final);
}
END_TEST

/* In games at random most players soon have nothing to build. */
START_TEST(test_nobody_throws_himself_out)
{
    struct table table;
    table_deal_any(&table, 2000 + (uint64_t)_i);
    while (table.game.step != TALUVA_STEP_OVER) {
        struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
        bool dead_end[TALUVA_PLACEMENTS_MAX];
        if (table.game.step == TALUVA_STEP_PLACE) {
            bool any_alive = false;
            const size_t n = taluva_list_placements(&table.game, table.game.tile, list, dead_end);
            for (size_t i = 0; i < n; i++)
                any_alive |= !dead_end[i];
            const struct computer_turn turn = table_look(&table);
            ck_assert_int_eq((turn.parts & COMPUTER_PART_BUILD) != 0, any_alive);
        }
        table_play_random(&table);
    }
}
END_TEST

/* ---- what it is told */

static void think(const struct table *table, uint32_t simulations, void *memory, size_t bytes,
                  struct computer_answer *answer)
{
    struct computer_question question = table_question(table);
    question.simulations = simulations;
    question.memory = memory;
    question.memory_bytes = bytes;
    computer_think(&question, answer);
}

/* The middle of a game, well played. */
static void play_turns(struct table *table, unsigned turns)
{
    while (turns-- > 0 && table->game.step != TALUVA_STEP_OVER) {
        const struct computer_turn turn = table_look(table);
        table_play_turn(table, &turn);
    }
}

/* Two decks that differ only in what is still hidden. */
START_TEST(test_the_order_of_the_stack_is_not_known)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    struct computer_answer first, second;
    struct table table;
    table_deal(&table, (uint64_t)_i);
    play_turns(&table, 8);
    think(&table, 60, memory, sizeof memory, &first);
    for (unsigned i = table.n_drawn, j = table.game.options.tiles - 1U; i < j; i++, j--) {
        const taluva_tile kept = table.deck[i];
        table.deck[i] = table.deck[j];
        table.deck[j] = kept;
    }
    think(&table, 60, memory, sizeof memory, &second);
    ck_assert_mem_eq(&first, &second, sizeof first);
}
END_TEST

/* ---- what it is given */

START_TEST(test_little_memory)
{
    static _Alignas(max_align_t) unsigned char memory[24000];
    bool overrun = false;
    struct table table;
    table_deal(&table, 5);
    play_turns(&table, 6);
    for (size_t bytes = 0; bytes < sizeof memory - 1000; bytes += 160) {
        struct computer_answer answer;
        memset(memory, 0xa5, sizeof memory);
        think(&table, 12, memory, bytes, &answer);
        ck_assert_uint_ge(answer.n, 1);
        for (size_t i = bytes; i < sizeof memory; i++)
            overrun |= memory[i] != 0xa5;
    }
    ck_assert(!overrun);
}
END_TEST

START_TEST(test_more_memory_than_it_needs_changes_nothing)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    struct computer_answer little, much;
    struct table table;
    table_deal(&table, 6);
    play_turns(&table, 6);
    memset(memory, 0, sizeof memory);
    think(&table, 30, memory, sizeof memory / 2, &little);
    memset(memory, 0xff, sizeof memory);
    think(&table, 30, memory, sizeof memory, &much);
    ck_assert_mem_eq(&little, &much, sizeof little);
    ck_assert_uint_eq(much.simulations, 30);
}
END_TEST

START_TEST(test_only_the_best_turn_is_found_earlier)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    enum { BUDGET = 100 };
    uint32_t saved = 0;
    struct table table;
    table_deal_any(&table, 700 + (uint64_t)_i);
    for (unsigned turn = 0; turn < 12 && table.game.step != TALUVA_STEP_OVER; turn++) {
        struct computer_answer whole, best;
        think(&table, BUDGET, memory, sizeof memory, &whole);
        struct computer_question question = table_question(&table);
        question.simulations = BUDGET;
        question.memory = memory;
        question.memory_bytes = sizeof memory;
        question.best_only = true;
        computer_think(&question, &best);
        ck_assert_mem_eq(&best.turns[0].placement, &whole.turns[0].placement,
                         sizeof best.turns[0].placement);
        ck_assert_mem_eq(&best.turns[0].build, &whole.turns[0].build, sizeof best.turns[0].build);
        ck_assert_uint_le(best.simulations, whole.simulations);
        saved += whole.simulations - best.simulations;
        table_play_turn(&table, &whole.turns[0]);
    }
    ck_assert_uint_gt(saved, 0);
}
END_TEST

START_TEST(test_cancelled_and_without_budget)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    static atomic_bool cancel = true;
    struct computer_answer cancelled, none;
    struct table table;
    table_deal(&table, 8);
    play_turns(&table, 5);
    struct computer_question question = table_question(&table);
    computer_think(&question, &none);
    question.simulations = 1000000;
    question.cancel = &cancel;
    question.memory = memory;
    question.memory_bytes = sizeof memory;
    computer_think(&question, &cancelled);
    ck_assert(cancelled.cancelled);
    ck_assert_uint_eq(cancelled.simulations, 0);
    ck_assert_uint_eq(none.simulations, 0);
    ck_assert(!none.cancelled);
    ck_assert_mem_eq(&cancelled.turns[0], &none.turns[0], sizeof none.turns[0]);
    check_answer(&table, &cancelled);
}
END_TEST

Suite *computer_suite(void)
{
    Suite *suite = suite_create("computer");
    TCase *tests = tcase_create("computer");
    tcase_add_loop_test(tests, test_all_turns_are_legal_to_the_end, 0, 6);
    tcase_add_loop_test(tests, test_a_win_in_hand_is_taken, 0, 6);
    tcase_add_test(tests, test_a_win_comes_before_what_is_rated_as_one);
    tcase_add_loop_test(tests, test_nobody_throws_himself_out, 0, 10);
    tcase_add_loop_test(tests, test_the_order_of_the_stack_is_not_known, 0, 4);
    tcase_add_test(tests, test_little_memory);
    tcase_add_test(tests, test_more_memory_than_it_needs_changes_nothing);
    tcase_add_test(tests, test_cancelled_and_without_budget);
    tcase_add_loop_test(tests, test_what_an_end_is_worth, 0, sizeof ends / sizeof *ends);
    suite_add_tcase(suite, tests);
    tests = tcase_create("numbers");
    tcase_set_tags(tests, SAME_NUMBERS);
    tcase_add_loop_test(tests, test_only_the_best_turn_is_found_earlier, 0, 1);
    suite_add_tcase(suite, tests);
    tests = tcase_create("more of the same");
    tcase_set_tags(tests, LONG_TESTS);
    tcase_add_loop_test(tests, test_all_turns_are_legal_to_the_end, 6, 24);
    tcase_add_loop_test(tests, test_only_the_best_turn_is_found_earlier, 1, 8);
    tcase_add_loop_test(tests, test_nobody_throws_himself_out, 10, 40);
    suite_add_tcase(suite, tests);
    return suite;
}
