/* What a computer player may know: not the order of the stack. */
#include "suites.h"
#include "table.h"
#include <games/game.h>
#include <room/think.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <taluva/game.h>
#include <taluva_match.h>

static struct table table;

struct answer {
    struct game_thinking thinking;
    char move[PROTOCOL_MOVE_BYTES];
    size_t len;
};

/* All tiles that nobody has seen yet, the last one first. */
static void turn_stack_over(void)
{
    struct taluva_match *match = match_game(table.room->match);
    size_t from = (size_t)(match->options.tiles - match->game.stack), to = match->options.tiles;
    ck_assert_uint_lt(from + 1, to);
    while (from + 1 < to) {
        taluva_tile tile = match->deck[from];
        match->deck[from++] = match->deck[--to];
        match->deck[to] = tile;
    }
}

/* By a worker, with 30 simulations. */
static struct room_question *ask_for_move(struct answer *answer)
{
    static atomic_bool cancel;
    struct room_question *question = room_ask(table.room);
    ck_assert_ptr_nonnull(question);
    void *memory = malloc(question->memory_bytes);
    answer->thinking = (struct game_thinking){.cancel = &cancel,
                                              .memory = memory,
                                              .memory_bytes = question->memory_bytes,
                                              .simulations_max = 30};
    answer->len = room_question_answer(question, &answer->thinking, answer->move);
    free(memory);
    ck_assert_uint_gt(answer->len, 0);
    ck_assert_uint_gt(answer->thinking.simulations, 0);
    return question;
}

static void open_with_master(void)
{
    table_open(&table, "\"options\":{\"players\":2,\"first\":0}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", "\"level\":6"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    for (int i = 0; i < 2; i++)
        expect_ok(table_move(&table, ANA, table_any_move(&table, 1)));
    ck_assert(room_thinks(table.room));
}

/* The question and its answer are the same bytes, whatever comes next. */
START_TEST(test_stack_is_not_known)
{
    static struct answer first, second;
    open_with_master();
    struct room_question *before = ask_for_move(&first);
    turn_stack_over();
    struct room_question *after = ask_for_move(&second);
    ck_assert_uint_eq(before->seed, after->seed);
    ck_assert_mem_eq(before->known, after->known, sizeof(struct taluva_match));
    ck_assert_uint_eq(first.len, second.len);
    ck_assert_mem_eq(first.move, second.move, first.len);
    free(before);
    free(after);
    table_close(&table);
}
END_TEST

/* Of every level, also where no worker has the time. */
START_TEST(test_stack_is_not_known_at_once)
{
    char moves[2][PROTOCOL_MOVE_BYTES] = {0};
    size_t lens[2];
    open_with_master();
    for (int i = 0; i < 2; i++) {
        const struct taluva_match *match = match_game(table.room->match);
        lens[i] = game_choose(&game_type_taluva, match, 1, (unsigned)_i, 5, moves[i]);
        turn_stack_over();
    }
    ck_assert_uint_gt(lens[0], 0);
    ck_assert_uint_eq(lens[0], lens[1]);
    ck_assert_mem_eq(moves[0], moves[1], lens[0]);
    table_close(&table);
}
END_TEST

Suite *unseen_suite(void)
{
    Suite *suite = suite_create("what is unseen");
    TCase *tcase = tcase_create("the stack");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_stack_is_not_known);
    tcase_add_loop_test(tcase, test_stack_is_not_known_at_once, 1, 7);
    suite_add_tcase(suite, tcase);
    return suite;
}
