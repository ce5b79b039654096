#include "cases.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>
#include <totem_rules/notation.h>

START_TEST(test_every_case_is_met)
{
    struct cases_report report = {0};
    cases_run(CASES, &report);
    (void)printf("%u files, %u cases, %u questions\n", report.files, report.cases,
                 report.questions);
    ck_assert_uint_gt(report.questions, 0);
}
END_TEST

/* Every reason that the rules can give for a command. */
START_TEST(test_every_refusal_has_a_case)
{
    struct cases_report report = {0};
    cases_run(CASES, &report);
    for (unsigned status = TOTEM_OK; status <= TOTEM_WRONG_COUNT; status++)
        ck_assert_msg(report.seen[status], "no case is answered with %s",
                      totem_status_code((enum totem_status)status));
}
END_TEST

START_TEST(test_options)
{
    const struct totem_options good = {.players = 4, .rounds = 24};
    struct totem_options options = good;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_OK);
    options.players = 5;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_PLAYERS);
    options.players = 1;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_PLAYERS);
    options.players = 3;
    options.first = 2;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_OK);
    options.first = 3;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_FIRST);
    options = good;
    options.rounds = 0;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_ROUNDS);
    options.rounds = 100;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_ROUNDS);
    options = good;
    options.spells = 3;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_VARIANT);
    options = good;
    options.meals = 3;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_BAD_VARIANT);
}
END_TEST

/* After the end nobody leaves, nor does a seat that there is not. */
START_TEST(test_who_cannot_leave)
{
    static const char over[] = "4/Y/24 17Y over:totem:B t3b0:mWe,-,-/t5b0:WMe,Me,M/t6b0:mWee,e,e/"
                               "t4b0x:-,-,- -/-/-/- -/-/-/-";
    static const char played[] = "4/R/24 1R cast:RBG t1b6:wwm,WM,me/t1b5:wwmW,M,me/"
                                 "t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe T/G,H:G1/I/P:R1 -/-/-/-";
    const struct totem_births births = {0};
    struct totem game;
    size_t offset;
    const char *what;
    ck_assert(totem_position_parse(over, strlen(over), &game, &offset, &what));
    ck_assert_int_eq(totem_forfeit(&game, 0, &births, NULL), TOTEM_OVER);
    ck_assert(totem_position_parse(played, strlen(played), &game, &offset, &what));
    ck_assert_int_eq(totem_forfeit(&game, 4, &births, NULL), TOTEM_NOT_YOURS);
    ck_assert_int_eq(totem_forfeit(&game, 1, &births, NULL), TOTEM_OK);
    ck_assert_int_eq(totem_forfeit(&game, 1, &births, NULL), TOTEM_NOT_YOURS);
}
END_TEST

Suite *cases_suite(void)
{
    Suite *suite = suite_create("cases");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, test_every_case_is_met);
    tcase_add_test(tests, test_every_refusal_has_a_case);
    tcase_add_test(tests, test_options);
    tcase_add_test(tests, test_who_cannot_leave);
    suite_add_tcase(suite, tests);
    return suite;
}
