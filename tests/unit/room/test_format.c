/* What is on disk is a format: numbers of kinds, versions of rules. */
#include "suites.h"
#include "table.h"
#include <cards.h>
#include <protocol/record.h>
#include <stdio.h>
#include <string.h>
#include <taluva/game.h>

static struct table table;

static void end(void)
{
    table_close(&table);
}

/* These numbers are in stores that exist: a row may be added here, and none changed. */
START_TEST(test_numbers_of_kinds)
{
    static const int numbers[][2] = {
        {ROOM_CREATED, 0},    {ROOM_SAT, 1},      {ROOM_STOOD, 2},     {ROOM_READIED, 3},
        {ROOM_STARTED, 4},    {ROOM_MOVE, 5},     {ROOM_UNDONE, 6},    {ROOM_RESIGNED, 7},
        {ROOM_TIMED_OUT, 8},  {ROOM_REPLACED, 9}, {ROOM_RETURNED, 10}, {ROOM_OFFERED, 11},
        {ROOM_WITHDREW, 12},  {ROOM_PAUSED, 13},  {ROOM_RESUMED, 14},  {ROOM_CALLED_OFF, 15},
        {ROOM_REMATCHED, 16}, {ROOM_HINTED, 17}};
    ck_assert_int_eq(sizeof numbers / sizeof *numbers, ROOM_EVENT_KINDS);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_int_eq(numbers[i][0], numbers[i][1]);
}
END_TEST

/* What a room with this creation text becomes under these games: 0 or an error. */
static int restore(const struct game_type *const games[], const char *prefix, const char *request)
{
    char text[ROOM_EVENT_TEXT_MAX];
    struct room_event event;
    room_event_at(table.room, 1, &event);
    int len = snprintf(text, sizeof text, "%s%s", prefix, request);
    ck_assert(len > 0 && (size_t)len < sizeof text);
    event.text = text;
    event.text_len = (uint16_t)len;
    struct room *room = room_restore(games, room_seed(table.room));
    int result = room_restore_event(room, &event);
    if (result == 0)
        ck_assert_str_eq(room->setup.title, table.room->setup.title);
    room_destroy(room);
    return result;
}

START_TEST(test_version_in_the_first_event)
{
    static const struct game_type *const old_games[] = {&game_type_taluva, &cards_game_1, NULL};
    struct room_event event;
    char request[ROOM_EVENT_TEXT_MAX] = "";
    table_open(&table, "\"game\":\"cards\",\"title\":\"Whist\"");
    room_event_at(table.room, 1, &event);
    ck_assert(memcmp(event.text, "rules=2 {", 9) == 0);
    memcpy(request, event.text + 8, event.text_len - 8U);
    ck_assert_int_eq(restore(test_games, "", request), 0);
    ck_assert_int_eq(restore(test_games, "rules=1 ", request), 0);
    ck_assert_int_eq(restore(test_games, "rules=2 ", request), 0);
    ck_assert_int_eq(restore(old_games, "rules=1 ", request), 0);
    /* a newer program has written this */
    ck_assert_int_eq(restore(test_games, "rules=3 ", request), -3);
    ck_assert_int_eq(restore(old_games, "rules=2 ", request), -3);
    ck_assert_int_eq(restore(&test_games[2], "rules=1 ", request), -3);
    /* and none has written these */
    static const char *const wrong[] = {"rules=0 ",   "rules=01 ",    "rules= ",
                                        "rules=2",    "rules=",       "Rules=1 ",
                                        "rules=1  x", "rules=00001 ", "rules=4294967297 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(restore(test_games, wrong[i], request) == -2, "%s", wrong[i]);
    ck_assert_int_eq(restore(test_games, "rules=2 ", ""), -2);
}
END_TEST

/* Seats whose computers have no level are from before there were levels. */
START_TEST(test_texts_of_seats)
{
    static const struct {
        const char *text;
        unsigned level; /* 0: it is refused */
    } rows[] = {
        {"spade bot Computer", 2},
        {"spade bot:any Computer", 2},
        {"spade bot:first Computer", 1},
        {"spade bot: Computer", 0},
        {"spade bot:an Computer", 0},
        {"spade bots Computer", 0},
        {"spade humans Computer", 0},
        {"spade :any Computer", 0},
        {"spade bot", 0},
        {"spade bot ", 0},
        {"", 0},
        {"spade", 0},
        {"stone bot Computer", 0},
    };
    table_open(&table, "\"game\":\"cards\"");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct room *room = table_regrow(&table);
        struct room_event event;
        room_begin_event(room, table.now_ms, ROOM_SAT, 0, &event);
        if (rows[i].level == 0)
            event.origin.session = ANA; /* whoever sits down */
        event.text = rows[i].text;
        event.text_len = (uint16_t)strlen(rows[i].text);
        int result = room_restore_event(room, &event);
        ck_assert_msg(result == (rows[i].level ? 0 : -2), "%s: %d", rows[i].text, result);
        if (result == 0)
            ck_assert_uint_eq(room->match->seats[0].level, rows[i].level);
        room_destroy(room);
    }
}
END_TEST

/* The program is exchanged for one that plays these games. */
static void restart(const struct game_type *const games[])
{
    struct room *room = room_restore(games, room_seed(table.room));
    for (uint64_t seq = 1; seq <= room_seq(table.room); seq++) {
        struct room_event event;
        room_event_at(table.room, seq, &event);
        ck_assert_int_eq(room_restore_event(room, &event), 0);
    }
    room_restored(room, table.now_ms);
    room_destroy(table.room);
    table.room = room;
}

static void play_round(uint64_t *random)
{
    for (unsigned seat = 0; seat < 3; seat++) {
        char move[PROTOCOL_MOVE_BYTES + 1];
        const void *game = match_game_of(table.room->match);
        move[game_choose(&cards_game, game, seat, 2, test_random(random, CARDS_HAND), move)] = '\0';
        expect_ok(table_move(&table, ANA + seat, move));
    }
}

/* A match of three from the first card to the last; halfway the program is exchanged for today's.
 */
static void play_cards(const struct game_type *const games[], uint64_t seed)
{
    uint64_t random = seed;
    table_open_game(&table, games, "\"game\":\"cards\",\"options\":{\"players\":3}");
    table_start(&table);
    for (unsigned round = 0; round < CARDS_HAND - 1; round++) {
        play_round(&random);
        if (round == 2)
            restart(test_games);
    }
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
}

static size_t winners(void)
{
    return json_object_size(table_look(&table, "result.winners"));
}

/* What the text record says about the version of the rules. */
static unsigned rules_of_record(const struct room *room)
{
    struct buffer buffer;
    struct record record;
    struct record_problem problem;
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(room, room_seq(room), "taluvad 0.1", NULL, &buffer), 0);
    ck_assert_msg(record_parse(&record, buffer_payload(&buffer), buffer.len, &problem), "%s",
                  problem.message);
    unsigned rules = record.rules;
    record_release(&record);
    buffer_release(&buffer);
    return rules;
}

/* A match that began under the first rules ends under them, and its rematch has the second. */
START_TEST(test_old_matches_keep_their_rules)
{
    static const struct game_type *const old_games[] = {&cards_game_1, NULL};
    uint64_t seed = 0;
    play_cards(old_games, seed);
    while (winners() == 1 && seed < 200) {
        table_close(&table);
        play_cards(old_games, ++seed);
    }
    ck_assert_msg(winners() > 1, "no tie in %u matches", (unsigned)seed);
    ck_assert_uint_eq(table.room->setup.rules_version, 1);
    ck_assert_uint_eq(rules_of_record(table.room), 1);
    json_t *won = json_deep_copy(table_look(&table, "table"));
    struct refusal refusal;
    struct room *next =
        room_create_rematch(table.room, room_seed(table.room), table.now_ms, &refusal);
    ck_assert_ptr_nonnull(next);
    ck_assert_uint_eq(next->setup.rules_version, 2);
    ck_assert_uint_eq(rules_of_record(next), 2);
    room_destroy(next);
    table_close(&table);

    play_cards(test_games, seed); /* the same cards, the same moves, another result */
    ck_assert(json_equal(won, table_look(&table, "table")));
    ck_assert_uint_eq(winners(), 1);
    json_decref(won);
}
END_TEST

Suite *format_suite(void)
{
    Suite *suite = suite_create("format");
    TCase *tcase = tcase_create("numbers");
    tcase_add_test(tcase, test_numbers_of_kinds);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("versions");
    tcase_add_checked_fixture(tcase, NULL, end);
    tcase_add_test(tcase, test_version_in_the_first_event);
    tcase_add_test(tcase, test_texts_of_seats);
    tcase_add_test(tcase, test_old_matches_keep_their_rules);
    suite_add_tcase(suite, tcase);
    return suite;
}
