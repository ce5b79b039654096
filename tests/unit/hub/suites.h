#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *account_suite(void);
Suite *archive_suite(void);
Suite *admin_suite(void);
Suite *admin_ban_suite(void);
Suite *admin_letters_suite(void);
Suite *analysis_suite(void);
Suite *give_way_suite(void);
Suite *chat_suite(void);
Suite *chat_edges_suite(void);
Suite *chat_report_suite(void);
Suite *chat_rooms_suite(void);
Suite *kept_talk_suite(void);
Suite *operator_account_suite(void);
Suite *claim_suite(void);
Suite *adopt_suite(void);
Suite *closing_suite(void);
Suite *handle_suite(void);
Suite *own_rows_suite(void);
Suite *told_apart_suite(void);
Suite *pacing_suite(void);
Suite *part_suite(void);
Suite *export_suite(void);
Suite *external_suite(void);
Suite *invite_suite(void);
Suite *passkey_suite(void);
Suite *card_suite(void);
Suite *privacy_suite(void);
Suite *profile_suite(void);
Suite *quiet_suite(void);
Suite *last_moments_suite(void);
Suite *row_suite(void);
Suite *documents_suite(void);
Suite *foreign_suite(void);
Suite *note_suite(void);
Suite *foreign_memory_suite(void);
Suite *parts_suite(void);
Suite *session_suite(void);
Suite *session_ends_suite(void);
Suite *jumps_suite(void);
Suite *erased_suite(void);
Suite *lobby_suite(void);
Suite *play_suite(void);
Suite *push_suite(void);
Suite *http_rows_suite(void);
Suite *annul_suite(void);
Suite *ratings_suite(void);
Suite *rebuild_suite(void);
Suite *friends_suite(void);
Suite *whereabouts_suite(void);
Suite *others_suite(void);
Suite *appeal_suite(void);
Suite *moderator_suite(void);
Suite *report_suite(void);
Suite *pool_suite(void);
Suite *conduct_suite(void);
Suite *gave_up_suite(void);
Suite *offer_suite(void);
Suite *teams_suite(void);
Suite *levels_suite(void);
Suite *playing_suite(void);
Suite *challenge_suite(void);
Suite *choice_suite(void);
Suite *meetings_suite(void);
Suite *seek_suite(void);
Suite *served_suite(void);
Suite *device_suite(void);
Suite *device_trouble_suite(void);
Suite *misplaced_suite(void);
Suite *feature_suite(void);
Suite *plan_suite(void);
Suite *letter_bound_suite(void);
Suite *letters_suite(void);
Suite *games_suite(void);
Suite *commit_suite(void);
Suite *clocks_suite(void);
Suite *failing_suite(void);
Suite *shared_suite(void);
Suite *limits_suite(void);
Suite *origin_suite(void);
Suite *fair_queue_suite(void);
Suite *crowd_suite(void);
Suite *probe_suite(void);
Suite *retention_suite(void);
Suite *retry_suite(void);
Suite *room_places_suite(void);
Suite *shares_suite(void);
Suite *program_account_suite(void);
Suite *token_suite(void);
Suite *turns_suite(void);
Suite *resume_suite(void);
Suite *hidden_suite(void);
Suite *hidden_totem_suite(void);
Suite *hint_suite(void);
Suite *look_back_suite(void);
Suite *http_suite(void);
Suite *talk_suite(void);
Suite *think_suite(void);
Suite *think_memory_suite(void);
Suite *think_queue_suite(void);
Suite *metrics_suite(void);
Suite *memory_suite(void);

/*
 * For tests that look at what is different for clients of another node (support/far_hub.c), where
 * this is left out: what they have not read waits there, not in the hub; their requests behind a
 * hello wait for its answer; and a move takes more memory on its way.
 */
static inline TCase *near_case(Suite *suite, void (*setup)(void), void (*teardown)(void))
{
    TCase *tests = tcase_create("near");
    tcase_set_tags(tests, "near");
    tcase_add_checked_fixture(tests, setup, teardown);
    suite_add_tcase(suite, tests);
    return tests;
}

/*
 * For tests that change what the model of a store holds, or make memory fail thousands of times:
 * they are left out where a database is below the hub (support/database_below.c).
 */
#define MODEL_TESTS "model"

static inline TCase *model_case(Suite *suite, void (*setup)(void), void (*teardown)(void))
{
    TCase *tests = tcase_create("model");
    tcase_set_tags(tests, MODEL_TESTS);
    tcase_add_checked_fixture(tests, setup, teardown);
    suite_add_tcase(suite, tests);
    return tests;
}

#endif
