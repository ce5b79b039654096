/* Hints: where there are any, who may take one, and what is told of it to whom. */
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <room/hint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>

static struct table table;
static struct room_hint *hint;

static void end(void)
{
    free(hint);
    hint = NULL;
    table_close(&table);
}

/* ---- the room's option */

static const struct {
    const char *create;
    bool hints;
} OPTIONS[] = {
    {"", true},
    {"\"hints\":true", true},
    {"\"hints\":false", false},
    {"\"clock\":{\"kind\":\"none\"}", true},
    {"\"clock\":{\"kind\":\"move\",\"move_s\":60}", false},
    {"\"clock\":{\"kind\":\"days\",\"days\":3}", false},
    {"\"clock\":{\"kind\":\"move\",\"move_s\":60},\"hints\":true", true},
    {"\"game\":\"cards\"", true},
    {"\"game\":\"totem\"", false},
    {"\"game\":\"totem\",\"hints\":false", false},
};

static bool summary_has_hints(const struct room *room)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 16);
    writer_init(&writer, &buffer);
    room_write_summary(room, ROOM_NO_SEAT, &writer);
    json_t *summary = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    ck_assert_ptr_nonnull(summary);
    const json_t *hints = json_object_get(summary, "hints");
    ck_assert(!hints || json_is_true(hints));
    buffer_release(&buffer);
    json_decref(summary);
    return hints != NULL;
}

START_TEST(test_option)
{
    table_open(&table, OPTIONS[_i].create);
    ck_assert_ptr_nonnull(table.room);
    ck_assert(json_is_true(table_look(&table, "hints")) == OPTIONS[_i].hints);
    ck_assert(OPTIONS[_i].hints || !table_look(&table, "hints"));
    ck_assert(summary_has_hints(table.room) == OPTIONS[_i].hints);
    struct room *again = table_regrow(&table);
    ck_assert(again->setup.hints == OPTIONS[_i].hints);
    ck_assert(summary_has_hints(again) == OPTIONS[_i].hints);
    room_destroy(again);
}
END_TEST

START_TEST(test_game_without_hints)
{
    table_open(&table, "\"game\":\"totem\",\"hints\":true");
    ck_assert_ptr_null(table.room);
    ck_assert_int_eq(table.refusal.error, PROTOCOL_NO_HINTS);
    ck_assert_str_eq(table.refusal.field, "hints");
}
END_TEST

/* A log from before there were hints says nothing of them. */
START_TEST(test_log_without_the_option)
{
    struct room_event event;
    char text[ROOM_EVENT_TEXT_MAX];
    table_open(&table, "\"hints\":false");
    room_event_at(table.room, 1, &event);
    memcpy(text, event.text, event.text_len);
    ck_assert_ptr_null(memmem(text, event.text_len, "hints", 5));
    ck_assert_ptr_null(table_look(&table, "hints"));
}
END_TEST

static bool rematch_has_hints(const char *create)
{
    struct refusal refusal;
    struct room_seed seed;
    table_open(&table, create);
    seed = *room_seed(table.room);
    memcpy(seed.id, "7c2k0v5n", sizeof seed.id);
    struct room *next = room_create_rematch(table.room, &seed, table.now_ms, &refusal);
    ck_assert_ptr_nonnull(next);
    bool hints = next->setup.hints;
    room_destroy(next);
    table_close(&table);
    return hints;
}

START_TEST(test_rematch_is_as_before)
{
    ck_assert(!rematch_has_hints("\"hints\":false"));
    ck_assert(rematch_has_hints("\"hints\":true,\"clock\":{\"kind\":\"days\",\"days\":1}"));
    table_open(&table, "");
}
END_TEST

/* ---- taking one */

static uint64_t other_than(uint64_t session)
{
    return session == ANA ? BO : ANA;
}

START_TEST(test_who_may_take_one)
{
    table_open(&table, "");
    expect_code(table_send(&table, ANA, "hint", ""), "not_seated");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    expect_code(table_send(&table, CHI, "hint", ""), "not_seated");
    expect_code(table_send(&table, other_than(mover), "hint", ""), "not_your_turn");
    expect_ok(table_send(&table, mover, "hint", ""));
    expect_ok(table_send(&table, mover, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, other_than(mover), "offer", "\"what\":\"pause\""));
    expect_code(table_send(&table, mover, "hint", ""), "is_paused");
    expect_ok(table_send(&table, mover, "resign", ""));
    expect_code(table_send(&table, mover, "hint", ""), "is_over");
}
END_TEST

START_TEST(test_not_before_the_start)
{
    table_open(&table, "");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_code(table_send(&table, ANA, "hint", ""), "not_begun");
}
END_TEST

START_TEST(test_room_without_hints)
{
    table_open(&table, "\"hints\":false");
    table_start(&table);
    expect_code(table_send(&table, table_mover(&table), "hint", ""), "no_hints");
}
END_TEST

static int64_t hints_of(unsigned seat)
{
    char path[32];
    (void)snprintf(path, sizeof path, "seats.%u.hints", seat);
    return table_look(&table, path) ? table_look_int(&table, path) : 0;
}

START_TEST(test_all_see_it)
{
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    unsigned seat = room_seat_of(table.room, mover);
    uint64_t seq = room_seq(table.room);
    expect_ok(table_send(&table, mover, "hint", ""));
    ck_assert_uint_eq(room_seq(table.room), seq + 1);
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "kind")), "hinted");
    ck_assert_int_eq(json_integer_value(json_object_get(table.event, "seat")), seat);
    ck_assert_uint_eq(json_object_size(table.event), 2);
    ck_assert_int_eq(hints_of(seat), 1);
    ck_assert_int_eq(hints_of(1 - seat), 0);
    table_check_replay(&table);
}
END_TEST

/* Whatever happens beside the game, the position is the same, and so is its hint. */
START_TEST(test_one_a_position)
{
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    unsigned seat = room_seat_of(table.room, mover);
    expect_ok(table_send(&table, mover, "hint", ""));
    expect_code(table_send(&table, mover, "hint", ""), "same");
    expect_ok(table_send(&table, mover, "offer", "\"what\":\"pause\""));
    expect_code(table_send(&table, mover, "hint", ""), "same");
    expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
    expect_ok(table_send(&table, mover, "hint", ""));
    ck_assert_int_eq(hints_of(seat), 2);
    expect_ok(table_send(&table, mover, "undo", ""));
    expect_ok(table_send(&table, mover, "hint", ""));
    ck_assert_int_eq(hints_of(seat), 3);
    table_check_replay(&table);
}
END_TEST

/* Others who act at the same time have hints of their own. */
START_TEST(test_each_seat_its_own)
{
    table_open(&table, "\"game\":\"cards\"");
    table_start(&table);
    expect_ok(table_send(&table, ANA, "hint", ""));
    expect_ok(table_send(&table, BO, "hint", ""));
    expect_code(table_send(&table, ANA, "hint", ""), "same");
    ck_assert_int_eq(hints_of(0), 1);
    ck_assert_int_eq(hints_of(1), 1);
}
END_TEST

START_TEST(test_repeat)
{
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    expect_ok(table_send_id(&table, mover, 900, "hint", ""));
    uint64_t seq = room_seq(table.room);
    expect_code(table_send_id(&table, mover, 900, "hint", ""), "repeat");
    ck_assert_uint_eq(table.seq, seq);
    ck_assert(room_hint_lasts(table.room, seq));
    expect_ok(table_send(&table, other_than(mover), "offer", "\"what\":\"pause\""));
    ck_assert(room_hint_lasts(table.room, seq));
    expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
    ck_assert(!room_hint_lasts(table.room, seq));
    expect_code(table_send_id(&table, mover, 900, "hint", ""), "repeat");
}
END_TEST

/* A log is bounded, whatever a player repeats. */
START_TEST(test_log_is_bounded)
{
    unsigned hints = 0;
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    for (;;) {
        const char *code = table_send(&table, mover, "hint", "");
        if (strcmp(code, "ok") != 0) {
            expect_code(code, "too_many_changes");
            break;
        }
        hints++;
        expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
        if (strcmp(table_send(&table, mover, "undo", ""), "ok") != 0)
            break;
    }
    ck_assert_uint_gt(hints, 100);
    ck_assert_uint_le(room_seq(table.room), ROOM_REPEATABLE_EVENTS_MAX + 10);
}
END_TEST

START_TEST(test_in_the_record)
{
    struct buffer buffer;
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    char line[32];
    (void)snprintf(line, sizeof line, "\n- %u hinted\n", room_seat_of(table.room, mover));
    expect_ok(table_send(&table, mover, "hint", ""));
    table_play(&table, 1, 4);
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(table.room, room_seq(table.room), "test", NULL, &buffer), 0);
    ck_assert_ptr_nonnull(memmem(buffer_payload(&buffer), buffer.len, line, strlen(line)));
    buffer_release(&buffer);
}
END_TEST

/* ---- what is in it */

static void ask(uint8_t seat)
{
    free(hint);
    hint = room_ask_hint(table.room, seat);
    ck_assert_ptr_nonnull(hint);
    ck_assert(room_hint_make(hint, NULL));
}

/* As a worker does, with 30 simulations. */
static void ask_worker(uint8_t seat)
{
    static atomic_bool cancel;
    free(hint);
    hint = room_ask_hint(table.room, seat);
    ck_assert_ptr_nonnull(hint);
    size_t bytes = hint->game->computer->hint_bytes;
    struct game_thinking thinking = {
        .cancel = &cancel, .memory = malloc(bytes), .memory_bytes = bytes, .simulations_max = 30};
    ck_assert(room_hint_make(hint, &thinking));
    ck_assert_uint_gt(thinking.simulations, 0);
    free(thinking.memory);
}

static json_t *written(void)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 14);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    room_hint_write(hint, &writer);
    writer_end(&writer);
    json_t *answer = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    buffer_release(&buffer);
    ck_assert_ptr_nonnull(answer);
    return answer;
}

/* All turns with all their moves, and the chances of all seats. */
START_TEST(test_written)
{
    static const struct room_hint hand_made = {
        .seq = 77,
        .seats = 3,
        .count = 2,
        .turns = {{.count = 2, .moves = {"place", "build"}, .chances = {500, 300, 200, 9}},
                  {.count = 1, .moves = {"draw", "none"}, .chances = {1000, 0, 0, 9}}},
    };
    table_open(&table, "");
    hint = malloc(sizeof *hint);
    ck_assert_ptr_nonnull(hint);
    memcpy(hint, &hand_made, sizeof hand_made);
    json_t *answer = written();
    json_t *want = json_pack("{s:i,s:[{s:[s,s],s:[i,i,i]},{s:[s],s:[i,i,i]}]}", "seq", 77, "turns",
                             "moves", "place", "build", "chances", 500, 300, 200, "moves", "draw",
                             "chances", 1000, 0, 0);
    ck_assert_ptr_nonnull(want);
    ck_assert(json_equal(answer, want));
    json_decref(answer);
    json_decref(want);
}
END_TEST

static const char *const MATCHES[] = {
    "\"options\":{\"players\":2}",
    "\"options\":{\"players\":3,\"boats\":true}",
    "\"options\":{\"players\":2,\"two_hex\":true}",
    "\"options\":{\"players\":4,\"teams\":true}",
    "\"options\":{\"players\":5,\"ranking\":true}",
};

/* Plays the turn that is the i-th best: all its moves are legal. */
static void play_turn(uint64_t mover, size_t i)
{
    json_t *answer = written(), *turns = json_object_get(answer, "turns");
    const json_t *turn = json_array_get(turns, i % json_array_size(turns));
    const json_t *moves = json_object_get(turn, "moves"),
                 *chances = json_object_get(turn, "chances");
    ck_assert_uint_eq(json_array_size(chances), room_seats(table.room));
    for (size_t k = 0; k < json_array_size(chances); k++) {
        json_int_t chance = json_integer_value(json_array_get(chances, k));
        ck_assert(chance >= 0 && chance <= 1000);
    }
    ck_assert_int_eq(json_integer_value(json_object_get(answer, "seq")), (int64_t)hint->seq);
    for (size_t k = 0; k < json_array_size(moves); k++)
        expect_ok(table_move(&table, mover, json_string_value(json_array_get(moves, k))));
    json_decref(answer);
}

START_TEST(test_turns_are_legal)
{
    table_open(&table, MATCHES[_i]);
    table_start(&table);
    for (size_t turn = 0; turn < 12 && table_mover(&table); turn++) {
        uint64_t mover = table_mover(&table);
        ask(room_seat_of(table.room, mover));
        ck_assert(hint->count >= 1 && hint->count <= GAME_HINT_TURNS);
        play_turn(mover, turn);
    }
}
END_TEST

START_TEST(test_chances_of_two_are_whole)
{
    table_open(&table, "");
    table_start(&table);
    table_play(&table, 3, 8);
    ask(room_seat_of(table.room, table_mover(&table)));
    for (size_t i = 0; i < hint->count; i++)
        ck_assert_int_le(abs(hint->turns[i].chances[0] + hint->turns[i].chances[1] - 1000), 1);
}
END_TEST

/* As a worker asks: with a search, though a short one. */
static void ask_slowly(uint8_t seat)
{
    const atomic_bool cancel = false;
    struct game_thinking thinking = {.cancel = &cancel,
                                     .memory_bytes = game_type_taluva.computer->hint_bytes,
                                     .simulations_max = 200};
    free(hint);
    hint = room_ask_hint(table.room, seat);
    ck_assert_ptr_nonnull(hint);
    thinking.memory = malloc(thinking.memory_bytes);
    ck_assert_ptr_nonnull(thinking.memory);
    ck_assert(room_hint_make(hint, &thinking));
    ck_assert_uint_gt(thinking.simulations, 0);
    free(thinking.memory);
}

/* No turn is promised more than one that is said to be better. */
START_TEST(test_best_comes_first)
{
    table_open(&table, MATCHES[_i]);
    table_start(&table);
    for (size_t turn = 0; turn < 8 && table_mover(&table); turn++) {
        uint64_t mover = table_mover(&table);
        uint8_t seat = room_seat_of(table.room, mover);
        ask_slowly(seat);
        for (size_t i = 1; i < hint->count; i++)
            ck_assert_uint_le(hint->turns[i].chances[seat], hint->turns[i - 1].chances[seat]);
        play_turn(mover, turn);
    }
}
END_TEST

static struct taluva_match *taluva(void)
{
    return match_game(table.room->match);
}

/* All tiles that nobody has seen yet, the last one first. */
static void turn_stack_over(void)
{
    size_t from = (size_t)(taluva()->options.tiles - taluva()->game.stack);
    size_t to = taluva()->options.tiles;
    ck_assert_uint_lt(from + 1, to);
    while (from + 1 < to) {
        taluva_tile tile = taluva()->deck[from];
        taluva()->deck[from++] = taluva()->deck[--to];
        taluva()->deck[to] = tile;
    }
}

/* What the seat does not know, the order of the stack, changes no bit of the answer. */
static void check_stack_is_not_known(const char *create, void (*make)(uint8_t seat))
{
    table_open(&table, create);
    table_start(&table);
    table_play(&table, 7, 9);
    uint8_t seat = room_seat_of(table.room, table_mover(&table));
    make(seat);
    json_t *first = written();
    turn_stack_over();
    make(seat);
    json_t *second = written();
    ck_assert(json_equal(first, second));
    json_decref(first);
    json_decref(second);
}

START_TEST(test_stack_is_not_known)
{
    check_stack_is_not_known(MATCHES[_i], ask);
}
END_TEST

START_TEST(test_stack_is_not_known_to_a_worker)
{
    check_stack_is_not_known(MATCHES[_i], ask_worker);
}
END_TEST

START_TEST(test_hands_of_others_are_not_known)
{
    table_open(&table, "\"game\":\"cards\",\"options\":{\"players\":3}");
    table_start(&table);
    ask(0);
    for (unsigned viewer = 0; viewer < 3; viewer++) {
        bool leaks = false;
        for (size_t i = 0; i < hint->count; i++)
            leaks = leaks || cards_leak(match_game_of(table.room->match), viewer,
                                        hint->turns[i].moves[0], strlen(hint->turns[i].moves[0]));
        ck_assert(leaks == (viewer != 0));
    }
}
END_TEST

/* ---- whether it still holds */

START_TEST(test_holds)
{
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table);
    expect_ok(table_send(&table, mover, "hint", ""));
    ask(room_seat_of(table.room, mover));
    ck_assert(room_hint_holds(table.room, hint));
    expect_ok(table_send(&table, other_than(mover), "offer", "\"what\":\"pause\""));
    ck_assert(room_hint_holds(table.room, hint));
    expect_ok(table_send(&table, mover, "offer", "\"what\":\"pause\""));
    ck_assert(!room_hint_holds(table.room, hint));
    expect_ok(table_send(&table, mover, "offer", "\"what\":\"resume\""));
    expect_ok(table_send(&table, other_than(mover), "offer", "\"what\":\"resume\""));
    ck_assert(room_hint_holds(table.room, hint));
    expect_ok(table_move(&table, mover, table_any_move(&table, 1)));
    ck_assert(!room_hint_holds(table.room, hint));
    expect_ok(table_send(&table, mover, "undo", ""));
    ck_assert(!room_hint_holds(table.room, hint));
}
END_TEST

/* The store refused events: other ones may have come in their place. */
START_TEST(test_does_not_hold_after_rewinding)
{
    table_open(&table, "");
    table_start(&table);
    uint64_t mover = table_mover(&table), seq = room_seq(table.room);
    expect_ok(table_send(&table, mover, "hint", ""));
    ask(room_seat_of(table.room, mover));
    room_rewind(table.room, seq);
    ck_assert(!room_hint_holds(table.room, hint));
    ask(room_seat_of(table.room, mover));
    ck_assert(room_hint_holds(table.room, hint));
}
END_TEST

Suite *hint_suite(void)
{
    Suite *suite = suite_create("hint");
    TCase *tcase = tcase_create("hint");
    const int options = sizeof OPTIONS / sizeof *OPTIONS,
              matches = sizeof MATCHES / sizeof *MATCHES;
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, NULL, end);
    tcase_add_loop_test(tcase, test_option, 0, options);
    tcase_add_test(tcase, test_game_without_hints);
    tcase_add_test(tcase, test_log_without_the_option);
    tcase_add_test(tcase, test_rematch_is_as_before);
    tcase_add_test(tcase, test_who_may_take_one);
    tcase_add_test(tcase, test_not_before_the_start);
    tcase_add_test(tcase, test_room_without_hints);
    tcase_add_test(tcase, test_all_see_it);
    tcase_add_test(tcase, test_one_a_position);
    tcase_add_test(tcase, test_each_seat_its_own);
    tcase_add_test(tcase, test_repeat);
    tcase_add_test(tcase, test_log_is_bounded);
    tcase_add_test(tcase, test_in_the_record);
    tcase_add_loop_test(tcase, test_turns_are_legal, 0, matches);
    tcase_add_test(tcase, test_written);
    tcase_add_test(tcase, test_chances_of_two_are_whole);
    tcase_add_loop_test(tcase, test_best_comes_first, 0, matches);
    tcase_add_loop_test(tcase, test_stack_is_not_known, 0, matches);
    tcase_add_loop_test(tcase, test_stack_is_not_known_to_a_worker, 0, matches);
    tcase_add_test(tcase, test_hands_of_others_are_not_known);
    tcase_add_test(tcase, test_holds);
    tcase_add_test(tcase, test_does_not_hold_after_rewinding);
    return suite;
}
