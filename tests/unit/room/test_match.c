/* A match of Taluva: moves and refusals, undo, agreements, ends. */
#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include <rules/notation.h>
#include <stdio.h>
#include <string.h>
#include <taluva_match.h>

static struct table table;

static void open_match(const char *options)
{
    char create[256];
    (void)snprintf(create, sizeof create, "\"options\":%s", options);
    table_open(&table, create);
    ck_assert_ptr_nonnull(table.room);
    table_start(&table);
}

static void end(void)
{
    table_check_replay(&table);
    table_close(&table);
}

static const char *event_string(const char *key)
{
    return json_string_value(json_object_get(table.event, key));
}

/* "TILE@0,0:0" with the tile in hand */
static const char *first_placement(void)
{
    static char move[32];
    (void)snprintf(move, sizeof move, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    return move;
}

START_TEST(test_first_turn)
{
    open_match("{\"first\":1}");
    ck_assert_str_eq(event_string("kind"), "started");
    ck_assert_int_eq(table_look_int(&table, "table.turn.number"), 1);
    ck_assert_int_eq(table_look_int(&table, "table.turn.seat"), 1);
    ck_assert_str_eq(table_look_string(&table, "table.turn.step"), "place");
    ck_assert_int_eq(table_look_int(&table, "table.stack"), 47);
    ck_assert_int_eq(table_look_int(&table, "table.players.0.huts"), 20);
    ck_assert_ptr_null(table_look(&table, "table.players.0.boats"));
    ck_assert_ptr_null(table_look(&table, "table.two_hex"));
    ck_assert(table_acts(&table, 1));
    ck_assert(!table_acts(&table, 0));

    expect_code(table_move(&table, ANA, first_placement()), "not_your_turn");
    expect_code(table_move(&table, CHI, first_placement()), "not_seated");
    expect_code(table_move(&table, BO, "hut@1,0"), "wrong_step");
    expect_code(table_move(&table, BO, "draw"), "wrong_step");
    expect_code(table_move(&table, BO, "none of this"), "bad_field");
    ck_assert_str_eq(table.refusal.field, "move");
    expect_code(table_check(&table, BO, first_placement()), "ok");
    expect_code(table_check(&table, ANA, first_placement()), "not_your_turn");
    expect_ok(table_move(&table, BO, first_placement()));
    ck_assert_str_eq(event_string("kind"), "move");
    ck_assert_str_eq(table_look_string(&table, "table.last.1"), event_string("move"));
    ck_assert_uint_eq(json_object_size(table_look(&table, "table.hexes")), 3);
    ck_assert_str_eq(table_look_string(&table, "table.turn.step"), "build");
    ck_assert_ptr_null(table_look(&table, "table.turn.tile"));

    expect_code(table_move(&table, BO, "hut@0,0"), "on_volcano");
    expect_code(table_move(&table, BO, "hut@5,5"), "not_on_island");
    expect_ok(table_move(&table, BO, "hut@1,0"));
    ck_assert_int_eq(table_look_int(&table, "table.players.1.huts"), 19);
    ck_assert_int_eq(table_look_int(&table, "table.turn.number"), 2);
    ck_assert_int_eq(table_look_int(&table, "table.turn.seat"), 0);
    ck_assert_int_eq(table_look_int(&table, "table.stack"), 46);
    expect_code(table_move(&table, ANA, first_placement()), "volcano_faces_same_way");
    ck_assert_str_eq(table.refusal.at, "0,0");
    end();
}
END_TEST

START_TEST(test_refusal_on_the_wire)
{
    struct refusal refusal = {.code = "overhangs_board", .text = "Too far.", .at = "3,-1"};
    struct buffer buffer;
    struct writer writer;
    refusal.has_number = true;
    refusal.number = 4;
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    reply_refusal(&writer, 7, &refusal);
    buffer_append_byte(&buffer, '\0');
    ck_assert_str_eq(buffer_payload(&buffer),
                     "{\"id\":7,\"error\":{\"code\":\"overhangs_board\",\"message\":\"Too far.\","
                     "\"at\":\"3,-1\",\"number\":4}}");
    buffer_clear(&buffer);
    refusal = (struct refusal){.error = PROTOCOL_SEAT_TAKEN, .field = "seat"};
    writer_init(&writer, &buffer);
    reply_refusal(&writer, REQUEST_NO_ID, &refusal);
    buffer_append_byte(&buffer, '\0');
    ck_assert_str_eq(buffer_payload(&buffer),
                     "{\"id\":null,\"error\":{\"code\":\"seat_taken\",\"message\":\"Somebody sits "
                     "there already.\",\"field\":\"seat\"}}");
    buffer_release(&buffer);
}
END_TEST

/* Taluva has no move longer than 64 bytes, and says so whoever's turn it is. */
START_TEST(test_too_long_a_move)
{
    char move[] = "12345678901234567890123456789012345678901234567890123456789012345";
    open_match("{}");
    uint64_t other = table_mover(&table) == ANA ? BO : ANA;
    expect_code(table_move(&table, other, move), "bad_field");
    ck_assert_str_eq(table.refusal.field, "move");
    expect_code(table_check(&table, table_mover(&table), move), "bad_field");
    move[64] = '\0';
    expect_code(table_move(&table, other, move), "not_your_turn");
    end();
}
END_TEST

START_TEST(test_undo)
{
    open_match("{}");
    uint64_t first = table_mover(&table), other = first == ANA ? BO : ANA;
    expect_code(table_send(&table, first, "undo", ""), "nothing_to_undo");
    json_t *before = json_deep_copy(table.state[0]);
    expect_ok(table_move(&table, first, first_placement()));
    expect_code(table_send(&table, other, "undo", ""), "nothing_to_undo");
    expect_ok(table_send(&table, first, "undo", ""));
    ck_assert_str_eq(event_string("kind"), "undone");
    ck_assert(json_equal(before, table.state[0]));
    json_decref(before);
    expect_code(table_send(&table, first, "undo", ""), "nothing_to_undo");
    expect_ok(table_move(&table, first, first_placement()));
    expect_ok(table_send(&table, first, "undo", ""));
    expect_ok(table_move(&table, first, first_placement()));
    expect_ok(table_move(&table, first, "hut@1,0"));
    expect_code(table_send(&table, first, "undo", ""), "nothing_to_undo");
    end();
}
END_TEST

/* Wherever the copy lies from which a match is played on. */
START_TEST(test_undo_at_any_event)
{
    open_match("{}");
    for (unsigned round = 0; round < 60; round++) {
        uint64_t mover = table_mover(&table);
        json_t *before = json_deep_copy(table_look(&table, "table"));
        expect_ok(table_move(&table, mover, table_any_move(&table, round)));
        for (unsigned i = 0; i < 2 * (round % 4); i++)
            expect_ok(
                table_send(&table, mover, i % 2 ? "withdraw" : "offer", "\"what\":\"pause\""));
        if (table_mover(&table) == mover) {
            expect_ok(table_send(&table, mover, "undo", ""));
            ck_assert(json_equal(before, table_look(&table, "table")));
        }
        json_decref(before);
        if (round % 2 == 0)
            table_play(&table, round, 1);
    }
    table_check_replay(&table);
    end();
}
END_TEST

START_TEST(test_undo_after_somebody_gave_up)
{
    open_match("{\"players\":3,\"first\":0}");
    table_play(&table, 3, 6);
    json_t *before = json_deep_copy(table.state[0]);
    expect_ok(table_move(&table, ANA, table_any_move(&table, 5)));
    expect_ok(table_send(&table, CHI, "resign", ""));
    expect_ok(table_send(&table, ANA, "undo", ""));
    ck_assert(json_equal(json_object_get(json_object_get(before, "table"), "hexes"),
                         table_look(&table, "table.hexes")));
    ck_assert_int_eq(table_look_int(&table, "table.players.2.out"), 1);
    json_decref(before);
    table_play(&table, 3, 400);
    end();
}
END_TEST

START_TEST(test_undo_gives_up_at_last)
{
    open_match("{}");
    uint64_t first = table_mover(&table);
    const char *code = "ok";
    unsigned rounds = 0;
    char move[32];
    (void)snprintf(move, sizeof move, "%s", first_placement());
    while (strcmp(code, "ok") == 0 && rounds++ < 2000) {
        expect_ok(table_move(&table, first, move));
        code = table_send(&table, first, "undo", "");
    }
    expect_code(code, "too_many_changes");
    table_play(&table, 3, 400); /* the match itself goes on to its end */
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    table_close(&table);
}
END_TEST

/* Whoever offers and withdraws for ever spends what is their own: the others still do all else. */
START_TEST(test_offers_are_at_ones_own_cost)
{
    open_match("{}");
    uint64_t first = table_mover(&table), other = first == ANA ? BO : ANA;
    const char *code = "ok";
    for (unsigned i = 0; strcmp(code, "ok") == 0 && i < 2000; i++)
        code = table_send(&table, other, i % 2 ? "withdraw" : "offer", "\"what\":\"pause\"");
    expect_code(code, "too_many_changes");
    expect_ok(table_move(&table, first, table_any_move(&table, 1)));
    expect_ok(table_send(&table, first, "undo", ""));
    expect_ok(table_send(&table, first, "hint", ""));
    expect_ok(table_send(&table, first, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, first, "withdraw", "\"what\":\"pause\""));
    /* What ends the match has a part of its own, which ends as well. */
    expect_ok(table_send(&table, other, "offer", "\"what\":\"call_off\""));
    expect_ok(table_send(&table, other, "withdraw", "\"what\":\"call_off\""));
    code = "ok";
    for (unsigned i = 0; strcmp(code, "ok") == 0 && i < 2000; i++)
        code = table_send(&table, other, i % 2 ? "withdraw" : "offer", "\"what\":\"call_off\"");
    expect_code(code, "too_many_changes");
    ck_assert_uint_lt(room_seq(table.room), ROOM_REPEATABLE_EVENTS_MAX);
    table_play(&table, 3, 400);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    table_close(&table);
}
END_TEST

/* Any placement that is no dead end, any build. */
static const char *careless_move(uint64_t *random)
{
    static struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
    static bool dead_end[TALUVA_PLACEMENTS_MAX];
    static char move[PROTOCOL_MOVE_BYTES];
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    const struct taluva_match *match = match_game_of(table.room->match);
    if (match->game.step == TALUVA_STEP_BUILD) {
        size_t count = taluva_list_builds(&match->game, builds);
        taluva_build_format(&builds[test_random(random, (uint32_t)count)], move);
        return move;
    }
    size_t count = taluva_list_placements(&match->game, match->game.tile, placements, dead_end);
    size_t pick = test_random(random, (uint32_t)count);
    for (size_t i = 0; i < count && dead_end[pick]; i++)
        pick = (pick + 1) % count;
    taluva_placement_format(&placements[pick], move);
    return move;
}

/* What the answer to `moves` says of the player to move, to be let go of. */
static json_t *ask_moves(void)
{
    struct refusal refusal;
    struct buffer buffer;
    struct writer writer;
    struct room_actor actor = {.session = table_mover(&table), .name = "Ana"};
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    ck_assert(room_write_moves(table.room, &actor, &writer, &refusal));
    writer_end(&writer);
    json_t *answer = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    buffer_release(&buffer);
    return answer;
}

/* Plays carelessly until some placement would leave its player nothing to build. */
static bool find_dead_end(uint64_t *random, char move[PROTOCOL_MOVE_BYTES])
{
    for (move[0] = '\0'; table_mover(&table) && !move[0];) {
        json_t *answer = ask_moves();
        json_t *dead = json_array_get(json_object_get(answer, "eliminating"), 0);
        if (dead)
            (void)snprintf(move, PROTOCOL_MOVE_BYTES, "%s", json_string_value(dead));
        json_decref(answer);
        if (!dead)
            expect_ok(table_move(&table, table_mover(&table), careless_move(random)));
    }
    return move[0] != '\0';
}

START_TEST(test_eliminating_placement)
{
    char move[PROTOCOL_MOVE_BYTES], members[PROTOCOL_MOVE_BYTES + 32];
    uint64_t random = 1;
    bool found = false;
    for (unsigned i = 0; i < 20 && !found; i++) {
        open_match("{}");
        found = find_dead_end(&random, move);
        if (!found)
            end();
    }
    ck_assert(found);
    expect_code(table_check(&table, table_mover(&table), move), "eliminates_you");
    expect_code(table_move(&table, table_mover(&table), move), "eliminates_you");
    (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true", move);
    expect_ok(table_send(&table, table_mover(&table), "move", members));
    ck_assert(json_is_true(json_object_get(table.event, "eliminated")));
    ck_assert_str_eq(event_string("over"), "last-standing");
    ck_assert_str_eq(table_look_string(&table, "result.why"), "last-standing");
    end();
}
END_TEST

START_TEST(test_resign)
{
    open_match("{\"players\":3,\"first\":0}");
    expect_code(table_send(&table, DEE, "resign", ""), "not_seated");
    expect_ok(table_move(&table, ANA, first_placement()));
    expect_ok(table_send(&table, ANA, "resign", "")); /* in the middle of her turn */
    ck_assert_str_eq(event_string("kind"), "resigned");
    ck_assert_int_eq(table_look_int(&table, "table.players.0.out"), 1);
    char want[48];
    (void)snprintf(want, sizeof want, "%s", table_look_string(&table, "table.last.0"));
    ck_assert_str_eq(want + strlen(want) - 5, " none");
    expect_code(table_send(&table, ANA, "resign", ""), "not_in_play");
    expect_ok(table_send(&table, CHI, "resign", ""));
    ck_assert_str_eq(event_string("over"), "last-standing");
    ck_assert(json_is_true(table_look(&table, "result.winners.1")));
    ck_assert_int_eq(table_look_int(&table, "result.ranks.1"), 1);
    ck_assert_int_eq(table_look_int(&table, "result.ranks.2"), 2);
    ck_assert_int_eq(table_look_int(&table, "result.ranks.0"), 3);
    expect_code(table_send(&table, BO, "resign", ""), "is_over");
    expect_code(table_move(&table, BO, "draw"), "is_over");
    end();
}
END_TEST

/* Who gives up in turn hands the turn on, with a tile to place and the turn's time. */
START_TEST(test_turn_passes_on_resigning)
{
    open_match("{\"players\":3,\"first\":0}");
    expect_ok(table_move(&table, ANA, first_placement()));
    expect_ok(table_send(&table, ANA, "resign", ""));
    ck_assert_int_eq(table_look_int(&table, "table.turn.seat"), 1);
    ck_assert_int_eq(table_look_int(&table, "table.turn.number"), 2);
    ck_assert_str_eq(table_look_string(&table, "table.turn.step"), "place");
    ck_assert_ptr_nonnull(table_look(&table, "table.turn.tile"));
    ck_assert_int_eq(table_look_int(&table, "table.stack"), 46);
    expect_ok(table_move(&table, BO, table_any_move(&table, 1)));
    end();
}
END_TEST

START_TEST(test_before_the_start)
{
    table_open(&table, "");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_code(table_move(&table, ANA, "draw"), "not_begun");
    expect_code(table_send(&table, ANA, "resign", ""), "not_begun");
    expect_code(table_send(&table, ANA, "undo", ""), "not_begun");
    expect_code(table_send(&table, ANA, "offer", "\"what\":\"pause\""), "not_begun");
    end();
}
END_TEST

/* ---- agreements */

START_TEST(test_offers)
{
    open_match("{\"players\":3}");
    expect_code(table_send(&table, DEE, "offer", "\"what\":\"pause\""), "not_seated");
    expect_code(table_send(&table, ANA, "offer", "\"what\":\"resume\""), "not_paused");
    expect_code(table_send(&table, ANA, "withdraw", "\"what\":\"pause\""), "not_offered");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(event_string("what"), "pause");
    ck_assert(json_is_true(table_look(&table, "offers.pause.0")));
    expect_code(table_send(&table, ANA, "offer", "\"what\":\"pause\""), "already_offered");
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"call_off\""));
    expect_code(table_send(&table, BO, "offer", "\"what\":\"call_off\""), "already_offered");
    expect_ok(table_send(&table, ANA, "withdraw", "\"what\":\"pause\""));
    ck_assert_ptr_null(table_look(&table, "offers.pause"));
    ck_assert(json_is_true(table_look(&table, "offers.call_off.1")));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"call_off\""));
    ck_assert_str_eq(event_string("kind"), "called_off");
    ck_assert_str_eq(event_string("over"), "called-off");
    ck_assert_str_eq(table_look_string(&table, "result.why"), "called-off");
    ck_assert_ptr_null(table_look(&table, "result.ranks"));
    ck_assert_ptr_null(table_look(&table, "offers"));
    ck_assert_ptr_nonnull(table_look(&table, "fair.secret"));
    end();
}
END_TEST

/* The operator ends a match that is played or paused, and nothing else. */
START_TEST(test_closed)
{
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    table_open(&table, "\"options\":{\"players\":2}");
    ck_assert(!room_decide_close(table.room, table.now_ms, &event, scratch));
    table_start(&table);
    for (uint64_t session = ANA; _i == 1 && session <= BO; session++)
        expect_ok(table_send(&table, session, "offer", "\"what\":\"pause\""));
    table.now_ms += 1000;
    ck_assert(room_decide_close(table.room, table.now_ms, &event, scratch));
    table_apply(&table, &event);
    ck_assert_str_eq(event_string("kind"), "called_off");
    ck_assert_str_eq(event_string("over"), "closed");
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_str_eq(table_look_string(&table, "result.why"), "closed");
    ck_assert_ptr_null(table_look(&table, "result.winners"));
    ck_assert_ptr_nonnull(table_look(&table, "fair.secret"));
    ck_assert(!room_decide_close(table.room, table.now_ms, &event, scratch));
    end();
}
END_TEST

START_TEST(test_team_mates_are_asked)
{
    open_match("{\"players\":4,\"teams\":true}");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, DEE, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    expect_code(table_send(&table, ANA, "offer", "\"what\":\"pause\""), "is_paused");
    end();
}
END_TEST

START_TEST(test_agreement_when_one_leaves)
{
    open_match("{\"players\":3}");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, CHI, "resign", ""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    ck_assert_uint_eq(table_due(&table), 1);
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    end();
}
END_TEST

START_TEST(test_offer_of_one_who_leaves)
{
    open_match("{\"players\":3}");
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, CHI, "resign", ""));
    ck_assert_ptr_null(table_look(&table, "offers"));
    end();
}
END_TEST

/* ---- the computer player */

START_TEST(test_computer_wins)
{
    unsigned won = 0;
    uint64_t random = 5;
    for (unsigned i = 0; i < 10; i++) {
        open_match("{}");
        uint64_t computer = i % 2 ? ANA : BO, mover;
        while ((mover = table_mover(&table)) != 0) {
            char members[PROTOCOL_MOVE_BYTES + 32];
            const char *move =
                mover == computer ? table_any_move(&table, random) : careless_move(&random);
            (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true", move);
            expect_ok(table_send(&table, mover, "move", members));
        }
        won += table_look(&table, i % 2 ? "result.winners.0" : "result.winners.1") != NULL;
        table_close(&table);
    }
    ck_assert_uint_ge(won, 8);
}
END_TEST

START_TEST(test_computer_is_repeatable)
{
    char move[PROTOCOL_MOVE_BYTES];
    open_match("{}");
    table_play(&table, 1, 20);
    (void)snprintf(move, sizeof move, "%s", table_any_move(&table, 77));
    ck_assert_str_eq(table_any_move(&table, 77), move);
    end();
}
END_TEST

Suite *match_suite(void)
{
    Suite *suite = suite_create("match");
    TCase *tcase = tcase_create("moves");
    tcase_add_test(tcase, test_first_turn);
    tcase_add_test(tcase, test_refusal_on_the_wire);
    tcase_add_test(tcase, test_too_long_a_move);
    tcase_add_test(tcase, test_undo);
    tcase_add_test(tcase, test_undo_at_any_event);
    tcase_add_test(tcase, test_undo_after_somebody_gave_up);
    tcase_add_test(tcase, test_undo_gives_up_at_last);
    tcase_add_test(tcase, test_offers_are_at_ones_own_cost);
    tcase_add_test(tcase, test_eliminating_placement);
    tcase_add_test(tcase, test_resign);
    tcase_add_test(tcase, test_turn_passes_on_resigning);
    tcase_add_test(tcase, test_before_the_start);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("agreements");
    tcase_add_test(tcase, test_offers);
    tcase_add_test(tcase, test_team_mates_are_asked);
    tcase_add_test(tcase, test_agreement_when_one_leaves);
    tcase_add_test(tcase, test_offer_of_one_who_leaves);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("computer");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, test_computer_is_repeatable);
    tcase_add_loop_test(tcase, test_closed, 0, 2);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("strength");
    tcase_set_tags(tcase, SAME_NUMBERS);
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, test_computer_wins);
    suite_add_tcase(suite, tcase);
    return suite;
}
