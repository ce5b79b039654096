#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(make_suite());
    srunner_add_suite(runner, evening_suite());
    srunner_add_suite(runner, site_suite());
    return run_suites(runner);
}
