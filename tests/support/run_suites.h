/* The end of every program of unit tests. */
#ifndef SUPPORT_RUN_SUITES_H
#define SUPPORT_RUN_SUITES_H

#include <check.h>
#include <stdlib.h>

/* Runs all that the runner holds and frees it; the status to exit with. */
static inline int run_suites(SRunner *runner)
{
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
