#include <cli_totem/game.h>

#include "create.h"
#include "parts.h"
#include "replay_parts.h"
#include "thinker.h"

static const char *const levels[] = {"beginner", "simple", "skilled", "strong", NULL};

static const struct command *const commands[] = {
    &totem_command_legal,
    &totem_command_show,
    NULL,
};

/* Who leads which family is fixed, and so are the colours: nobody chooses one. */
const struct game game_totem = {
    .name = "totem",
    .levels = levels,
    .seats_max = 4,
    .has_secrets = true,
    .rules_version = 1,
    .input_help = "settle wwm/WM/me  choose GT  cast T G1  pass\n"
                  "write T:G1,H:R2  reveal T  starve b/-/m  take e R2\n",
    .commands = commands,
    .view_commands = totem_view_commands,
    .pages = totem_pages,
    .ends = totem_ends,
    .create_rows = totem_create_rows,
    .create_size = sizeof(struct totem_create),
    .create_options = totem_create_options,
    .options_print = totem_options_print,
    .title = totem_title,
    .task = totem_task,
    .prompt = totem_prompt,
    .move_sentence = totem_move_sentence,
    .undone = "takes back what was written",
    .event_sentence = totem_event_sentence,
    .seat_line = totem_seat_line,
    .seat_word = totem_seat_word,
    .colour_style = totem_colour_style,
    .draw_sides = totem_draw_sides,
    .draw_result = totem_draw_result,
    .draw_hand = totem_draw_hand,
    .view_create = totem_view_create,
    .view_destroy = totem_view_destroy,
    .view_reset = totem_view_reset,
    .view_event = totem_view_event,
    .view_pan = totem_view_pan,
    .view_follow = totem_view_follow,
    .view_draw = totem_view_draw,
    .view_draw_all = totem_view_draw_all,
    .chooser = &totem_chooser,
    .move_read = totem_move_read,
    .move_write = totem_move_write,
    .move_offer = totem_move_offer,
    .move_choose = totem_move_choose,
    .move_make = totem_move_make,
    .thinker = &totem_thinker,
    .replay_record = totem_replay_record,
    .replay_object = totem_replay_object,
};
