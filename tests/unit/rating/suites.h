#ifndef RATING_SUITES_H
#define RATING_SUITES_H

#include <check.h>

Suite *book_suite(void);
Suite *ledger_suite(void);
Suite *refunds_suite(void);
Suite *interval_suite(void);
Suite *systems_suite(void);
Suite *yardstick_suite(void);

#endif
