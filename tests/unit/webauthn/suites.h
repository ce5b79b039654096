#ifndef WEBAUTHN_TEST_SUITES_H
#define WEBAUTHN_TEST_SUITES_H

#include <check.h>

Suite *cbor_suite(void);
Suite *checks_suite(void);
Suite *keys_suite(void);
Suite *vectors_suite(void);

#endif
