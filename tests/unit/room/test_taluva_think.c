/* The computer player that thinks, asked with what a seat of a match knows. */
#include "suites.h"
#include "table.h"
#include <stdio.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>

enum { SIMULATIONS = 12, MEMORY_BYTES = 64 * 1024 };

static struct taluva_match match;
static _Alignas(max_align_t) unsigned char memory[MEMORY_BYTES];
static atomic_bool cancel;

/* A match after so many moves. */
static void play_match(const char *options, unsigned moves)
{
    static struct table table;
    char create[256];
    (void)snprintf(create, sizeof create, "\"options\":%s", options);
    table_open(&table, create);
    ck_assert_ptr_nonnull(table.room);
    table_start(&table);
    table_play(&table, 5, moves);
    memcpy(&match, match_game_of(table.room->match), sizeof match);
    table_close(&table);
}

static void think(const struct taluva_match *known, struct game_thinking *thinking,
                  struct computer_answer *answer)
{
    *thinking =
        (struct game_thinking){.cancel = &cancel, .memory = memory, .memory_bytes = sizeof memory};
    taluva_think(known, SIMULATIONS, 3, thinking, answer);
}

static size_t drawn(void)
{
    return (size_t)(match.options.tiles - match.game.stack);
}

static void know(struct taluva_match *known)
{
    memset(known, 0xaa, sizeof *known);
    taluva_computer.know(&match, match.game.seat, known);
}

static const struct {
    const char *options;
    unsigned moves;
} rows[] = {
    {"{\"players\":2}", 0},
    {"{\"players\":2}", 21},
    {"{\"players\":3,\"boats\":true}", 16},
    {"{\"players\":2,\"two_hex\":true}", 10},
    {"{\"players\":5}", 30},
};

START_TEST(test_order_of_the_stack_is_not_known)
{
    static struct computer_answer answers[2];
    static struct taluva_match known[2];
    struct game_thinking thinking;
    play_match(rows[_i].options, rows[_i].moves);
    size_t first = drawn(), last = match.options.tiles - 1U;
    ck_assert_uint_lt(first, last);
    know(&known[0]);
    think(&known[0], &thinking, &answers[0]);
    while (first < last) {
        taluva_tile tile = match.deck[first];
        match.deck[first++] = match.deck[last];
        match.deck[last--] = tile;
    }
    know(&known[1]);
    think(&known[1], &thinking, &answers[1]);
    ck_assert_int_eq(memcmp(&known[0], &known[1], sizeof known[0]), 0);
    ck_assert_uint_eq(answers[0].n, answers[1].n);
    for (unsigned i = 0; i < answers[0].n; i++)
        ck_assert_int_eq(
            memcmp(&answers[0].turns[i], &answers[1].turns[i], sizeof answers[0].turns[i]), 0);
    ck_assert_uint_eq(thinking.simulations, SIMULATIONS);
}
END_TEST

/* What has been drawn is known, also where another tile covers it now. */
START_TEST(test_drawn_tiles_are_known)
{
    static struct taluva_match known;
    play_match("{\"players\":2}", 21);
    know(&known);
    ck_assert_uint_gt(drawn(), 8);
    ck_assert_int_eq(memcmp(known.deck, match.deck, drawn()), 0);
    for (size_t i = drawn(); i < sizeof known.deck; i++)
        ck_assert_uint_eq(known.deck[i], 0);
}
END_TEST

static void act(const char *move, size_t len)
{
    struct game_change change;
    struct refusal refusal;
    ck_assert(taluva_rules.act(&match, match.game.seat, move, len, true, &change, &refusal));
}

/* Both moves of a turn are legal one after the other, and the turn is over after them. */
START_TEST(test_a_turn_as_moves)
{
    static struct taluva_match known;
    static struct computer_answer answer;
    struct game_thinking thinking;
    char move[PROTOCOL_MOVE_BYTES];
    play_match("{\"players\":2}", 20);
    uint8_t seat = match.game.seat;
    ck_assert_int_eq(match.game.step, TALUVA_STEP_PLACE);
    know(&known);
    think(&known, &thinking, &answer);
    size_t len = taluva_turn_write(&answer.turns[0], &thinking, move);
    act(move, len);
    ck_assert_uint_eq(match.game.seat, seat);
    ck_assert_uint_gt(thinking.next_len, 0);
    act(thinking.next, thinking.next_len);
    ck_assert_uint_ne(match.game.seat, seat);
}
END_TEST

START_TEST(test_a_build_is_one_move)
{
    static struct taluva_match known;
    static struct computer_answer answer;
    struct game_thinking thinking;
    char move[PROTOCOL_MOVE_BYTES];
    play_match("{\"players\":2}", 21);
    ck_assert_int_eq(match.game.step, TALUVA_STEP_BUILD);
    know(&known);
    think(&known, &thinking, &answer);
    act(move, taluva_turn_write(&answer.turns[0], &thinking, move));
    ck_assert_uint_eq(thinking.next_len, 0);
}
END_TEST

/* After a draw nothing is known of the rest of the turn. */
START_TEST(test_a_draw_is_one_move)
{
    const struct computer_turn turn = {.parts = COMPUTER_PART_DRAW};
    struct game_thinking thinking = {.next_len = 0};
    char move[PROTOCOL_MOVE_BYTES];
    ck_assert_uint_eq(taluva_turn_write(&turn, &thinking, move), 4);
    ck_assert_int_eq(memcmp(move, "draw", 4), 0);
    ck_assert_uint_eq(thinking.next_len, 0);
}
END_TEST

/* Who asks may allow fewer simulations than there would be. */
START_TEST(test_a_bound)
{
    static struct taluva_match known;
    static struct computer_answer answer;
    struct game_thinking thinking = {
        .cancel = &cancel, .memory = memory, .memory_bytes = sizeof memory, .simulations_max = 5};
    play_match("{\"players\":2}", 20);
    know(&known);
    taluva_think(&known, SIMULATIONS, 3, &thinking, &answer);
    ck_assert_uint_eq(thinking.simulations, 5);
    thinking.simulations_max = SIMULATIONS + 1;
    taluva_think(&known, SIMULATIONS, 3, &thinking, &answer);
    ck_assert_uint_eq(thinking.simulations, SIMULATIONS);
}
END_TEST

/* Without time one turn is looked ahead, and there is a legal one. */
START_TEST(test_at_once)
{
    static struct taluva_match known;
    static struct computer_answer answer;
    char move[PROTOCOL_MOVE_BYTES];
    play_match("{\"players\":2}", 20);
    know(&known);
    taluva_think(&known, SIMULATIONS, 3, NULL, &answer);
    ck_assert_uint_eq(answer.simulations, 0);
    act(move, taluva_turn_write(&answer.turns[0], NULL, move));
}
END_TEST

Suite *taluva_think_suite(void)
{
    Suite *suite = suite_create("Taluva thinks");
    TCase *tcase = tcase_create("thinks");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_order_of_the_stack_is_not_known, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, test_drawn_tiles_are_known);
    tcase_add_test(tcase, test_a_turn_as_moves);
    tcase_add_test(tcase, test_a_build_is_one_move);
    tcase_add_test(tcase, test_a_draw_is_one_move);
    tcase_add_test(tcase, test_a_bound);
    tcase_add_test(tcase, test_at_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
