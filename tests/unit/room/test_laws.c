/* The laws of walk.h over many seeds; test_laws_long.c has the thousands. */
#include "suites.h"
#include "table.h"
#include "walk.h"

#include <stdio.h>

START_TEST(test_walks)
{
    struct walk_count count = {0};
    for (uint64_t seed = 1; seed <= 20; seed++)
        walk(seed, 400, &count);
    for (unsigned i = 0; i < ROOM_EVENT_KINDS; i++)
        printf("%u ", count.kinds[i]);
    printf(" over %u refused %u rewound %u draws %u\n", count.over, count.refused, count.rewound,
           count.draws);
}
END_TEST

Suite *laws_suite(void)
{
    Suite *suite = suite_create("laws");
    TCase *tcase = tcase_create("walks");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_walks);
    suite_add_tcase(suite, tcase);
    return suite;
}
