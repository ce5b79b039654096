#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(table_suite());
    srunner_add_suite(runner, library_suite());
    srunner_add_suite(runner, new_file_suite());
    srunner_add_suite(runner, options_suite());
    srunner_add_suite(runner, program_suite());
    srunner_add_suite(runner, signals_suite());
    return run_suites(runner);
}
