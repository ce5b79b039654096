#ifndef TEST_ROOM_SUITES_H
#define TEST_ROOM_SUITES_H

#include <check.h>

Suite *lobby_suite(void);
Suite *match_suite(void);

#endif
