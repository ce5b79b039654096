#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"
#include <sodium.h>

int main(void)
{
    failing_alloc_init();
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    SRunner *runner = srunner_create(book_suite());
    srunner_add_suite(runner, ledger_suite());
    srunner_add_suite(runner, refunds_suite());
    srunner_add_suite(runner, interval_suite());
    srunner_add_suite(runner, systems_suite());
    srunner_add_suite(runner, yardstick_suite());
    return run_suites(runner);
}
