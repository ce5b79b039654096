#include "../../support/failing_alloc.h"
#include "suites.h"
#include <stdlib.h>

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(table_suite());
    srunner_add_suite(runner, options_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
