#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(matching_suite());
    srunner_add_suite(runner, arena_suite());
    srunner_add_suite(runner, cup_suite());
    srunner_add_suite(runner, dutch_suite());
    srunner_add_suite(runner, tables_suite());
    srunner_add_suite(runner, trf_suite());
    return run_suites(runner);
}
