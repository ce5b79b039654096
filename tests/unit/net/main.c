#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(address_suite());
    srunner_add_suite(runner, acceptor_suite());
    srunner_add_suite(runner, rates_suite());
    srunner_add_suite(runner, assets_suite());
    srunner_add_suite(runner, enter_suite());
    srunner_add_suite(runner, options_suite());
    srunner_add_suite(runner, http_head_suite());
    srunner_add_suite(runner, web_folder_suite());
    srunner_add_suite(runner, ws_frame_suite());
    srunner_add_suite(runner, listen_address_suite());
    srunner_add_suite(runner, log_suite());
    srunner_add_suite(runner, create_suite());
    return run_suites(runner);
}
