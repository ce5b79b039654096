/* What each of its people may spend of what a lobby's log can hold. */
#include "budget.h"
#include "suites.h"
#include "table.h"
#include <string.h>

static struct table table;

static void open_two(void)
{
    table_open(&table, "");
}

static void close_table(void)
{
    table_close(&table);
}

/* Is ready and not until that is refused; how often it was not. */
static unsigned spend_ready(uint64_t session)
{
    unsigned granted = 0;
    const char *code;
    for (;;) {
        code = table_send(&table, session, "ready",
                          granted % 2 ? "\"ready\":false" : "\"ready\":true");
        if (strcmp(code, "ok") != 0 || granted++ > 10000)
            break;
    }
    expect_code(code, "too_many_changes");
    return granted;
}

START_TEST(test_log_is_bounded)
{
    expect_ok(table_send(&table, ANA, "join", ""));
    spend_ready(ANA);
    ck_assert_uint_eq(room_seq(table.room), BUDGET_LOBBY_HOST);
    expect_ok(table_send(&table, BO, "join", ""));
    ck_assert_uint_eq(spend_ready(BO), BUDGET_LOBBY_EACH - 1);
    ck_assert_uint_lt(room_bytes(table.room), 48 * 1024);
    expect_ok(table_send(&table, ANA, "leave", "")); /* getting out always works */
}
END_TEST

/* What one of them repeats is not at the cost of the others. */
START_TEST(test_a_lobby_is_not_spent_by_one)
{
    expect_ok(table_send(&table, CHI, "join", ""));
    spend_ready(CHI);
    expect_code(table_send(&table, CHI, "sit", "\"seat\":1"), "too_many_changes");
    expect_ok(table_send(&table, ANA, "unseat", "\"seat\":0"));
    expect_code(table_send(&table, CHI, "join", ""), "too_many_changes");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_ok(table_send(&table, ANA, "unseat", "\"seat\":1"));
    expect_ok(table_send(&table, BO, "join", ""));
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, BO, "start", ""));
}
END_TEST

/* Each new one joins, is ready and not while that is granted, and leaves, until `seq` is reached.
 */
static uint64_t spend_lobby(uint64_t stranger, uint64_t seq)
{
    while (room_seq(table.room) < seq &&
           strcmp(table_send(&table, stranger, "join", ""), "ok") == 0) {
        spend_ready(stranger);
        expect_ok(table_send(&table, stranger++, "leave", ""));
    }
    return stranger;
}

/* Nor by some who come for that: who comes after them joins, is ready, and not, and ready again. */
START_TEST(test_who_comes_late_has_a_place)
{
    expect_ok(table_send(&table, ANA, "join", ""));
    const uint64_t stranger = spend_lobby(FAY + 1, ROOM_LOBBY_OTHERS);
    ck_assert_uint_le(stranger, FAY + 10);
    expect_code(table_send(&table, FAY + 1, "join", ""), "too_many_changes");
    expect_ok(table_send(&table, CHI, "join", ""));
    for (unsigned i = 1; i < BUDGET_LOBBY_LATE; i++)
        expect_ok(table_send(&table, CHI, "ready", i % 2 ? "\"ready\":true" : "\"ready\":false"));
    expect_code(table_send(&table, CHI, "sit", "\"colour\":\"white\""), "too_many_changes");
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
}
END_TEST

/* Nor by many: the host can still begin with whoever sat before. */
START_TEST(test_a_lobby_is_not_spent_by_many)
{
    expect_ok(table_send(&table, BO, "join", ""));
    const uint64_t stranger = spend_lobby(FAY + 1, UINT64_MAX);
    ck_assert_uint_gt(stranger, FAY + 20);
    ck_assert_uint_lt(stranger, FAY + 50);
    ck_assert_uint_lt(room_seq(table.room), ROOM_LOBBY_EVENTS_MAX);
    ck_assert_uint_lt(room_bytes(table.room), 64 * 1024);
    expect_code(table_send(&table, CHI, "join", ""), "too_many_changes");
    expect_ok(table_send(&table, BO, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
}
END_TEST

Suite *budget_suite(void)
{
    Suite *suite = suite_create("budget");
    TCase *tests = tcase_create("budget");
    tcase_add_checked_fixture(tests, open_two, close_table);
    tcase_add_test(tests, test_log_is_bounded);
    tcase_add_test(tests, test_a_lobby_is_not_spent_by_one);
    tcase_add_test(tests, test_who_comes_late_has_a_place);
    tcase_add_test(tests, test_a_lobby_is_not_spent_by_many);
    suite_add_tcase(suite, tests);
    return suite;
}
