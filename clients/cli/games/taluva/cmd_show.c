#include "map_draw.h"
#include "parts.h"
#include "position.h"
#include <cli/command.h>
#include <cli/terminal.h>

struct show_options {
    bool ascii, no_color, small, coordinates;
};

static const struct option_row rows[] = {
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
     .help = "draw small hexes",
     .offset = offsetof(struct show_options, small)},
    {.name = "coordinates",
     .kind = OPTION_FLAG,
     .help = "write its coordinates on every hex that is free",
     .offset = offsetof(struct show_options, coordinates)},
    {.name = NULL},
};

static bool draw_map(const struct map *map, const struct show_options *options,
                     const struct terminal *terminal)
{
    struct map_window window = {.small = options->small, .coordinates = options->coordinates};
    struct canvas canvas;
    int columns, lines;
    map_extent(map, options->small, &columns, &lines);
    if (!canvas_init(&canvas, columns, lines, terminal->ascii))
        return false;
    map_window_follow(&window, map, columns, lines, (struct map_at){0, 0});
    map_draw(&canvas, map, &window);
    canvas_print(&canvas, terminal->colours, stdout);
    canvas_release(&canvas);
    return true;
}

static int run_command(const struct invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct terminal terminal = terminal_look(options->ascii, options->no_color);
    struct taluva game;
    struct map map;
    int status = position_read(&game, invocation->operand_count, invocation->operands);
    if (status != EXIT_OK)
        return status;
    if (!position_map(&map, &game))
        return EXIT_MEMORY;
    bool done = draw_map(&map, options, &terminal);
    map_release(&map);
    return done ? EXIT_OK : EXIT_MEMORY;
}

const struct command taluva_command_show = {
    .name = "show",
    .operands = "POSITION",
    .summary = "Draw a position",
    .details = "The whole island, however large; `less -RS` pages it. The position is given as to\n"
               "`taluva legal`.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct show_options),
    .run = run_command,
};
