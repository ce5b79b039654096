#ifndef RATING_SUITES_H
#define RATING_SUITES_H

#include <check.h>

Suite *book_suite(void);

#endif
