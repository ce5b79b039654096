/* What a match has come to, for whoever keeps something of it. */
#include "suites.h"
#include "table.h"
#include <room/result.h>
#include <stdio.h>

static struct table table;
static struct room_result result;

static void begin(const char *create)
{
    table_open(&table, create);
    table_start(&table);
    ck_assert(!room_result(table.room, &result));
}

static void end(void)
{
    ck_assert(room_result(table.room, &result));
    ck_assert_str_eq(result.room_id, room_id(table.room));
    ck_assert_str_eq(result.game, "taluva");
    ck_assert_str_eq(result.reason, table_look_string(&table, "result.why"));
    ck_assert_int_eq(result.ended_ms, table.now_ms);
}

START_TEST(test_nobody_has_a_result_before_the_end)
{
    table_open(&table, "");
    ck_assert(!room_result(table.room, &result));
    table_close(&table);
}
END_TEST

START_TEST(test_decided_by_the_game)
{
    begin("\"options\":{\"players\":3},\"access\":\"open\",\"hints\":true,"
          "\"clock\":{\"kind\":\"move\",\"move_s\":60,\"on_timeout\":\"eliminate\"}");
    expect_ok(table_send(&table, BO, "resign", ""));
    table.now_ms += 1000;
    expect_ok(table_send(&table, ANA, "resign", ""));
    end();
    ck_assert(result.decided);
    ck_assert_uint_eq(result.seats, 3);
    ck_assert_uint_eq(result.teams, 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct room_result_seat *seat = &result.seat[i];
        char path[32];
        (void)snprintf(path, sizeof path, "result.ranks.%u", i);
        ck_assert_uint_eq(seat->session, ANA + i);
        ck_assert_int_eq(seat->rank, table_look_int(&table, path));
        ck_assert_int_eq(seat->won, i == 2);
        ck_assert_int_eq(seat->in_play, i == 2);
        ck_assert_uint_eq(seat->level, 0);
        ck_assert_uint_eq(seat->team, 0);
        ck_assert(!seat->stood_in_for);
        ck_assert_uint_eq(seat->hints, 0);
    }
    ck_assert(result.hints);
    ck_assert_int_eq(result.access, PROTOCOL_ACCESS_OPEN);
    ck_assert_int_eq(result.clock.kind, PROTOCOL_CLOCK_MOVE);
    ck_assert_uint_eq(result.clock.move_s, 60);
    table_close(&table);
}
END_TEST

/* Partners sit opposite each other and win together, also who has resigned. */
START_TEST(test_teams)
{
    begin("\"options\":{\"players\":4,\"teams\":true}");
    expect_ok(table_send(&table, DEE, "resign", ""));
    expect_ok(table_send(&table, ANA, "resign", ""));
    expect_ok(table_send(&table, CHI, "resign", ""));
    end();
    ck_assert(result.decided);
    ck_assert_uint_eq(result.teams, 2);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(result.seat[i].team, i % 2);
        ck_assert_uint_eq(result.seat[i].rank, 0);
        ck_assert_int_eq(result.seat[i].won, i % 2 == 1);
        ck_assert_int_eq(result.seat[i].in_play, i == 1);
    }
    table_close(&table);
}
END_TEST

/* Then nobody has won, and a computer is nobody's session. */
START_TEST(test_called_off)
{
    table_open(&table, "\"options\":{\"players\":2}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", "\"seat\":1,\"level\":2"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"call_off\""));
    (void)table_due(&table);
    end();
    ck_assert(!result.decided);
    ck_assert_uint_eq(result.teams, 0);
    ck_assert_uint_eq(result.seat[0].session, ANA);
    ck_assert_uint_eq(result.seat[1].session, 0);
    ck_assert_uint_eq(result.seat[1].level, 2);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_uint_eq(result.seat[i].rank, 0);
        ck_assert(!result.seat[i].won);
    }
    table_close(&table);
}
END_TEST

START_TEST(test_options)
{
    struct buffer buffer;
    struct writer writer;
    begin("\"options\":{\"players\":3,\"tiles\":24}");
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    room_write_options(table.room, &writer);
    json_t *options = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    ck_assert(json_equal(options, table_look(&table, "options")));
    json_decref(options);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

Suite *result_suite(void)
{
    Suite *suite = suite_create("result");
    TCase *tests = tcase_create("result");
    tcase_add_test(tests, test_nobody_has_a_result_before_the_end);
    tcase_add_test(tests, test_decided_by_the_game);
    tcase_add_test(tests, test_teams);
    tcase_add_test(tests, test_called_off);
    tcase_add_test(tests, test_options);
    suite_add_tcase(suite, tests);
    return suite;
}
