#include "play.h"
#include "room_options.h"
#include <cli/game.h>
#include <cli/glyph.h>
#include <stdlib.h>
#include <string.h>

struct create_options {
    int64_t bots;
    const char *level;
    bool invite, no_join, ready;
};

_Static_assert(sizeof(struct create_options) <= COMMAND_OPTIONS_MAX, "see command.h");

#define AT(field) offsetof(struct create_options, field)

/* clang-format off */
static const struct option_row rows[] = {
    {"invite", 'i', OPTION_FLAG, NULL, "not in the list; players need the code to enter", AT(invite), 0, 0, 0, NULL},
    {"bots", 'b', OPTION_NUMBER, "N", "seats for the server's computer player", AT(bots), 0, 4, 0, NULL},
    {"level", 0, OPTION_TEXT, "LEVEL", "how well these play: a level of the game by its word, or its number from 1", AT(level), 0, 0, 0, NULL},
    {"ready", 0, OPTION_FLAG, NULL, "be ready at once", AT(ready), 0, 0, 0, NULL},
    {"no-join", 0, OPTION_FLAG, NULL, "only make the room: print it and its code, and end; --patience is 10 then", AT(no_join), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

static int complain_of_level(const struct game *game, const char *text)
{
    fputs("taluva create: there is no level '", stderr);
    glyph_print_text(text, stderr);
    fprintf(stderr, "' of %s; its levels are:", game->name);
    for (const char *const *level = game->levels; *level; level++)
        fprintf(stderr, " %s", *level);
    fputc('\n', stderr);
    return EXIT_USAGE;
}

/* ---- options that say nothing without another one, or beside it */

static const char *idle_without_join(const struct invocation *invocation)
{
    static const char *const names[] = {"seat", "colour", "ready", "ascii", "no-color", "small"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (options_given(invocation->parsed, names[i]))
            return names[i];
    }
    return NULL;
}

/* EXIT_OK, or the complaint about one that would be ignored. */
static int check_idle(const struct invocation *invocation)
{
    const struct create_options *options = invocation->options;
    const char *idle = options->no_join ? idle_without_join(invocation) : NULL;
    if (idle)
        return command_complain(invocation, "--%s says nothing with --no-join", idle);
    if (options->level && options->bots == 0)
        return command_complain(invocation, "--level says nothing without --bots");
    return EXIT_OK;
}

static int run_command(const struct invocation *invocation)
{
    const struct create_options *options = invocation->options;
    if (room_options_check(invocation) != EXIT_OK || check_idle(invocation) != EXIT_OK)
        return EXIT_USAGE;
    struct play_plan plan = {
        .create = room_options_request(invocation),
        .leave_at_once = options->no_join,
        .seat = (int)invocation->where.seat,
        .colour = invocation->where.colour,
        .ready = options->ready,
        .bots = (int)options->bots,
        .level = options->level ? (int)game_level_of(invocation->game, options->level) : 0,
    };
    if (options->level && plan.level == 0) {
        json_decref(plan.create);
        return complain_of_level(invocation->game, options->level);
    }
    if (options->invite)
        json_object_set_new(plan.create, "access", json_string("code"));
    struct invocation asking = *invocation;
    if (options->no_join && !options_given(invocation->parsed, "patience"))
        asking.online.patience_s = COMMAND_PATIENCE_S;
    return play_run(&asking, &plan);
}

const struct command command_create = {
    .name = "create",
    .operands = "",
    .summary = "Make a room, and play there",
    .details =
        "Makes a room, takes a seat in it and waits for the others, who find it with `taluva "
        "rooms`\n"
        "or by its name. Options that are not given have the defaults of the edition and the "
        "server.\n\n"
        "`taluva create --players 4 --teams --title Friday` is a room for two teams.",
    .online = true,
    .draws = true,
    .takes_seat = true,
    .creates = true,
    .rows = rows,
    .options_size = sizeof(struct create_options),
    .run = run_command,
};
