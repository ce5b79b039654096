/*
 * Many random walks: room-walks FIRST COUNT [STEPS]. Stops at the first seed that fails and says
 * how to walk it alone.
 */
#include "table.h"
#include "walk.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t first, count, seed;
static unsigned steps;

START_TEST(test_all)
{
    struct walk_count counts = {0};
    for (seed = first; seed < first + count; seed++)
        walk(seed, steps, &counts);
    (void)printf("%llu walks, %u matches over, %u moves, %u rewinds, %u refusals\n",
                 (unsigned long long)count, counts.over, counts.kinds[ROOM_MOVE], counts.rewound,
                 counts.refused);
}
END_TEST

int main(int argc, char **argv)
{
    if (sodium_init() < 0 || argc < 3)
        return EXIT_FAILURE;
    first = strtoull(argv[1], NULL, 10);
    count = strtoull(argv[2], NULL, 10);
    steps = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 500;
    Suite *suite = suite_create("walks");
    TCase *tcase = tcase_create("walks");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, test_all);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (failed > 0)
        (void)printf("to see it again: %s %llu 1 %u\n", argv[0], (unsigned long long)seed, steps);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
