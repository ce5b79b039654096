/* The laws of walk.h over many seeds; walk_many.c has the thousands. */
#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include "walk.h"

START_TEST(test_walks)
{
    struct walk_count count = {0};
    for (uint64_t seed = 1; seed <= 48; seed++)
        walk(seed, 500, &count);
    /* the walks have been somewhere */
    for (unsigned kind = 0; kind < ROOM_EVENT_KINDS; kind++)
        ck_assert_msg(count.kinds[kind] > 0, "no event of kind %u", kind);
    ck_assert_uint_ge(count.over, 5);
    ck_assert_uint_gt(count.refused, 100);
    ck_assert_uint_gt(count.rewound, 5);
    ck_assert_uint_gt(count.draws, 5);
    ck_assert_uint_gt(count.blind_pushes, 1000);
}
END_TEST

START_TEST(test_some_walks)
{
    struct walk_count count = {0};
    for (uint64_t seed = 101; seed <= 104; seed++)
        walk(seed, 500, &count);
    ck_assert_uint_gt(count.refused, 10);
}
END_TEST

Suite *laws_suite(void)
{
    Suite *suite = suite_create("laws");
    TCase *tcase = tcase_create("walks");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_some_walks);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("many walks");
    tcase_set_tags(tcase, LONG_TESTS);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_walks);
    suite_add_tcase(suite, tcase);
    return suite;
}
