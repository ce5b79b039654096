#include "parts.h"
#include "position.h"
#include <cli/command.h>
#include <cli/terminal.h>
#include <string.h>
#include <totem_rules/notation.h>

struct show_options {
    const char *as;
    bool ascii, no_color, small;
};

static const char *const audiences[] = {"server", "watcher", "0", "1", "2", "3", NULL};

static const struct option_row rows[] = {
    {.name = "as",
     .kind = OPTION_WORD,
     .value = "WORD",
     .help = "whose picture it is, a seat's or a watcher's; else that of the server, who sees all",
     .offset = offsetof(struct show_options, as),
     .words = audiences},
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "draw with ASCII characters only",
     .offset = offsetof(struct show_options, ascii)},
    {.name = "no-color",
     .kind = OPTION_FLAG,
     .help = "no colours; so does the environment variable NO_COLOR",
     .offset = offsetof(struct show_options, no_color)},
    {.name = "small",
     .kind = OPTION_FLAG,
     .help = "a line less for each family",
     .offset = offsetof(struct show_options, small)},
    {.name = NULL},
};

static unsigned audience_of(const char *word)
{
    if (!word || strcmp(word, "server") == 0)
        return TOTEM_SERVER;
    return strcmp(word, "watcher") == 0 ? TOTEM_WATCHER : (unsigned)(word[0] - '0');
}

static bool draw_state(const json_t *state, const struct show_options *options,
                       const struct terminal *terminal)
{
    struct game_room room = {.state = state, .seat = -1};
    struct game_view *view = totem_view_create(options->small);
    struct canvas canvas;
    bool done = view && totem_view_draw_all(view, &room, &canvas, terminal->ascii);
    if (done) {
        canvas_print(&canvas, terminal->colours, stdout);
        canvas_release(&canvas);
    }
    totem_view_destroy(view);
    return done;
}

static int run_command(const struct invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct terminal terminal = terminal_look(options->ascii, options->no_color);
    struct totem game;
    int status = totem_line_read(&game, invocation->operand_count, invocation->operands);
    if (status != EXIT_OK)
        return status;
    json_t *state = totem_state_of(&game, audience_of(options->as));
    bool done = state && draw_state(state, options, &terminal);
    json_decref(state);
    return done ? EXIT_OK : EXIT_MEMORY;
}

const struct command totem_command_show = {
    .name = "show",
    .operands = "POSITION",
    .summary = "Draw a position",
    .details = "The village with its four families, as at the table. The position is given as to\n"
               "`taluva totem legal`; `help map` at the table says what the letters mean.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct show_options),
    .run = run_command,
};
