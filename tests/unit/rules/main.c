#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(box_suite());
    srunner_add_suite(runner, notation_suite());
    srunner_add_suite(runner, cases_suite());
    return run_suites(runner);
}
