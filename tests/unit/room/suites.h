/* The test suites of rooms, one a file. */
#ifndef TEST_ROOM_SUITES_H
#define TEST_ROOM_SUITES_H

#include <check.h>

Suite *account_suite(void);
Suite *analysis_suite(void);
Suite *choose_suite(void);
Suite *clock_suite(void);
Suite *draft_suite(void);
Suite *erased_suite(void);
Suite *format_suite(void);
Suite *hand_suite(void);
Suite *hidden_suite(void);
Suite *hint_suite(void);
Suite *laws_suite(void);
Suite *hold_suite(void);
Suite *budget_suite(void);
Suite *lobby_suite(void);
Suite *log_suite(void);
Suite *match_suite(void);
Suite *memory_suite(void);
Suite *pairs_suite(void);
Suite *record_suite(void);
Suite *result_suite(void);
Suite *taluva_suite(void);
Suite *taluva_analysis_suite(void);
Suite *taluva_think_suite(void);
Suite *taluva_view_suite(void);
Suite *think_suite(void);
Suite *totem_suite(void);
Suite *totem_computer_suite(void);
Suite *totem_options_suite(void);
Suite *totem_table_suite(void);
Suite *unseen_suite(void);

#endif
