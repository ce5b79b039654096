#ifndef PAIRING_SUITES_H
#define PAIRING_SUITES_H

#include <check.h>

Suite *arena_suite(void);
Suite *cup_suite(void);
Suite *dutch_suite(void);
Suite *matching_suite(void);
Suite *tables_suite(void);
Suite *trf_suite(void);

#endif
