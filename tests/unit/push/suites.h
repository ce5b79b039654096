#ifndef PUSH_TEST_SUITES_H
#define PUSH_TEST_SUITES_H

#include <check.h>

Suite *message_suite(void);
Suite *post_suite(void);
Suite *service_suite(void);

#endif
