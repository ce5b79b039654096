/* The groups of cases of the keeper. */
#ifndef TESTS_UNIT_KEEPER_CASES_H
#define TESTS_UNIT_KEEPER_CASES_H

#include <check.h>

void add_holdings_tests(TCase *tests); /* decisions, without threads */

#endif
