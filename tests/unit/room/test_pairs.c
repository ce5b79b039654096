/* The pairs of a record that a game writes. */
#include "suites.h"
#include <games/game.h>
#include <limits.h>
#include <string.h>

static struct game_pairs pairs;

static void begin(void)
{
    memset(&pairs, 0, sizeof pairs);
}

START_TEST(test_text)
{
    char value[] = "open";
    game_pairs_add(&pairs, "room", value);
    game_pairs_add(&pairs, "note", "");
    memset(value, 'x', sizeof value - 1);
    game_pairs_add(&pairs, "by", value);
    ck_assert_uint_eq(pairs.count, 3);
    ck_assert_str_eq(pairs.pairs[0].name, "room");
    ck_assert_str_eq(pairs.pairs[0].value, "open");
    ck_assert_str_eq(pairs.pairs[1].value, "");
    ck_assert_str_eq(pairs.pairs[2].name, "by");
    ck_assert_str_eq(pairs.pairs[2].value, "xxxx");
}
END_TEST

START_TEST(test_numbers)
{
    static const struct {
        unsigned number;
        const char *text;
    } NUMBERS[] = {
        {0, "0"},       {9, "9"},
        {10, "10"},     {40, "40"},
        {99, "99"},     {100, "100"},
        {907, "907"},   {1234567890, "1234567890"},
        {1001, "1001"}, {UINT_MAX, "4294967295"},
    };
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        game_pairs_add_number(&pairs, "n", NUMBERS[i].number);
        ck_assert_uint_eq(pairs.count, i + 1);
        ck_assert_str_eq(pairs.pairs[i].name, "n");
        ck_assert_str_eq(pairs.pairs[i].value, NUMBERS[i].text);
    }
}
END_TEST

/* As many as there is a place for, and as much text. */
START_TEST(test_full)
{
    for (unsigned i = 0; i < RECORD_PAIRS; i++)
        game_pairs_add(&pairs, "n", "v");
    ck_assert_uint_eq(pairs.count, RECORD_PAIRS);
    ck_assert_str_eq(pairs.pairs[RECORD_PAIRS - 1].value, "v");
    begin();
    char longest[sizeof pairs.text];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    game_pairs_add(&pairs, "n", longest);
    ck_assert_str_eq(pairs.pairs[0].value, longest);
}
END_TEST

Suite *pairs_suite(void)
{
    Suite *suite = suite_create("pairs");
    TCase *tests = tcase_create("pairs");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, test_text);
    tcase_add_test(tests, test_numbers);
    tcase_add_test(tests, test_full);
    suite_add_tcase(suite, tests);
    return suite;
}
