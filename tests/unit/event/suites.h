#ifndef EVENT_SUITES_H
#define EVENT_SUITES_H

#include <check.h>

Suite *cup_suite(void);
Suite *entries_suite(void);
Suite *faults_suite(void);
Suite *groups_suite(void);
Suite *partners_suite(void);
Suite *standings_suite(void);
Suite *swiss_suite(void);
Suite *worlds_suite(void);

#endif
