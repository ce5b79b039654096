#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *evening_suite(void);
Suite *make_suite(void);
Suite *site_suite(void);

#endif
