/* A move is played once: on a draft, which room_apply takes over for that very event alone. */
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <stdio.h>
#include <string.h>

static const char create[] = "\"game\":\"cards\",\"options\":{\"players\":3},\"clock\":{\"kind\":"
                             "\"fischer\",\"bank_s\":100,\"increment_s\":10}";

/* ---- the card game, counting the moves that it plays */

static struct game_rules rules;
static struct game_type game;
static const struct game_type *const games[] = {&game, NULL};
static unsigned acts;

static bool count_act(void *value, unsigned seat, const char *move, size_t len, bool confirm,
                      struct game_change *change, struct refusal *refusal)
{
    acts++;
    return cards_game.rules->act(value, seat, move, len, confirm, change, refusal);
}

static struct table table;

static void open_cards(void)
{
    rules = *cards_game.rules;
    rules.act = count_act;
    game = cards_game;
    game.rules = &rules;
    table_open_game(&table, games, create);
    table_start(&table);
    acts = 0;
}

/* What the log says is what has been done. */
static void end(void)
{
    struct room *again = table_regrow(&table);
    ck_assert_uint_eq(table_fingerprint(again), table_fingerprint(table.room));
    room_destroy(again);
    table_close(&table);
}

/* Any card of the seat, by the computer player. */
static const char *card_of(const struct table *at, unsigned seat, uint64_t seed)
{
    static char members[PROTOCOL_MOVE_BYTES + 32];
    char move[PROTOCOL_MOVE_BYTES];
    size_t len = game_choose(&cards_game, match_game_of(at->room->match), seat, 2, seed, move);
    (void)snprintf(members, sizeof members, "\"move\":\"%.*s\"", (int)len, move);
    return members;
}

static void decide(struct table *at, uint64_t session, const char *members,
                   struct room_event *event, struct room_draft *draft)
{
    expect_ok(table_decide(at, session, at->next_id++, "move", members, event, draft));
    ck_assert_ptr_eq(event->draft, draft);
}

START_TEST(test_played_once)
{
    expect_ok(table_send(&table, ANA, "move", card_of(&table, 0, 1)));
    ck_assert_uint_eq(acts, 1);
    expect_code(table_send(&table, BO, "move", "\"move\":\"c0000\""), "not_in_hand");
    expect_code(table_check(&table, BO, "c0000"), "not_in_hand");
    ck_assert_uint_eq(acts, 3);
    expect_ok(table_send(&table, BO, "move", card_of(&table, 1, 1)));
    ck_assert_uint_eq(acts, 4);
    expect_ok(table_send(&table, ANA, "undo", "")); /* plays BO's again */
    ck_assert_uint_eq(acts, 5);
}
END_TEST

/* An undo late in a match plays the moves since the last copy of it again, not all of them. */
START_TEST(test_undo_of_a_late_move)
{
    static const uint64_t players[] = {ANA, BO, CHI};
    for (unsigned i = 0; i < 13; i++)
        expect_ok(table_send(&table, players[i % 3], "move", card_of(&table, i % 3, i)));
    acts = 0;
    expect_ok(table_send(&table, ANA, "undo", ""));
    ck_assert_uint_lt(acts, 12);
}
END_TEST

static void apply(const struct room_event *event)
{
    ck_assert_int_eq(room_apply(table.room, event, NULL), 0);
    ck_assert_uint_eq(room_seq(table.room), event->seq);
}

static unsigned in_play(void)
{
    return cards_game.rules->in_play(match_game_of(table.room->match));
}

START_TEST(test_of_another_event)
{
    struct room_event move, due;
    struct room_draft draft;
    char scratch[ROOM_EVENT_TEXT_MAX];
    expect_ok(table_send(&table, ANA, "move", card_of(&table, 0, 1)));
    decide(&table, CHI, card_of(&table, 2, 1), &move, &draft);
    table.now_ms += 200000;
    ck_assert(room_decide_due(table.room, &table.limits, table.now_ms, &due, scratch));
    ck_assert_int_eq(due.kind, ROOM_TIMED_OUT);
    ck_assert_uint_eq(due.seq, move.seq);
    ck_assert_ptr_null(due.draft);
    due.draft = &draft;
    apply(&due);
    ck_assert_uint_eq(in_play(), 7U & ~(1U << due.seat));
}
END_TEST

START_TEST(test_of_another_move)
{
    struct room_event first, second;
    struct room_draft drafts[2];
    decide(&table, ANA, card_of(&table, 0, 1), &first, &drafts[0]);
    decide(&table, ANA, card_of(&table, 0, 2), &second, &drafts[1]);
    ck_assert_uint_eq(first.text_len, second.text_len);
    ck_assert_int_ne(memcmp(first.text, second.text, first.text_len), 0);
    second.draft = &drafts[0];
    apply(&second);
    ck_assert_uint_eq(acts, 3);
}
END_TEST

START_TEST(test_of_an_earlier_state)
{
    struct room_event move, instead;
    struct room_draft draft, instead_draft;
    uint64_t seq = room_seq(table.room);
    decide(&table, ANA, card_of(&table, 0, 2), &instead, &instead_draft);
    expect_ok(table_send(&table, ANA, "move", card_of(&table, 0, 1)));
    decide(&table, BO, card_of(&table, 1, 1), &move, &draft);
    room_rewind(table.room, seq);
    apply(&instead);
    apply(&move);
}
END_TEST

START_TEST(test_of_another_room)
{
    struct table other;
    struct room_event here, there;
    struct room_draft drafts[2];
    table_open_game(&other, games, create);
    table_start(&other);
    expect_ok(table_send(&other, ANA, "move", card_of(&other, 0, 1)));
    expect_ok(table_send(&table, ANA, "move", card_of(&table, 0, 2)));
    decide(&other, BO, card_of(&other, 1, 1), &there, &drafts[0]);
    decide(&table, BO, card_of(&table, 1, 1), &here, &drafts[1]);
    here.draft = &drafts[0];
    apply(&here);
    table_close(&other);
}
END_TEST

Suite *draft_suite(void)
{
    Suite *suite = suite_create("draft");
    TCase *tcase = tcase_create("draft");
    tcase_add_checked_fixture(tcase, open_cards, end);
    tcase_add_test(tcase, test_played_once);
    tcase_add_test(tcase, test_undo_of_a_late_move);
    tcase_add_test(tcase, test_of_another_event);
    tcase_add_test(tcase, test_of_another_move);
    tcase_add_test(tcase, test_of_an_earlier_state);
    tcase_add_test(tcase, test_of_another_room);
    suite_add_tcase(suite, tcase);
    return suite;
}
