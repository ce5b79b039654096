#include "play.h"
#include <cli/game.h>
#include <cli/glyph.h>
#include <stdlib.h>
#include <string.h>

struct create_options {
    int64_t bots;
    int64_t move_s, bank_s, increment_s, periods, period_s, days;
    const char *game, *clock, *on_timeout, *hints, *title, *level;
    bool invite, no_join, ready;
};

_Static_assert(sizeof(struct create_options) <= COMMAND_OPTIONS_MAX, "see command.h");

static const char *const clocks[] = {"none", "move", "fischer", "byoyomi", "days", NULL};
static const char *const yes_or_no[] = {"yes", "no", NULL};
static const char *const timeouts[] = {"eliminate", "computer", NULL};

#define AT(field) offsetof(struct create_options, field)
enum { WEEK_S = 7 * 24 * 3600 };

/* clang-format off */
static const struct option_row rows[] = {
    {COMMAND_GAME_OPTION, 0, OPTION_TEXT, "NAME", "which game to play, if the program knows several", AT(game), 0, 0, 0, NULL},
    {"clock", 0, OPTION_WORD, "WORD", "how time is measured", AT(clock), 0, 0, 0, clocks},
    {"move", 0, OPTION_NUMBER, "SECONDS", "move: for each turn (60)", AT(move_s), 1, WEEK_S, 60, NULL},
    {"bank", 0, OPTION_NUMBER, "SECONDS", "fischer, byoyomi: for the whole match (600)", AT(bank_s), 0, WEEK_S, 600, NULL},
    {"increment", 0, OPTION_NUMBER, "SECONDS", "fischer: more after each turn (10)", AT(increment_s), 0, WEEK_S, 10, NULL},
    {"periods", 0, OPTION_NUMBER, "N", "byoyomi: after the bank (3)", AT(periods), 1, 99, 3, NULL},
    {"period", 0, OPTION_NUMBER, "SECONDS", "byoyomi: of each (30)", AT(period_s), 1, WEEK_S, 30, NULL},
    {"days", 0, OPTION_NUMBER, "N", "days: for each turn (3)", AT(days), 1, 30, 3, NULL},
    {"on-timeout", 0, OPTION_WORD, "WORD", "what happens to a player whose time is up", AT(on_timeout), 0, 0, 0, timeouts},
    {"hints", 0, OPTION_WORD, "WORD", "may players ask for the best turns? (yes, but no with a clock)", AT(hints), 0, 0, 0, yes_or_no},
    {"title", 't', OPTION_NAME, "TEXT", "a line for the list of rooms, of up to 40 characters", AT(title), 0, 0, 0, NULL},
    {"invite", 'i', OPTION_FLAG, NULL, "not in the list; players need the code to enter", AT(invite), 0, 0, 0, NULL},
    {"bots", 'b', OPTION_NUMBER, "N", "seats for the server's computer player", AT(bots), 0, 4, 0, NULL},
    {"level", 0, OPTION_TEXT, "LEVEL", "how well these play: a level of the game by its word, or its number from 1", AT(level), 0, 0, 0, NULL},
    {"ready", 0, OPTION_FLAG, NULL, "be ready at once", AT(ready), 0, 0, 0, NULL},
    {"no-join", 0, OPTION_FLAG, NULL, "only make the room: print it and its code, and end", AT(no_join), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

static void set_text(json_t *object, const char *key, const char *value)
{
    if (value)
        json_object_set_new(object, key, json_string(value));
}

static void set_number(json_t *object, const char *key, int64_t value)
{
    json_object_set_new(object, key, json_integer(value));
}

/* Each kind has its own members, all of them and no others. */
static json_t *make_clock(const struct create_options *options)
{
    const char *kind = options->clock;
    json_t *clock = json_pack("{s:s}", "kind", kind);
    if (strcmp(kind, "move") == 0)
        set_number(clock, "move_s", options->move_s);
    if (strcmp(kind, "fischer") == 0 || strcmp(kind, "byoyomi") == 0)
        set_number(clock, "bank_s", options->bank_s);
    if (strcmp(kind, "fischer") == 0)
        set_number(clock, "increment_s", options->increment_s);
    if (strcmp(kind, "byoyomi") == 0) {
        set_number(clock, "periods", options->periods);
        set_number(clock, "period_s", options->period_s);
    }
    if (strcmp(kind, "days") == 0)
        set_number(clock, "days", options->days);
    if (strcmp(kind, "none") != 0)
        set_text(clock, "on_timeout", options->on_timeout);
    return clock;
}

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

/* The kinds of clock that an option is about, each behind a blank. */
static const struct {
    const char *option, *kinds;
} parts[] = {
    {"move", " move"},
    {"bank", " fischer byoyomi"},
    {"increment", " fischer"},
    {"periods", " byoyomi"},
    {"period", " byoyomi"},
    {"days", " days"},
    {"on-timeout", " move fischer byoyomi days"},
};

static bool has_word(const char *words, const char *word)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %s", word ? word : "none");
    return strstr(words, wanted) != NULL;
}

/* A clock that is given in part is not the clock that was meant. */
static const char *idle_clock_option(const struct invocation *invocation)
{
    const struct create_options *options = invocation->options;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (options_given(invocation->parsed, parts[i].option) &&
            !has_word(parts[i].kinds, options->clock))
            return parts[i].option;
    }
    return NULL;
}

static const char *idle_without_join(const struct invocation *invocation)
{
    static const char *const names[] = {"seat", "colour", "ready", "ascii", "no-color", "small"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (options_given(invocation->parsed, names[i]))
            return names[i];
    }
    return NULL;
}

static const char *kinds_of(const char *option)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(parts[i].option, option) == 0)
            return parts[i].kinds;
    }
    return "";
}

/* EXIT_OK, or the complaint about one that would be ignored. */
static int check_idle(const struct invocation *invocation)
{
    const struct create_options *options = invocation->options;
    const char *idle = idle_clock_option(invocation);
    if (idle)
        return command_complain(invocation, "--%s says something with these clocks alone:%s", idle,
                                kinds_of(idle));
    idle = options->no_join ? idle_without_join(invocation) : NULL;
    if (idle)
        return command_complain(invocation, "--%s says nothing with --no-join", idle);
    if (options->level && options->bots == 0)
        return command_complain(invocation, "--level says nothing without --bots");
    return EXIT_OK;
}

static int run(const struct invocation *invocation)
{
    const struct create_options *options = invocation->options;
    if (check_idle(invocation) != EXIT_OK)
        return EXIT_USAGE;
    struct play_plan plan = {
        .create = json_pack("{s:s,s:s}", "op", "create", "game", invocation->game->name),
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
    json_object_set_new(plan.create, "options",
                        invocation->game->create_options(invocation->game_options));
    if (options->clock)
        json_object_set_new(plan.create, "clock", make_clock(options));
    if (options->hints)
        json_object_set_new(plan.create, "hints", json_boolean(strcmp(options->hints, "yes") == 0));
    set_text(plan.create, "title", options->title);
    set_text(plan.create, "access", options->invite ? "code" : NULL);
    return play_run(invocation, &plan);
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
    .run = run,
};
