#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(entries_suite());
    srunner_add_suite(runner, faults_suite());
    srunner_add_suite(runner, partners_suite());
    srunner_add_suite(runner, standings_suite());
    srunner_add_suite(runner, cup_suite());
    srunner_add_suite(runner, swiss_suite());
    srunner_add_suite(runner, groups_suite());
    srunner_add_suite(runner, worlds_suite());
    return run_suites(runner);
}
