#include "../../support/run_suites.h"
#include "suites.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (!setlocale(LC_CTYPE, "C.UTF-8")) /* the width of characters depends on it */
        return EXIT_FAILURE;
    if (argc > 1 && strcmp(argv[1], "--as-client") == 0)
        return run_client(argc - 1, argv + 1);
    SRunner *runner = srunner_create(canvas_suite());
    srunner_add_suite(runner, bot_suite());
    srunner_add_suite(runner, replay_suite());
    srunner_add_suite(runner, choose_suite());
    srunner_add_suite(runner, cursor_suite());
    srunner_add_suite(runner, config_suite());
    srunner_add_suite(runner, draw_suite());
    srunner_add_suite(runner, engine_suite());
    srunner_add_suite(runner, analyse_suite());
    srunner_add_suite(runner, hint_suite());
    srunner_add_suite(runner, key_suite());
    srunner_add_suite(runner, game_suite());
    srunner_add_suite(runner, ended_suite());
    srunner_add_suite(runner, local_suite());
    srunner_add_suite(runner, map_suite());
    srunner_add_suite(runner, options_suite());
    srunner_add_suite(runner, mind_suite());
    srunner_add_suite(runner, pages_suite());
    srunner_add_suite(runner, panel_suite());
    srunner_add_suite(runner, pass_suite());
    srunner_add_suite(runner, plain_suite());
    srunner_add_suite(runner, program_suite());
    srunner_add_suite(runner, reach_suite());
    srunner_add_suite(runner, record_suite());
    srunner_add_suite(runner, socket_suite());
    srunner_add_suite(runner, profile_suite());
    srunner_add_suite(runner, table_suite());
    srunner_add_suite(runner, terminal_suite());
    srunner_add_suite(runner, lines_suite());
    srunner_add_suite(runner, told_suite());
    srunner_add_suite(runner, totem_suite());
    srunner_add_suite(runner, totem_form_suite());
    srunner_add_suite(runner, totem_input_suite());
    srunner_add_suite(runner, totem_record_suite());
    srunner_add_suite(runner, totem_replay_suite());
    srunner_add_suite(runner, move_input_suite());
    srunner_add_suite(runner, url_suite());
    srunner_add_suite(runner, trust_suite());
    srunner_add_suite(runner, verify_suite());
    srunner_add_suite(runner, viewer_suite());
    srunner_add_suite(runner, wire_suite());
    srunner_add_suite(runner, wire_back_suite());
    srunner_add_suite(runner, clean_suite());
    srunner_add_suite(runner, people_suite());
    srunner_add_suite(runner, report_suite());
    return run_suites(runner);
}
