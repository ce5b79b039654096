/* The test suites of the protocol library, one a file. */
#ifndef TESTS_PROTOCOL_SUITES_H
#define TESTS_PROTOCOL_SUITES_H

#include "../../support/source_file.h"
#include <check.h>

Suite *account_suite(void);
Suite *deal_suite(void);
Suite *digest_suite(void);
Suite *encoding_suite(void);
Suite *errors_suite(void);
Suite *examples_suite(void);
Suite *json_read_suite(void);
Suite *keys_suite(void);
Suite *merge_patch_suite(void);
Suite *name_patterns_suite(void);
Suite *record_suite(void);
Suite *request_suite(void);
Suite *request_shape_suite(void);
Suite *scope_suite(void);
Suite *signature_suite(void);
Suite *text_suite(void);
Suite *writer_suite(void);
Suite *writer_asserts_suite(void);

/* Reads a whole file of the source tree ("protocol/errors.json"); free() it. Aborts if it cannot.
 */

#endif
