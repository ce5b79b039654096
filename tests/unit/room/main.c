#include "../../support/run_suites.h"
#include "suites.h"
#include <sodium.h>
#include <stdlib.h>

int main(void)
{
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    /* The quickest first. */
    SRunner *runner = srunner_create(lobby_suite());
    srunner_add_suite(runner, budget_suite());
    srunner_add_suite(runner, hold_suite());
    srunner_add_suite(runner, pairs_suite());
    srunner_add_suite(runner, erased_suite());
    srunner_add_suite(runner, hand_suite());
    srunner_add_suite(runner, choose_suite());
    srunner_add_suite(runner, taluva_analysis_suite());
    srunner_add_suite(runner, taluva_think_suite());
    srunner_add_suite(runner, think_suite());
    srunner_add_suite(runner, unseen_suite());
    srunner_add_suite(runner, taluva_view_suite());
    srunner_add_suite(runner, totem_computer_suite());
    srunner_add_suite(runner, totem_options_suite());
    srunner_add_suite(runner, totem_table_suite());
    srunner_add_suite(runner, match_suite());
    srunner_add_suite(runner, record_suite());
    srunner_add_suite(runner, account_suite());
    srunner_add_suite(runner, result_suite());
    srunner_add_suite(runner, clock_suite());
    srunner_add_suite(runner, log_suite());
    srunner_add_suite(runner, format_suite());
    srunner_add_suite(runner, hidden_suite());
    srunner_add_suite(runner, analysis_suite());
    srunner_add_suite(runner, hint_suite());
    srunner_add_suite(runner, memory_suite());
    srunner_add_suite(runner, taluva_suite());
    srunner_add_suite(runner, totem_suite());
    srunner_add_suite(runner, draft_suite());
    srunner_add_suite(runner, laws_suite());
    return run_suites(runner);
}
