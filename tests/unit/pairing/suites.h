#ifndef PAIRING_SUITES_H
#define PAIRING_SUITES_H

#include <check.h>

Suite *matching_suite(void);

#endif
