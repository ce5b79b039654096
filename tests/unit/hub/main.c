#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include "suites.h"

int main(void)
{
    failing_alloc_init();
    SRunner *runner = srunner_create(parts_suite()); /* the quickest first */
    srunner_add_suite(runner, part_suite());
    srunner_add_suite(runner, row_suite());
    srunner_add_suite(runner, foreign_suite());
    srunner_add_suite(runner, note_suite());
    srunner_add_suite(runner, pacing_suite());
    srunner_add_suite(runner, think_queue_suite());
    srunner_add_suite(runner, think_suite());
    srunner_add_suite(runner, hint_suite());
    srunner_add_suite(runner, analysis_suite());
    srunner_add_suite(runner, account_suite());
    srunner_add_suite(runner, claim_suite());
    srunner_add_suite(runner, handle_suite());
    srunner_add_suite(runner, admin_suite());
    srunner_add_suite(runner, admin_ban_suite());
    srunner_add_suite(runner, session_suite());
    srunner_add_suite(runner, lobby_suite());
    srunner_add_suite(runner, play_suite());
    srunner_add_suite(runner, push_suite());
    srunner_add_suite(runner, http_rows_suite());
    srunner_add_suite(runner, ratings_suite());
    srunner_add_suite(runner, device_suite());
    srunner_add_suite(runner, device_trouble_suite());
    srunner_add_suite(runner, misplaced_suite());
    srunner_add_suite(runner, feature_suite());
    srunner_add_suite(runner, plan_suite());
    srunner_add_suite(runner, letters_suite());
    srunner_add_suite(runner, games_suite());
    srunner_add_suite(runner, commit_suite());
    srunner_add_suite(runner, clocks_suite());
    srunner_add_suite(runner, failing_suite());
    srunner_add_suite(runner, shared_suite());
    srunner_add_suite(runner, resume_suite());
    srunner_add_suite(runner, limits_suite());
    srunner_add_suite(runner, origin_suite());
    srunner_add_suite(runner, crowd_suite());
    srunner_add_suite(runner, probe_suite());
    srunner_add_suite(runner, retention_suite());
    srunner_add_suite(runner, retry_suite());
    srunner_add_suite(runner, shares_suite());
    srunner_add_suite(runner, talk_suite());
    srunner_add_suite(runner, hidden_suite());
    srunner_add_suite(runner, hidden_totem_suite());
    srunner_add_suite(runner, look_back_suite());
    srunner_add_suite(runner, http_suite());
    srunner_add_suite(runner, metrics_suite());
    srunner_add_suite(runner, think_memory_suite());
    srunner_add_suite(runner, foreign_memory_suite());
    srunner_add_suite(runner, memory_suite());
    return run_suites(runner);
}
