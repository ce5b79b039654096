/* A match from the first tile to the result. */
#include "suites.h"
#include "table.h"

START_TEST(test_whole_game)
{
    struct table table;
    table_open(&table, "");
    table_start(&table);
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    ck_assert_int_eq(table_look_int(&table, "table.stack"), 47);
    table_play(&table, 1, 1000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_ptr_null(table_look(&table, "table.turn"));
    ck_assert_ptr_null(table_look(&table, "acting"));
    ck_assert_ptr_nonnull(table_look(&table, "result.winners"));
    ck_assert_ptr_nonnull(table_look(&table, "fair.secret"));
    table_check_replay(&table);
    table_close(&table);
}
END_TEST

Suite *match_suite(void)
{
    Suite *suite = suite_create("match");
    TCase *tcase = tcase_create("game");
    tcase_add_test(tcase, test_whole_game);
    suite_add_tcase(suite, tcase);
    return suite;
}
