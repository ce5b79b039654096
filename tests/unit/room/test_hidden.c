/* Hidden hands and several seats at once: the seam holds for more than Taluva. */
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <stdio.h>
#include <string.h>

static struct table table;

static void open_cards(void)
{
    table_open_game(&table, test_games,
                    "\"game\":\"cards\",\"options\":{\"players\":3},\"clock\":{\"kind\":"
                    "\"fischer\",\"bank_s\":100,\"increment_s\":10}");
    table_start(&table);
}

static void end(void)
{
    table_check_replay(&table);
    table_close(&table);
}

/* Any card of the seat, by the computer player. */
static const char *card_of(unsigned seat, uint64_t seed)
{
    static char move[PROTOCOL_MOVE_BYTES + 1];
    size_t len = game_choose(&cards_game, match_game_of(table.room->match), seat, 2, seed, move);
    move[len] = '\0';
    return move;
}

static const json_t *hand(unsigned audience, unsigned seat)
{
    json_t *cards = json_object_get(table.state[audience], "table");
    return json_object_get(json_object_get(cards, patch_number(seat)), "hand");
}

static int take_event(void *ctx, const char *bytes, size_t len)
{
    return json_array_append_new(ctx, json_loadb(bytes, len, 0, NULL));
}

START_TEST(test_everybody_sees_something_else)
{
    ck_assert_uint_eq(room_audiences(table.room), 4);
    ck_assert_uint_eq(room_audience(table.room, 2), 2);
    ck_assert_uint_eq(room_audience(table.room, ROOM_NO_SEAT), 3);
    for (unsigned audience = 0; audience < 4; audience++) {
        for (unsigned seat = 0; seat < 3; seat++)
            ck_assert_uint_eq(json_object_size(hand(audience, seat)),
                              audience == seat ? CARDS_HAND : 0);
    }
    ck_assert_uint_eq(json_array_size(table_look(&table, "acting")), 3);
}
END_TEST

/* Looking back at a match that is over: all hands, and which card each move was. */
static json_t *missed_by_server(uint64_t have)
{
    json_t *events = json_array();
    ck_assert_int_eq(room_write_missed(table.room, room_audience(table.room, ROOM_SERVER), have,
                                       room_seq(table.room), take_event, events),
                     0);
    return events;
}

START_TEST(test_the_server_sees_all)
{
    unsigned audience = room_audience(table.room, ROOM_SERVER);
    ck_assert_uint_eq(audience, room_audiences(table.room)); /* nothing is pushed to it */
    char card[CARDS_NAME];
    memcpy(card, card_of(2, 1), sizeof card);
    uint64_t seq = room_seq(table.room);
    expect_ok(table_move(&table, CHI, card));
    json_t *state = table_state(&table, audience, seq);
    for (unsigned seat = 0; seat < 3; seat++) {
        json_t *player = json_object_get(json_object_get(state, "table"), patch_number(seat));
        const json_t *all = json_object_get(player, "hand");
        ck_assert(json_equal(all, hand(seat, seat)));
    }
    json_decref(state);
    json_t *events = missed_by_server(seq);
    const json_t *event = json_object_get(json_array_get(events, 0), "event");
    ck_assert_str_eq(json_string_value(json_object_get(event, "move")), card);
    json_decref(events);
}
END_TEST

/* Whom seat 1, and a watcher, may look back as. */
static const struct {
    uint8_t viewer;
    bool is_seat_1, is_watcher, exists;
} looks[] = {
    {0, false, false, true},           {1, true, false, true},
    {3, false, false, false},          {PROTOCOL_SEATS - 1, false, false, false},
    {ROOM_SERVER, false, false, true}, {ROOM_NO_SEAT, false, true, true},
};

static enum protocol_error expected_look(bool self, bool exists, bool over)
{
    if (!exists)
        return PROTOCOL_UNKNOWN_SEAT;
    return self || over ? PROTOCOL_OK : PROTOCOL_NOT_OVER;
}

static void expect_looks(bool over)
{
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        ck_assert_int_eq(room_may_view_as(table.room, 1, looks[i].viewer),
                         expected_look(looks[i].is_seat_1, looks[i].exists, over));
        ck_assert_int_eq(room_may_view_as(table.room, ROOM_NO_SEAT, looks[i].viewer),
                         expected_look(looks[i].is_watcher, looks[i].exists, over));
    }
}

START_TEST(test_as_others_only_after_the_end)
{
    expect_looks(false);
    for (unsigned seat = 0; seat < 3; seat++)
        expect_ok(table_send(&table, ANA + seat, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    expect_looks(false);
    for (unsigned seat = 0; seat < 3; seat++)
        expect_ok(table_send(&table, ANA + seat, "offer", "\"what\":\"call_off\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    expect_looks(true);
}
END_TEST

/* The weak one plays the first card of its hand, every time. */
START_TEST(test_levels_are_played)
{
    table_close(&table);
    table_open_game(&table, test_games, "\"game\":\"cards\",\"options\":{\"players\":3}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", "\"level\":1"));
    expect_ok(table_send(&table, ANA, "bot", "\"level\":2"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    bool other = false;
    for (unsigned round = 0; round + 1 < CARDS_HAND; round++) {
        char first[2][PROTOCOL_MOVE_BYTES];
        size_t len[2];
        for (unsigned i = 0; i < 2; i++)
            len[i] =
                game_choose(&cards_game, match_game_of(table.room->match), i + 1, 1, 0, first[i]);
        uint64_t seq = room_seq(table.room);
        table_wait(&table, 5000);
        for (uint64_t at = seq + 1; at <= seq + 2; at++) {
            struct room_event event;
            room_event_at(table.room, at, &event);
            ck_assert_int_eq(event.kind, ROOM_MOVE);
            unsigned i = event.seat - 1U;
            bool same = event.text_len == len[i] && memcmp(event.text, first[i], len[i]) == 0;
            ck_assert(same || i == 1);
            other = other || !same;
        }
        expect_ok(table_move(&table, ANA, card_of(0, 1)));
    }
    ck_assert_msg(other, "the strong one plays like the weak one");
}
END_TEST

START_TEST(test_all_at_once)
{
    ck_assert_int_eq(table.now_ms, INT64_C(1790000000000));
    table_wait(&table, 1000);
    expect_ok(table_move(&table, CHI, card_of(2, 1)));
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "kind")), "move");
    ck_assert_ptr_null(json_object_get(table.event, "move")); /* audience 0 is not told which */
    ck_assert(!table_acts(&table, 2));
    expect_code(table_move(&table, CHI, card_of(2, 2)), "not_your_turn");
    table_wait(&table, 1000);
    expect_ok(table_send(&table, CHI, "undo", "")); /* others have still to choose */
    ck_assert(table_acts(&table, 2));
    table_wait(&table, 1000);
    expect_ok(table_move(&table, CHI, card_of(2, 2)));
    expect_ok(table_move(&table, BO, card_of(1, 2)));
    expect_code(table_move(&table, ANA, "c0000"), "not_in_hand");
    table_wait(&table, 1000);
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.left_ms"), 97000);
    expect_ok(table_move(&table, ANA, card_of(0, 2)));
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.left_ms"), 106000);
    ck_assert_int_eq(table_look_int(&table, "clock.seats.1.left_ms"), 107000);
    ck_assert_int_eq(table_look_int(&table, "clock.seats.2.left_ms"), 108000);
    ck_assert_ptr_nonnull(table_look(&table, "table.1.shown"));
    expect_code(table_send(&table, ANA, "undo", ""), "nothing_to_undo");
    ck_assert_uint_eq(json_object_size(hand(1, 1)), CARDS_HAND - 1);
}
END_TEST

/* A table of the most seats and of colours that are this game's own. */
START_TEST(test_many_seats)
{
    table_close(&table);
    table_open_game(&table, test_games, "\"game\":\"cards\",\"options\":{\"players\":8}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_code(table_send(&table, ANA, "bot", "\"colour\":\"white\""), "unknown_colour");
    expect_ok(table_send(&table, ANA, "bot", "\"colour\":\"acorn\""));
    for (unsigned i = 2; i < CARDS_SEATS; i++)
        expect_ok(table_send(&table, ANA, "bot", ""));
    ck_assert_str_eq(table_look_string(&table, "seats.0.colour"), "spade");
    ck_assert_str_eq(table_look_string(&table, "seats.1.colour"), "acorn");
    ck_assert_str_eq(table_look_string(&table, "seats.7.colour"), "shield");
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    while (table_acts(&table, 0)) {
        expect_ok(table_move(&table, ANA, card_of(0, 1)));
        (void)table_due(&table);
    }
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_int_ge(table_look_int(&table, "result.ranks.7"), 1);
}
END_TEST

/* As long as the protocol lets a move be, through the log, replays and the record. */
START_TEST(test_long_move)
{
    char move[PROTOCOL_MOVE_BYTES + 1];
    memset(move, 'x', sizeof move);
    move[PROTOCOL_MOVE_BYTES] = '\0';
    expect_code(table_move(&table, ANA, move), "not_in_hand");
    memcpy(move, card_of(0, 1), CARDS_NAME - 1);
    move[CARDS_NAME - 1] = ' ';
    expect_ok(table_move(&table, ANA, move));
    for (unsigned round = 0; round < CARDS_HAND - 1; round++) {
        for (unsigned seat = 0; seat < 3; seat++) {
            if (table_acts(&table, seat))
                expect_ok(table_move(&table, ANA + seat, card_of(seat, 1)));
        }
    }
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    struct buffer buffer;
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(
        room_write_record(table.room, room_seq(table.room), "taluvad 0.1", NULL, &buffer), 0);
    ck_assert_ptr_nonnull(memmem(buffer_payload(&buffer), buffer.len, move, PROTOCOL_MOVE_BYTES));
    buffer_release(&buffer);
}
END_TEST

START_TEST(test_highest_card_wins)
{
    int64_t won[3] = {0};
    for (unsigned round = 0; round < CARDS_HAND - 1; round++) {
        unsigned best = 0;
        char highest[CARDS_NAME] = "";
        for (unsigned seat = 0; seat < 3; seat++) {
            const char *card = card_of(seat, round);
            if (strcmp(card, highest) > 0) {
                memcpy(highest, card, sizeof highest);
                best = seat;
            }
            expect_ok(table_move(&table, ANA + seat, card));
        }
        char path[32];
        (void)snprintf(path, sizeof path, "table.%u.won", best);
        if (round < CARDS_HAND - 2) /* the last two rounds end together */
            ck_assert_int_eq(table_look_int(&table, path), ++won[best]);
    }
}
END_TEST

START_TEST(test_flags_fall_together)
{
    expect_ok(table_move(&table, BO, card_of(1, 1)));
    table_wait(&table, 100000 + ROOM_FLAG_GRACE_MS);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over"); /* both others were out of time */
    ck_assert(json_is_true(table_look(&table, "table.0.out")));
    ck_assert(json_is_true(table_look(&table, "table.2.out")));
}
END_TEST

START_TEST(test_to_the_end)
{
    for (unsigned round = 0; round < CARDS_HAND - 1; round++) {
        for (unsigned seat = 0; seat < 3; seat++)
            expect_ok(table_move(&table, ANA + (seat + round) % 3, card_of((seat + round) % 3, 1)));
    }
    ck_assert_str_eq(table_look_string(&table, "phase"), "over"); /* the last cards by themselves */
    unsigned firsts = 0;
    for (unsigned seat = 0; seat < 3; seat++) {
        char path[32];
        (void)snprintf(path, sizeof path, "result.winners.%u", seat);
        bool winner = json_is_true(table_look(&table, path));
        (void)snprintf(path, sizeof path, "result.ranks.%u", seat);
        ck_assert_int_eq(table_look_int(&table, path) == 1, winner);
        firsts += winner;
    }
    ck_assert_uint_ge(firsts, 1);
    ck_assert_ptr_nonnull(table_look(&table, "result.won.0"));
}
END_TEST

START_TEST(test_record_keeps_secrets)
{
    struct buffer buffer;
    expect_ok(table_move(&table, CHI, card_of(2, 1)));
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(
        room_write_record(table.room, room_seq(table.room), "taluvad 0.1", NULL, &buffer), 0);
    ck_assert(!cards_leak(match_game_of(table.room->match), ROOM_NO_SEAT, buffer_payload(&buffer),
                          buffer.len));
    buffer_release(&buffer);
}
END_TEST

START_TEST(test_leaks_would_be_found)
{
    const void *game = match_game_of(table.room->match);
    const char *card = card_of(2, 1);
    ck_assert(cards_leak(game, 0, card, strlen(card)));
    ck_assert(cards_leak(game, ROOM_NO_SEAT, card, strlen(card)));
    ck_assert(!cards_leak(game, 2, card, strlen(card)));
    char said[32];
    (void)snprintf(said, sizeof said, "{\"shown\":\"%s\"}", card);
    ck_assert(cards_leak(game, 0, said, strlen(said)));
    (void)snprintf(said, sizeof said, "{\"commitment\":\"0%s\"}", card);
    ck_assert(!cards_leak(game, 0, said, strlen(said)));
}
END_TEST

Suite *hidden_suite(void)
{
    Suite *suite = suite_create("hidden");
    TCase *tcase = tcase_create("cards");
    tcase_add_checked_fixture(tcase, open_cards, end);
    tcase_add_test(tcase, test_everybody_sees_something_else);
    tcase_add_test(tcase, test_the_server_sees_all);
    tcase_add_test(tcase, test_as_others_only_after_the_end);
    tcase_add_test(tcase, test_levels_are_played);
    tcase_add_test(tcase, test_all_at_once);
    tcase_add_test(tcase, test_many_seats);
    tcase_add_test(tcase, test_long_move);
    tcase_add_test(tcase, test_highest_card_wins);
    tcase_add_test(tcase, test_flags_fall_together);
    tcase_add_test(tcase, test_to_the_end);
    tcase_add_test(tcase, test_record_keeps_secrets);
    tcase_add_test(tcase, test_leaks_would_be_found);
    suite_add_tcase(suite, tcase);
    return suite;
}
