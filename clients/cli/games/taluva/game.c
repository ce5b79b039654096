#include <cli_taluva/game.h>

#include "create.h"
#include "map_draw.h"
#include "parts.h"
#include "thinker.h"
#include <computer/levels.h>

static const struct command *const commands[] = {
    &taluva_command_legal,
    &taluva_command_perft,
    &taluva_command_show,
    NULL,
};

const struct game game_taluva = {
    .name = "taluva",
    .colours = taluva_colours,
    .levels = computer_level_words,
    .seats_max = MAP_SEATS,
    .rules_version = 1,
    .input_help = "Place: 2,-1:4   Draw: draw   Take: 2VL 2,-1:4\n"
                  "Build: hut 1,0  tower 1,0  temple 1,0  boat 3,-1\n"
                  "       expand 0,1 L\n",
    .legend = "J jungle  C clearing  S sand  R rock  L lake  V volcano\n"
              "+ here the tile fits  [ ] last tile  * last build  `help map` says more",
    .marks_help = "^ erupts.",
    .commands = commands,
    .pages = taluva_pages,
    .ends = taluva_ends,
    .view_commands = taluva_view_commands,
    .create_rows = taluva_create_rows,
    .create_size = sizeof(struct taluva_create),
    .create_options = taluva_create_options,
    .options_print = taluva_options_print,
    .title = taluva_title,
    .task = taluva_task,
    .prompt = taluva_prompt,
    .move_sentence = taluva_move_sentence,
    .undone = "takes the tile back",
    .seat_line = taluva_seat_line,
    .seat_word = taluva_seat_word,
    .colour_style = player_style,
    .draw_sides = taluva_draw_sides,
    .draw_result = taluva_draw_result,
    .draw_hand = taluva_draw_hand,
    .view_create = taluva_view_create,
    .view_destroy = taluva_view_destroy,
    .view_reset = taluva_view_reset,
    .view_event = taluva_view_event,
    .view_pan = taluva_view_pan,
    .view_follow = taluva_view_follow,
    .view_draw = taluva_view_draw,
    .view_draw_all = taluva_view_draw_all,
    .chooser = &taluva_chooser,
    .move_read = taluva_move_read,
    .move_write = taluva_move_write,
    .move_mark = taluva_move_mark,
    .move_choose = taluva_move_choose,
    .turn_words = taluva_turn_words,
    .thinker = &taluva_thinker,
    .engine = &taluva_engine,
    .replay_record = taluva_replay_record,
    .replay_object = taluva_replay_object,
    .analyse = taluva_analyse,
};
