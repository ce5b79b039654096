#ifndef RELAY_SUITES_H
#define RELAY_SUITES_H

#include <check.h>

Suite *relay_lost_suite(void);
Suite *probe_suite(void);

#endif
