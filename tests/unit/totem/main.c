#include "suites.h"
#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(cases_suite());
    srunner_add_suite(runner, notation_suite());
    srunner_add_suite(runner, computer_suite());
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
