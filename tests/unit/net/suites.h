#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *acceptor_suite(void);
Suite *address_suite(void);
Suite *rates_suite(void);
Suite *assets_suite(void);
Suite *enter_suite(void);
Suite *options_suite(void);
Suite *http_head_suite(void);
Suite *listen_address_suite(void);
Suite *log_suite(void);
Suite *create_suite(void);
Suite *web_folder_suite(void);
Suite *ws_frame_suite(void);

#endif
