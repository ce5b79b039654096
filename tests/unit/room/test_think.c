/* A computer player that thinks: what it is asked, how long its move waits, and what it plays. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <games/game.h>
#include <malloc.h>
#include <room/think.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>

enum { THINKS = 2, PAUSE_MS = 600, MEMORY = 4096 };

/* ---- Taluva, whose second level thinks */

static struct game_computer computer;
static struct game_type game;
static const struct game_type *const games[] = {&game, NULL};
static bool says_next;

static size_t thinking_bytes(unsigned level)
{
    return level == THINKS ? MEMORY : 0;
}

/* Quick choices are the usual ones; with time it is the last legal move, and the last build. */
static size_t choose(const void *known, unsigned seat, unsigned level, uint64_t seed,
                     struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    const struct taluva_match *match = known;
    struct taluva_placement places[TALUVA_PLACEMENTS_MAX];
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    if (!thinking)
        return taluva_computer.choose(known, seat, level, seed, NULL, move);
    if (atomic_load(thinking->cancel))
        return 0;
    struct computer_turn turn = {.parts = COMPUTER_PART_BUILD};
    struct taluva after = match->game;
    if (after.step == TALUVA_STEP_PLACE) {
        size_t count = taluva_list_placements(&after, after.tile, places, NULL);
        turn.placement = places[count - 1];
        turn.parts = COMPUTER_PART_PLACE;
        (void)taluva_place(&after, (uint8_t)seat, &turn.placement, true, NULL);
        if (says_next)
            turn.parts |= COMPUTER_PART_BUILD;
    }
    turn.build = builds[taluva_list_builds(&after, builds) - 1];
    return taluva_turn_write(&turn, thinking, move);
}

static struct table table;

static void open_with(const char *create, const char *bot)
{
    computer = taluva_computer;
    computer.choose = choose;
    computer.thinking_bytes = thinking_bytes;
    game = game_type_taluva;
    game.computer = &computer;
    says_next = true;
    table_open_game(&table, games, create);
    table.limits.computer_ms = PAUSE_MS;
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", bot));
    expect_ok(table_send(&table, BO, "join", ""));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
}

/* Ana begins; then it is the computer's turn. */
static void open_table(void)
{
    open_with("\"options\":{\"players\":3,\"first\":0}", "\"level\":2");
}

static void play_anas_turn(void)
{
    expect_ok(table_move(&table, ANA, table_any_move(&table, 1)));
    ck_assert(!room_thinks(table.room));
    expect_ok(table_move(&table, ANA, table_any_move(&table, 1)));
}

static void setup(void)
{
    open_table();
    play_anas_turn();
}

static void teardown(void)
{
    struct room *again = table_regrow(&table);
    ck_assert_uint_eq(table_fingerprint(again), table_fingerprint(table.room));
    room_destroy(again);
    table_close(&table);
}

/* ---- asking and answering */

struct answer {
    struct game_thinking thinking;
    char move[PROTOCOL_MOVE_BYTES];
    size_t len;
};

static void find_answer(const struct room_question *question, struct answer *answer)
{
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    static atomic_bool cancel;
    answer->thinking =
        (struct game_thinking){.cancel = &cancel, .memory = memory, .memory_bytes = sizeof memory};
    answer->len = room_question_answer(question, &answer->thinking, answer->move);
    ck_assert_uint_gt(answer->len, 0);
}

static bool answer_it(const struct room_question *question)
{
    static struct answer answer;
    find_answer(question, &answer);
    return room_answered(table.room, question, &answer.thinking, answer.move, answer.len);
}

/* The room waits for so long at most. */
static struct room_question *ask(int64_t wait_ms)
{
    ck_assert(room_thinks(table.room));
    struct room_question *question = room_ask(table.room);
    ck_assert_ptr_nonnull(question);
    room_think_until(table.room, table.now_ms + wait_ms);
    ck_assert(!room_thinks(table.room));
    return question;
}

static const char *last_text(void)
{
    static char text[ROOM_EVENT_TEXT_MAX + 1];
    struct room_event event;
    room_event_at(table.room, room_seq(table.room), &event);
    ck_assert_int_eq(event.kind, ROOM_MOVE);
    ck_assert_uint_eq(event.seat, 1);
    memcpy(text, event.text, event.text_len);
    text[event.text_len] = '\0';
    return text;
}

static void expect_played(const char *move, size_t len)
{
    ck_assert_int_eq(memcmp(last_text(), move, len), 0);
    ck_assert_uint_eq(strlen(last_text()), len);
}

/* What the computer would play here without time to think. */
static size_t quick(char *move)
{
    return game_choose(&game, match_game_of(table.room->match), 1, THINKS,
                       room_choice_seed(table.room), move);
}

static int64_t due_in_ms(void)
{
    return room_deadline_ms(table.room, &table.limits) - table.now_ms;
}

/* ---- tests */

START_TEST(test_plays_the_answer)
{
    struct answer answer;
    char move[PROTOCOL_MOVE_BYTES];
    struct room_question *question = ask(5000);
    find_answer(question, &answer);
    ck_assert(quick(move) != answer.len || memcmp(move, answer.move, answer.len) != 0);
    ck_assert_int_eq(due_in_ms(), 5000);
    ck_assert(room_answered(table.room, question, &answer.thinking, answer.move, answer.len));
    ck_assert_int_eq(due_in_ms(), PAUSE_MS);
    table_wait(&table, PAUSE_MS);
    expect_played(answer.move, answer.len);
    ck_assert(!room_thinks(table.room)); /* it has its build already */
    table_wait(&table, PAUSE_MS);
    expect_played(answer.thinking.next, answer.thinking.next_len);
    free(question);
}
END_TEST

START_TEST(test_asked_again_without_a_next_move)
{
    says_next = false;
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    free(question);
    table_wait(&table, PAUSE_MS);
    ck_assert(room_thinks(table.room));
    question = ask(5000);
    ck_assert(answer_it(question));
    table_wait(&table, PAUSE_MS);
    ck_assert(!room_thinks(table.room)); /* it is Bo's turn */
    free(question);
}
END_TEST

START_TEST(test_not_answered_in_time)
{
    char move[PROTOCOL_MOVE_BYTES];
    struct room_question *question = ask(5000);
    size_t len = quick(move);
    table_wait(&table, 4999);
    ck_assert_uint_eq(room_seq(table.room), table.seq);
    table_wait(&table, 1);
    ck_assert_uint_eq(room_seq(table.room), table.seq + 1);
    expect_played(move, len);
    ck_assert(!answer_it(question)); /* too late */
    ck_assert(room_thinks(table.room));
    free(question);
}
END_TEST

/* Whoever cannot have it thought of says so, and the room does not wait. */
START_TEST(test_not_asked)
{
    char move[PROTOCOL_MOVE_BYTES];
    room_think_until(table.room, table.now_ms);
    ck_assert(!room_thinks(table.room));
    ck_assert_int_eq(due_in_ms(), PAUSE_MS);
    size_t len = quick(move);
    table_wait(&table, PAUSE_MS);
    expect_played(move, len);
}
END_TEST

START_TEST(test_late_answer_of_an_earlier_position)
{
    struct room_question *question = ask(5000);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    ck_assert(!answer_it(question));
    ck_assert(room_thinks(table.room)); /* its seed is another now */
    free(question);
}
END_TEST

START_TEST(test_second_answer)
{
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    ck_assert(!answer_it(question));
    free(question);
}
END_TEST

/* The same number of events, but not the same ones. */
START_TEST(test_after_a_rewind)
{
    uint64_t seq = room_seq(table.room);
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    room_rewind(table.room, seq - 1);
    room_set_durable(table.room, seq - 1, table.now_ms);
    struct room_event event;
    struct room_draft draft;
    char move[64];
    (void)snprintf(move, sizeof move, "\"move\":\"%s\"", table_any_move(&table, 2));
    expect_ok(table_decide(&table, ANA, table.next_id++, "move", move, &event, &draft));
    ck_assert_int_eq(room_apply(table.room, &event, NULL), 0);
    room_set_durable(table.room, seq, table.now_ms);
    ck_assert_uint_eq(room_seq(table.room), seq);
    ck_assert(room_thinks(table.room));
    ck_assert(!answer_it(question));
    free(question);
}
END_TEST

START_TEST(test_next_move_after_something_else)
{
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    free(question);
    table_wait(&table, PAUSE_MS);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    ck_assert(room_thinks(table.room));
}
END_TEST

START_TEST(test_only_what_is_durable)
{
    says_next = false;
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    free(question);
    table.kept_at_once = false;
    table_wait(&table, PAUSE_MS);
    ck_assert(table_acts(&table, 1));
    ck_assert(!room_thinks(table.room));
    room_set_durable(table.room, room_seq(table.room), table.now_ms);
    ck_assert(room_thinks(table.room));
}
END_TEST

START_TEST(test_cancelled)
{
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    char move[PROTOCOL_MOVE_BYTES];
    atomic_bool cancel = true;
    struct game_thinking thinking = {
        .cancel = &cancel, .memory = memory, .memory_bytes = sizeof memory};
    struct room_question *question = ask(5000);
    ck_assert_uint_eq(question->memory_bytes, MEMORY);
    ck_assert_uint_eq(room_question_answer(question, &thinking, move), 0);
    free(question);
}
END_TEST

START_TEST(test_levels_that_do_not_think)
{
    open_with("\"options\":{\"players\":3,\"first\":0}", "\"level\":1");
    play_anas_turn();
    ck_assert(table_acts(&table, 1));
    ck_assert(!room_thinks(table.room));
    teardown();
}
END_TEST

/* Who stands in for an absent player plays at once. */
START_TEST(test_stand_in)
{
    open_with("\"options\":{\"players\":3,\"first\":0},\"clock\":{\"kind\":\"move\",\"move_s\":5,"
              "\"on_timeout\":\"computer\"}",
              "\"level\":2");
    table.kept_at_once = false;
    table.now_ms += 5000 + ROOM_FLAG_GRACE_MS;
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    ck_assert(room_decide_due(table.room, &table.limits, table.now_ms, &event, scratch));
    ck_assert_int_eq(event.kind, ROOM_REPLACED);
    table_apply(&table, &event);
    room_set_durable(table.room, event.seq, table.now_ms);
    ck_assert(!room_thinks(table.room));
    ck_assert_int_le(room_deadline_ms(table.room, &table.limits), table.now_ms);
    teardown();
}
END_TEST

/* ---- a move that goes on */

/* Seat 1 plays this, whatever was thought of. */
static void play_as_computer(const char *text)
{
    struct room_event event;
    room_begin_event(table.room, table.now_ms, ROOM_MOVE, 1, &event);
    event.text = text;
    event.text_len = (uint16_t)strlen(text);
    table_apply(&table, &event);
    room_set_durable(table.room, event.seq, table.now_ms);
}

/* What was thought of goes on only if its own first move was played. */
START_TEST(test_another_move_than_its_own)
{
    char move[PROTOCOL_MOVE_BYTES + 1], own[PROTOCOL_MOVE_BYTES];
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    free(question);
    size_t len = room_thought_move(table.room, 1, own);
    ck_assert_uint_gt(len, 0);
    ck_assert_uint_eq(room_thought_move(table.room, 0, own), 0);
    for (uint64_t seed = 1;; seed++) {
        strcpy(move, table_any_move(&table, seed));
        if (strlen(move) != len || memcmp(move, own, len) != 0)
            break;
    }
    play_as_computer(move);
    ck_assert_uint_eq(room_thought_move(table.room, 1, own), 0);
    ck_assert(room_thinks(table.room));
}
END_TEST

/* Nor does it once somebody else has left, whose turn it was not. */
START_TEST(test_somebody_leaves)
{
    char own[PROTOCOL_MOVE_BYTES];
    struct room_question *question = ask(5000);
    ck_assert(answer_it(question));
    free(question);
    expect_ok(table_send(&table, BO, "resign", ""));
    ck_assert_uint_eq(room_thought_move(table.room, 1, own), 0);
    ck_assert(room_thinks(table.room));
}
END_TEST

/* Asked twice, it waits until the second time; answered, it waits no more. */
START_TEST(test_how_long_it_waits)
{
    ck_assert_int_eq(room_thought_until_ms(table.room), INT64_MIN);
    struct room_question *question = ask(5000);
    ck_assert_int_eq(room_thought_until_ms(table.room), table.now_ms + 5000);
    room_think_until(table.room, table.now_ms + 7000);
    ck_assert_int_eq(room_thought_until_ms(table.room), table.now_ms + 7000);
    ck_assert(answer_it(question));
    ck_assert_int_eq(room_thought_until_ms(table.room), INT64_MIN);
    free(question);
}
END_TEST

/* ---- no memory */

START_TEST(test_no_memory)
{
    struct answer answer;
    char move[PROTOCOL_MOVE_BYTES];
    failing_alloc_enter();
    failing_alloc_arm(1, false);
    struct room_question *question = room_ask(table.room);
    failing_alloc_disarm(NULL);
    ck_assert_ptr_null(question);
    question = ask(5000);
    find_answer(question, &answer);
    failing_alloc_arm(1, false);
    bool answered = room_answered(table.room, question, &answer.thinking, answer.move, answer.len);
    failing_alloc_disarm(NULL);
    failing_alloc_leave();
    ck_assert(answered);
    ck_assert_int_eq(due_in_ms(), PAUSE_MS);
    size_t len = quick(move);
    table_wait(&table, PAUSE_MS);
    expect_played(move, len);
    free(question);
}
END_TEST

/* An answer that became useless, by a rewind or an event, does not stay when the next is there. */
START_TEST(test_memory_of_answers)
{
    uint64_t seq = room_seq(table.room);
    size_t before = 0;
    for (int round = 0; round < 1020; round++) {
        struct mallinfo2 info = mallinfo2(); /* all 0 under a sanitizer, which looks itself */
        if (round == 20)
            before = info.uordblks + info.hblkhd;
        ck_assert(round < 20 || info.uordblks + info.hblkhd < before + 16000);
        struct room_event event;
        struct room_question *question = ask(5000);
        ck_assert(answer_it(question));
        free(question);
        room_begin_event(table.room, table.now_ms, ROOM_RESIGNED, 0, &event);
        ck_assert_int_eq(room_apply(table.room, &event, NULL), 0);
        room_set_durable(table.room, event.seq, table.now_ms);
        free(ask(5000));
        room_rewind(table.room, seq);
        room_set_durable(table.room, seq, table.now_ms);
    }
}
END_TEST

/* ---- what a choice depends on */

/* The secret of the room and the number of its events, least byte first. */
START_TEST(test_seed)
{
    unsigned char message[DEAL_SECRET_BYTES + 8], hash[crypto_generichash_BYTES];
    uint64_t seed = 0, seq = table.room->match->seq;
    memcpy(message, table.room->setup.seed.secret, DEAL_SECRET_BYTES);
    memcpy(message + DEAL_SECRET_BYTES, "\x08\x07\x06\x05\x04\x03\x02\x01", 8);
    crypto_generichash(hash, sizeof hash, message, sizeof message, NULL, 0);
    for (int i = 0; i < 8; i++)
        seed = 256 * seed + hash[i];
    table.room->match->seq = UINT64_C(0x0102030405060708);
    ck_assert_uint_eq(room_choice_seed(table.room), seed);
    table.room->match->seq = seq;
}
END_TEST

/* The first computer, but a player who is stood in for comes before all of them. */
START_TEST(test_who_is_next)
{
    static const struct game_type *const cards[] = {&cards_game, NULL};
    table_open_game(&table, cards, "\"options\":{\"players\":4}");
    for (int i = 0; i < 2; i++)
        expect_ok(table_send(&table, ANA, i ? "bot" : "join", i ? "\"seat\":3" : "\"seat\":2"));
    expect_ok(table_send(&table, ANA, "bot", "\"seat\":0"));
    expect_ok(table_send(&table, BO, "join", "\"seat\":1"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    ck_assert_uint_eq(room_computer_next(table.room), ROOM_NO_SEAT);
    expect_ok(table_send(&table, ANA, "start", ""));
    struct seat *seats = table.room->match->seats;
    ck_assert_uint_eq(room_computer_next(table.room), 0);
    seats[2].replaced = true;
    ck_assert_uint_eq(room_computer_next(table.room), 2);
    seats[1].replaced = true;
    ck_assert_uint_eq(room_computer_next(table.room), 1);
    seats[1].replaced = seats[2].replaced = false;
    ck_assert(room_has_people(table.room));
    seats[1].replaced = seats[2].replaced = seats[3].bot = true;
    ck_assert(!room_has_people(table.room));
    seats[0].bot = false; /* the only one who is left */
    ck_assert(room_has_people(table.room));
    seats[0].bot = true;
    seats[1].replaced = seats[2].replaced = false;
    table.room->durable = false;
    ck_assert_uint_eq(room_computer_next(table.room), ROOM_NO_SEAT);
    table.room->durable = true;
    seats[0].bot = false;
    ck_assert_uint_eq(room_computer_next(table.room), 3);
    seats[0].bot = true;
    table_close(&table);
}
END_TEST

Suite *think_suite(void)
{
    Suite *suite = suite_create("thinking");
    TCase *tcase = tcase_create("one room");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_plays_the_answer);
    tcase_add_test(tcase, test_asked_again_without_a_next_move);
    tcase_add_test(tcase, test_not_answered_in_time);
    tcase_add_test(tcase, test_not_asked);
    tcase_add_test(tcase, test_late_answer_of_an_earlier_position);
    tcase_add_test(tcase, test_second_answer);
    tcase_add_test(tcase, test_after_a_rewind);
    tcase_add_test(tcase, test_next_move_after_something_else);
    tcase_add_test(tcase, test_only_what_is_durable);
    tcase_add_test(tcase, test_cancelled);
    tcase_add_test(tcase, test_another_move_than_its_own);
    tcase_add_test(tcase, test_somebody_leaves);
    tcase_add_test(tcase, test_how_long_it_waits);
    tcase_add_test(tcase, test_no_memory);
    tcase_add_test(tcase, test_memory_of_answers);
    tcase_add_test(tcase, test_seed);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("others");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_levels_that_do_not_think);
    tcase_add_test(tcase, test_stand_in);
    tcase_add_test(tcase, test_who_is_next);
    suite_add_tcase(suite, tcase);
    return suite;
}
