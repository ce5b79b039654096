/* The end of every program of unit tests. */
#ifndef SUPPORT_RUN_SUITES_H
#define SUPPORT_RUN_SUITES_H

#include <check.h>
#include <stdlib.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define SUPPORT_ADDRESS_SANITIZER
#endif
#elif defined __SANITIZE_ADDRESS__
#define SUPPORT_ADDRESS_SANITIZER
#endif

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
 * The same, but with AddressSanitizer all tests share one process: a fork of its memory, and a
 * search for leaks at the end of each process, take several times as long as the tests. Not for
 * tests that are to die.
 */
static inline int run_suites(SRunner *runner)
{
#ifdef SUPPORT_ADDRESS_SANITIZER
    srunner_set_fork_status(runner, CK_NOFORK);
#endif
    return run_suites_forked(runner);
}

#endif
