#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(answers_suite());
    srunner_add_suite(runner, board_suite());
    srunner_add_suite(runner, analysis_suite());
    srunner_add_suite(runner, computer_suite());
    srunner_add_suite(runner, explain_suite());
    srunner_add_suite(runner, levels_suite());
    srunner_add_suite(runner, net_suite());
    return run_suites(runner);
}
