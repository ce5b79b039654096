#include "cases.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

START_TEST(test_every_case_is_met)
{
    struct cases_report report = {0};
    cases_run(CASES, &report);
    (void)printf("%u files, %u cases, %u expectations\n", report.files, report.cases,
                 report.expectations);
    ck_assert_uint_gt(report.files, 0);
}
END_TEST

/* What no notation can write down. */
static void refuse_the_unwritable(struct cases_report *report)
{
    const struct taluva_options options = {.seats = 2, .tiles = 48};
    const struct taluva_placement placements[] = {
        {{0, 0}, 0, TALUVA_TILES}, {{0, 0}, 6, 0}, {{0, 0}, 255, 0}, {{0, 0}, 3, TALUVA_TILE_2VV}};
    const struct taluva_build builds[] = {{{0, 0}, TALUVA_VERBS, 0},
                                          {{0, 0}, TALUVA_BUILD_EXPAND, TALUVA_VOLCANO},
                                          {{0, 0}, TALUVA_BUILD_EXPAND, 255}};
    struct taluva game;
    ck_assert_int_eq(taluva_init(&game, &options), TALUVA_OK);
    for (size_t i = 0; i < sizeof placements / sizeof placements[0]; i++) {
        report->seen[taluva_check_fit(&game, &placements[i], NULL)] = true;
        ck_assert_int_ne(taluva_place(&game, 0, &placements[i], true, NULL), TALUVA_OK);
    }
    ck_assert_int_eq(taluva_draw(&game, 0, 0, NULL), TALUVA_OK);
    ck_assert_int_eq(taluva_place(&game, 0, &(struct taluva_placement){{0, 0}, 0, 0}, false, NULL),
                     TALUVA_OK);
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++)
        report->seen[taluva_build(&game, 0, &builds[i], NULL)] = true;
    for (size_t i = 1; i < sizeof builds / sizeof builds[0]; i++)
        ck_assert_int_eq(taluva_build(&game, 0, &builds[i], NULL), TALUVA_NO_SUCH_TERRAIN);
}

/* Every reason that the rules can give for a move; the options' have a test of their own. */
START_TEST(test_every_refusal_has_a_case)
{
    struct cases_report report = {0};
    cases_run(CASES, &report);
    refuse_the_unwritable(&report);
    for (unsigned status = TALUVA_GAME_OVER; status < TALUVA_STATUSES; status++)
        ck_assert_msg(report.seen[status], "no case is refused with %s",
                      taluva_status_code((enum taluva_status)status));
}
END_TEST

Suite *cases_suite(void)
{
    Suite *suite = suite_create("cases");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, test_every_case_is_met);
    tcase_add_test(tests, test_every_refusal_has_a_case);
    suite_add_tcase(suite, tests);
    return suite;
}
