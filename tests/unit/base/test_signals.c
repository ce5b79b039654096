/* Whom signals reach: a thread that blocks them is alone in that. */
#include "suites.h"
#include <base/signals.h>
#include <pthread.h>
#include <signal.h>

static void *look(void *set)
{
    signals_block();
    pthread_sigmask(SIG_BLOCK, NULL, set);
    return NULL;
}

START_TEST(a_thread_hears_none_that_end_or_reload)
{
    sigset_t its, ours;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, look, &its), 0);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &ours);
    static const int blocked[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t at = 0; at < sizeof blocked / sizeof blocked[0]; at++) {
        ck_assert(sigismember(&its, blocked[at]) == 1);
        ck_assert(sigismember(&ours, blocked[at]) == 0);
    }
    ck_assert(sigismember(&its, SIGSEGV) == 0);
}
END_TEST

Suite *signals_suite(void)
{
    Suite *suite = suite_create("signals");
    TCase *tests = tcase_create("signals");
    tcase_add_test(tests, a_thread_hears_none_that_end_or_reload);
    suite_add_tcase(suite, tests);
    return suite;
}
