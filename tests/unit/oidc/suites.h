#ifndef OIDC_TEST_SUITES_H
#define OIDC_TEST_SUITES_H

#include <check.h>

Suite *keys_suite(void);
Suite *provider_suite(void);
Suite *text_suite(void);
Suite *token_suite(void);

#endif
