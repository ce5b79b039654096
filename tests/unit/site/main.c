#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(account_suite());
    srunner_add_suite(runner, lone_suite());
    srunner_add_suite(runner, passkey_suite());
    srunner_add_suite(runner, decode_suite());
    srunner_add_suite(runner, frame_suite());
    srunner_add_suite(runner, facts_suite());
    srunner_add_suite(runner, client_suite());
    srunner_add_suite(runner, hostile_suite());
    srunner_add_suite(runner, site_suite());
    srunner_add_suite(runner, trouble_suite());
    srunner_add_suite(runner, answers_suite());
    srunner_add_suite(runner, figures_suite());
    srunner_add_suite(runner, pages_suite());
    srunner_add_suite(runner, web_suite());
    srunner_add_suite(runner, program_suite());
    srunner_add_suite(runner, ready_suite());
    srunner_add_suite(runner, operator_suite());
    srunner_add_suite(runner, output_suite());
    srunner_add_suite(runner, takeover_suite());
    srunner_add_suite(runner, divide_suite());
    srunner_add_suite(runner, chat_suite());
    srunner_add_suite(runner, doors_suite());
    srunner_add_suite(runner, adopting_suite());
    srunner_add_suite(runner, leaving_suite());
    srunner_add_suite(runner, lists_suite());
    srunner_add_suite(runner, resume_suite());
    return run_suites(runner);
}
