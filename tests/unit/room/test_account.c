/* Accounts at a table: what the log, views, lists and results say of them. */
#include "suites.h"
#include "table.h"
#include <room/result.h>
#include <string.h>

static const struct protocol_account ana = {.kind = ACCOUNT_PERSON, .handle = "Ana-Banana"},
                                     robot = {.kind = ACCOUNT_BOT, .handle = "robo-bot"};
static struct table table;

static void begin(void)
{
    table_open(&table, "\"options\":{\"players\":2}");
}

static void end(void)
{
    table_close(&table);
}

static void sit(uint64_t session, const struct protocol_account *account, const char *seat)
{
    table.account = account;
    expect_ok(table_send(&table, session, "join", seat));
    table.account = NULL;
}

static json_t *summary(void)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 4096);
    writer_init(&writer, &buffer);
    room_write_summary(table.room, ROOM_NO_SEAT, &writer);
    json_t *value = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    buffer_release(&buffer);
    ck_assert_ptr_nonnull(value);
    return value;
}

START_TEST(test_a_handle_is_shown_with_its_seat)
{
    sit(ANA, &ana, "\"seat\":0");
    sit(BO, NULL, "\"seat\":1");
    ck_assert_str_eq(table_look_string(&table, "seats.0.handle"), "Ana-Banana");
    ck_assert_ptr_null(table_look(&table, "seats.1.handle"));
    json_t *line = summary();
    const json_t *seats = json_object_get(line, "seats");
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(seats, "0"), "handle")),
                     "Ana-Banana");
    ck_assert_ptr_null(json_object_get(json_object_get(seats, "1"), "handle"));
    json_decref(line);
}
END_TEST

START_TEST(test_it_is_in_the_log)
{
    struct room_event event;
    sit(ANA, &ana, "\"seat\":0");
    room_event_at(table.room, 2, &event);
    ck_assert_mem_eq(event.text, "red human:Ana-Banana ", 21);
    sit(BO, &robot, "\"seat\":1");
    room_event_at(table.room, 3, &event);
    ck_assert_mem_eq(event.text, "white agent:robo-bot ", 21);
    table_check_replay(&table);
    struct room *again = table_regrow(&table);
    ck_assert_int_eq(room_seat_account(again, 1)->kind, ACCOUNT_BOT);
    ck_assert_str_eq(room_seat_account(again, 1)->handle, "robo-bot");
    room_destroy(again);
}
END_TEST

START_TEST(test_it_goes_with_who_stands_up_and_moves_with_who_changes_places)
{
    sit(ANA, &ana, "\"seat\":0");
    expect_ok(table_send(&table, ANA, "sit", "\"seat\":1"));
    ck_assert_str_eq(table_look_string(&table, "seats.1.handle"), "Ana-Banana");
    ck_assert_ptr_null(table_look(&table, "seats.0"));
    expect_ok(table_send(&table, ANA, "leave", ""));
    sit(BO, NULL, "\"seat\":1");
    ck_assert_ptr_null(table_look(&table, "seats.1.handle"));
    ck_assert_str_eq(room_seat_account(table.room, 1)->handle, "");
}
END_TEST

START_TEST(test_a_handle_claimed_since_is_shown_from_the_next_place_on)
{
    sit(ANA, NULL, "\"seat\":0");
    table.account = &ana;
    expect_ok(table_send(&table, ANA, "sit", "\"colour\":\"brown\""));
    table.account = NULL;
    ck_assert_str_eq(table_look_string(&table, "seats.0.handle"), "Ana-Banana");
    table_check_replay(&table);
}
END_TEST

START_TEST(test_results_and_rematches_know_it)
{
    struct room_result result;
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    sit(ANA, &ana, "\"seat\":0");
    sit(BO, NULL, "\"seat\":1");
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    expect_ok(table_send(&table, BO, "resign", ""));
    ck_assert(room_result(table.room, &result));
    ck_assert_int_eq(result.seat[0].account.kind, ACCOUNT_PERSON);
    ck_assert_str_eq(result.seat[0].account.handle, "Ana-Banana");
    ck_assert_int_eq(result.seat[1].account.kind, ACCOUNT_NONE);
    const struct room_seed seed = {.id = "zzzzzzzz", .host = ANA};
    struct room *again = room_create_rematch(table.room, &seed, table.now_ms, &table.refusal);
    for (unsigned i = 0;
         room_decide_rematch_seat(again, table.room, i, table.now_ms, &event, scratch); i++)
        ck_assert_int_eq(room_apply(again, &event, NULL), 0);
    ck_assert_str_eq(room_seat_account(again, 1)->handle, "Ana-Banana");
    ck_assert_str_eq(room_seat_account(again, 0)->handle, "");
    room_destroy(again);
}
END_TEST

/* What a log may say of it, and what no program has written. */
static const struct {
    const char *text;
    enum protocol_account_kind kind;
    bool fits;
} texts[] = {
    {"red human Ana", ACCOUNT_NONE, true},
    {"red human:ana Ana", ACCOUNT_PERSON, true},
    {"red agent:ana-bot Ana", ACCOUNT_BOT, true},
    {"red human:abcdefghijklmnopqrst Ana", ACCOUNT_PERSON, true},
    {"red human: Ana", ACCOUNT_NONE, false},
    {"red human:an Ana", ACCOUNT_NONE, false},
    {"red human:abcdefghijklmnopqrstu Ana", ACCOUNT_NONE, false},
    {"red human:an<a Ana", ACCOUNT_NONE, false},
    {"red human:ana", ACCOUNT_NONE, false},
    {"red agent Ana", ACCOUNT_NONE, false},
    {"red agents:ana Ana", ACCOUNT_NONE, false},
    {"red huma:ana Ana", ACCOUNT_NONE, false},
    {"red robot:ana Ana", ACCOUNT_NONE, false},
};

START_TEST(test_texts)
{
    struct room_event event;
    room_begin_event(table.room, table.now_ms, ROOM_SAT, 0, &event);
    event.origin.session = ANA;
    event.text = texts[_i].text;
    event.text_len = (uint16_t)strlen(texts[_i].text);
    struct room *room = table_regrow(&table);
    const int result = room_restore_event(room, &event);
    ck_assert_msg(result == (texts[_i].fits ? 0 : -2), "%s: %d", texts[_i].text, result);
    if (result == 0)
        ck_assert_int_eq(room_seat_account(room, 0)->kind, texts[_i].kind);
    room_destroy(room);
}
END_TEST

Suite *account_suite(void)
{
    Suite *suite = suite_create("account");
    TCase *tests = tcase_create("seats");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, test_a_handle_is_shown_with_its_seat);
    tcase_add_test(tests, test_it_is_in_the_log);
    tcase_add_test(tests, test_it_goes_with_who_stands_up_and_moves_with_who_changes_places);
    tcase_add_test(tests, test_a_handle_claimed_since_is_shown_from_the_next_place_on);
    tcase_add_test(tests, test_results_and_rematches_know_it);
    tcase_add_loop_test(tests, test_texts, 0, sizeof texts / sizeof *texts);
    suite_add_tcase(suite, tests);
    return suite;
}
