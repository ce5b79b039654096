/* The end of every program of unit tests. */
#ifndef SUPPORT_RUN_SUITES_H
#define SUPPORT_RUN_SUITES_H

#include <check.h>
#include <stdlib.h>

/* Runs all suites of the runner and frees it; returns the exit status. */
static inline int run_suites(SRunner *runner)
{
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
