/* The end of every program of unit tests. */
#ifndef SUPPORT_RUN_SUITES_H
#define SUPPORT_RUN_SUITES_H

#include <check.h>
#include <stdlib.h>

/* Runs all suites of the runner and frees it; returns the exit status. Each test has a process of
 * its own. */
static inline int run_suites_forked(SRunner *runner)
{
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * The same, but all tests share one process, as a fork for each test takes longer than most tests:
 * in the unit tests of the hub 8 of 20 seconds of a processor, and with AddressSanitizer several
 * times what the tests take. Not for tests that are to die. The variable CK_FORK decides otherwise,
 * say to find out which of them crashes.
 */
static inline int run_suites(SRunner *runner)
{
    if (!getenv("CK_FORK"))
        srunner_set_fork_status(runner, CK_NOFORK);
    return run_suites_forked(runner);
}

#endif
