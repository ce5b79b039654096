#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *ask_suite(void);
Suite *command_line_suite(void);
Suite *table_suite(void);

#endif
