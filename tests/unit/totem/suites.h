#ifndef TOTEM_TESTS_SUITES_H
#define TOTEM_TESTS_SUITES_H

#include <check.h>

Suite *cases_suite(void);
Suite *notation_suite(void);
Suite *computer_suite(void);

#endif
