#ifndef BASE_SUITES_H
#define BASE_SUITES_H

#include <check.h>

Suite *library_suite(void);
Suite *new_file_suite(void);
Suite *options_suite(void);
Suite *program_suite(void);
Suite *signals_suite(void);
Suite *table_suite(void);

#endif
