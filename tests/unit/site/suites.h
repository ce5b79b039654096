#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *account_suite(void);
Suite *lone_suite(void);
Suite *passkey_suite(void);
Suite *decode_suite(void);
Suite *frame_suite(void);
Suite *facts_suite(void);
Suite *client_suite(void);
Suite *hostile_suite(void);
Suite *site_suite(void);
Suite *trouble_suite(void);
Suite *answers_suite(void);
Suite *figures_suite(void);
Suite *pages_suite(void);
Suite *web_suite(void);
Suite *program_suite(void);
Suite *ready_suite(void);
Suite *operator_suite(void);
Suite *output_suite(void);
Suite *takeover_suite(void);
Suite *divide_suite(void);
Suite *chat_suite(void);
Suite *doors_suite(void);
Suite *adopting_suite(void);
Suite *leaving_suite(void);
Suite *lists_suite(void);
Suite *resume_suite(void);

#endif
