/*
 * The unit tests of what the clients are made of, a suite for each part.
 */
#ifndef TESTS_UNIT_CLIENTS_SUITES_H
#define TESTS_UNIT_CLIENTS_SUITES_H

#include "../../support/source_file.h"
#include <check.h>
#include <stddef.h>

Suite *analyse_suite(void);
Suite *bot_suite(void);
Suite *canvas_suite(void);
Suite *replay_suite(void);
Suite *choose_suite(void);
Suite *cursor_suite(void);
Suite *config_suite(void);
Suite *draw_suite(void);
Suite *engine_suite(void);
Suite *game_suite(void);
Suite *ended_suite(void);
Suite *hint_suite(void);
Suite *key_suite(void);
Suite *local_suite(void);
Suite *map_suite(void);
Suite *options_suite(void);
Suite *mind_suite(void);
Suite *pages_suite(void);
Suite *panel_suite(void);
Suite *pass_suite(void);
Suite *plain_suite(void);
Suite *program_suite(void);
Suite *reach_suite(void);
Suite *record_suite(void);
Suite *socket_suite(void);
Suite *profile_suite(void);
Suite *table_suite(void);
Suite *terminal_suite(void);
Suite *lines_suite(void);
Suite *told_suite(void);
Suite *totem_suite(void);
Suite *totem_form_suite(void);
Suite *totem_input_suite(void);
Suite *totem_record_suite(void);
Suite *totem_replay_suite(void);
Suite *move_input_suite(void);
Suite *url_suite(void);
Suite *trust_suite(void);
Suite *verify_suite(void);
Suite *viewer_suite(void);
Suite *wire_suite(void);
Suite *wire_back_suite(void);
Suite *clean_suite(void);
Suite *people_suite(void);
Suite *report_suite(void);

/* The whole client with a second game: what this program is when its first argument says so. */
int run_client(int argc, char **argv);

#endif
