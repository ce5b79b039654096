#include "room_options.h"

#include <cli/game.h>
#include <string.h>

static const char *const clocks[] = {"none", "move", "fischer", "byoyomi", "days", NULL};
static const char *const yes_or_no[] = {"yes", "no", NULL};
static const char *const timeouts[] = {"eliminate", "computer", NULL};

#define AT(field) offsetof(struct room_options, field)
enum { WEEK_S = 7 * 24 * 3600 };

/* clang-format off */
const struct option_row room_option_rows[] = {
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
static json_t *make_clock(const struct room_options *options)
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
    const struct room_options *options = &invocation->room;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (options_given(invocation->parsed, parts[i].option) &&
            !has_word(parts[i].kinds, options->clock))
            return parts[i].option;
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

int room_options_check(const struct invocation *invocation)
{
    const char *idle = idle_clock_option(invocation);
    if (!idle)
        return EXIT_OK;
    return command_complain(invocation, "--%s says something with these clocks alone:%s", idle,
                            kinds_of(idle));
}

json_t *room_options_request(const struct invocation *invocation)
{
    const struct room_options *options = &invocation->room;
    json_t *request = json_pack("{s:s,s:s}", "op", "create", "game", invocation->game->name);
    json_object_set_new(request, "options",
                        invocation->game->create_options(invocation->game_options));
    if (options->clock)
        json_object_set_new(request, "clock", make_clock(options));
    if (options->hints)
        json_object_set_new(request, "hints", json_boolean(strcmp(options->hints, "yes") == 0));
    set_text(request, "title", options->title);
    return request;
}
