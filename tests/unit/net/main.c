#include "suites.h"
#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(address_suite());
    srunner_add_suite(runner, rates_suite());
    srunner_add_suite(runner, assets_suite());
    srunner_add_suite(runner, options_suite());
    srunner_add_suite(runner, http_head_suite());
    srunner_add_suite(runner, ws_frame_suite());
    srunner_add_suite(runner, log_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
