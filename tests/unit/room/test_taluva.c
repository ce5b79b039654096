/* Taluva's part of a room by itself: its words in a record, and what its computer likes. */
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
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

/* ---- words of a record */

static const struct {
    const char *move;
    uint8_t before, after; /* the seat's state */
    const char *words;
} words_rows[] = {
    {"draw", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, ""},
    {"JJ@0,0:0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, "JJ@0,0:0"},
    {"JJ@0,0:0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_ELIMINATED, "JJ@0,0:0 none"},
    {"JJ@0,0:0", TALUVA_SEAT_ELIMINATED, TALUVA_SEAT_ELIMINATED, "JJ@0,0:0"},
    {"hut@1,0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, "hut@1,0"},
    {"hut@1,0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_ELIMINATED, "hut@1,0"},
};

START_TEST(test_words)
{
    static struct taluva_match before, after;
    char words[RECORD_TEXT_BYTES];
    const char *move = words_rows[_i].move;
    for (uint8_t seat = 0; seat < 2; seat++) {
        memset(&before, 0, sizeof before);
        memset(&after, 0, sizeof after);
        memset(words, 'x', sizeof words);
        before.game.state[0] = before.game.state[1] = TALUVA_SEAT_PLAYING;
        after.game.state[0] = after.game.state[1] = TALUVA_SEAT_PLAYING;
        before.game.state[seat] = words_rows[_i].before;
        after.game.state[seat] = words_rows[_i].after;
        size_t len = taluva_record.words(&before, &after, seat, move, strlen(move), words);
        ck_assert_uint_eq(len, strlen(words_rows[_i].words));
        ck_assert_int_eq(memcmp(words, words_rows[_i].words, len), 0);
    }
}
END_TEST

static void read_record(struct record *record, struct buffer *buffer)
{
    struct record_problem problem;
    buffer_init(buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(table.room, room_seq(table.room), "taluvad 0.1", buffer), 0);
    ck_assert_msg(record_parse(record, buffer_payload(buffer), buffer->len, &problem), "%s",
                  problem.message);
}

/* A turn stays one line, also if somebody else gives up in the middle of it. */
START_TEST(test_a_turn_is_one_line)
{
    struct record record;
    struct buffer buffer;
    char place[32], line[64];
    open_match("{\"players\":3,\"first\":0}");
    (void)snprintf(place, sizeof place, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    expect_ok(table_move(&table, ANA, place));
    expect_ok(table_send(&table, CHI, "resign", ""));
    expect_ok(table_move(&table, ANA, "hut@1,0"));
    read_record(&record, &buffer);
    ck_assert_uint_eq(record.line_count, 2);
    ck_assert_str_eq(record.lines[0].text, "resigned");
    ck_assert_uint_eq(record.lines[0].seat, 2);
    (void)snprintf(line, sizeof line, "%s hut@1,0", place);
    ck_assert_str_eq(record.lines[1].text, line);
    ck_assert_uint_eq(record.lines[1].seat, 0);
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

static const struct {
    unsigned resigns;
    const char *options, *winners, *ranks; /* winners of teams are teams */
} result_rows[] = {
    {0, "{}", "1", "1 0"},
    {1, "{}", "0", "0 1"},
    {0, "{\"players\":4,\"teams\":true}", "1", NULL},
    {1, "{\"players\":4,\"teams\":true}", "0", NULL},
};

/* All of a side give up. */
START_TEST(test_result)
{
    struct record record;
    struct buffer buffer;
    open_match(result_rows[_i].options);
    expect_ok(table_send(&table, ANA + result_rows[_i].resigns, "resign", ""));
    if (!result_rows[_i].ranks)
        expect_ok(table_send(&table, ANA + result_rows[_i].resigns + 2, "resign", ""));
    read_record(&record, &buffer);
    ck_assert_str_eq(record_find(record.result, record.result_count, "winners"),
                     result_rows[_i].winners);
    const char *ranks = record_find(record.result, record.result_count, "ranks");
    ck_assert_int_eq(ranks != NULL, result_rows[_i].ranks != NULL);
    if (ranks)
        ck_assert_str_eq(ranks, result_rows[_i].ranks);
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

/* ---- the computer */

static const struct {
    const char *options;
    uint64_t moves; /* a sum over all that it chooses in three matches */
} computer_rows[] = {
    {"{\"players\":2}", UINT64_C(0x6fc28f40003ba265)},
    {"{\"players\":3,\"boats\":true}", UINT64_C(0x32ffbceba190ea2f)},
    {"{\"players\":4,\"teams\":true,\"two_hex\":true}", UINT64_C(0x85ee22d1dd49ece0)},
    {"{\"players\":5,\"boats\":true,\"two_hex\":true}", UINT64_C(0x64083c2194819f40)},
};

static uint64_t add_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (sum ^ '\n') * UINT64_C(0x100000001b3);
}

/* What it weighs is a matter of taste, but changes on purpose only: then the sums change too. */
START_TEST(test_computer_chooses_as_it_did)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325), mover;
    for (uint64_t match = 0; match < 3; match++) {
        open_match(computer_rows[_i].options);
        for (uint64_t move = 0; (mover = table_mover(&table)) != 0; move++) {
            const char *text = table_any_move(&table, 1000 * match + move);
            sum = add_text(sum, text);
            expect_ok(table_move(&table, mover, text));
        }
        table_close(&table);
    }
    ck_assert_msg(sum == computer_rows[_i].moves, "0x%016llx", (unsigned long long)sum);
}
END_TEST

Suite *taluva_suite(void)
{
    Suite *suite = suite_create("Taluva");
    TCase *tcase = tcase_create("record");
    tcase_add_loop_test(tcase, test_words, 0, sizeof words_rows / sizeof *words_rows);
    tcase_add_test(tcase, test_a_turn_is_one_line);
    tcase_add_loop_test(tcase, test_result, 0, sizeof result_rows / sizeof *result_rows);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("computer");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_computer_chooses_as_it_did, 0,
                        sizeof computer_rows / sizeof *computer_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
