#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *pieces_suite(void);

#endif
