/* The test suites of the computer, one a file. */
#ifndef TESTS_COMPUTER_SUITES_H
#define TESTS_COMPUTER_SUITES_H

#include <check.h>

Suite *analysis_suite(void);
Suite *answers_suite(void);
Suite *board_suite(void);
Suite *computer_suite(void);
Suite *explain_suite(void);
Suite *levels_suite(void);
Suite *net_suite(void);

#endif
