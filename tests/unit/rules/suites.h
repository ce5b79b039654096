/* The test suites of the rules, one a file. */
#ifndef TESTS_RULES_SUITES_H
#define TESTS_RULES_SUITES_H

#include <check.h>

Suite *box_suite(void);
Suite *cases_suite(void);
Suite *notation_suite(void);

#endif
