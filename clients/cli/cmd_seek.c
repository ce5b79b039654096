#include "play.h"
#include <cli/game.h>
#include <string.h>

struct seek_options {
    const char *game, *games, *sizes, *clocks, *with;
    int64_t range; /* points; 0: any */
    bool teams, computers;
};

enum { RANGE_MIN = 150, RANGE_MAX = 4000 };

#define AT(field) offsetof(struct seek_options, field)

/* clang-format off */
static const struct option_row rows[] = {
    {COMMAND_GAME_OPTION, 0, OPTION_TEXT, "NAME", "which game to play, if the program knows several", AT(game), 0, 0, 0, NULL},
    {"games", 0, OPTION_TEXT, "LIST", "several games, whichever is found first, as in taluva,totem", AT(games), 0, 0, 0, NULL},
    {"sizes", 0, OPTION_TEXT, "LIST", "tables of how many players you would take, as in 2,3 or 2-4 (2)", AT(sizes), 0, 0, 0, NULL},
    {"clocks", 0, OPTION_TEXT, "LIST", "clocks that you would take, of normal, fast and calm (normal)", AT(clocks), 0, 0, 0, NULL},
    {"range", 0, OPTION_NUMBER, "POINTS", "nobody who is rated farther away than that, however long you wait", AT(range), RANGE_MIN, RANGE_MAX, 0, NULL},
    {"with", 0, OPTION_TEXT, "HANDLE", "with that one alone, who is told, and accepts by the same", AT(with), 0, 0, 0, NULL},
    {"teams", 0, OPTION_FLAG, NULL, "two against two; --with names the partner", AT(teams), 0, 0, 0, NULL},
    {"computers", 0, OPTION_FLAG, NULL, "after a minute computers may take the seats that are missing at a table of more than two", AT(computers), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

enum { PLAYERS_MIN = 2, PLAYERS_MAX = 9 };

static bool is_size(char digit)
{
    return digit >= '0' + PLAYERS_MIN && digit <= '0' + PLAYERS_MAX;
}

/* "3" or "2-4", as bits; where it ends. NULL: it is neither. */
static const char *read_sizes(const char *at, unsigned *sizes)
{
    char first = *at, last = first;
    if (!is_size(first))
        return NULL;
    at++;
    if (*at == '-') {
        last = at[1];
        at += 2;
    }
    if (!is_size(last) || last < first)
        return NULL;
    for (; first <= last; first++)
        *sizes |= 1U << (first - '0');
    return at;
}

/* As `seek` has them; NULL: it is no such list. */
static json_t *make_sizes(const char *text)
{
    unsigned sizes = 0;
    for (const char *at = text; (at = read_sizes(at, &sizes)); at++) {
        if (*at == ',')
            continue;
        if (*at)
            break;
        json_t *list = json_array();
        for (int size = PLAYERS_MIN; size <= PLAYERS_MAX; size++) {
            if (sizes >> size & 1)
                json_array_append_new(list, json_integer(size));
        }
        return list;
    }
    return NULL;
}

/* Words between commas; which there are the server knows. NULL: one is empty, or there is none. */
static json_t *make_words(const char *text)
{
    json_t *list = text ? json_array() : NULL;
    for (; text; text++) {
        const size_t len = strcspn(text, ",");
        if (len == 0) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, json_stringn(text, len));
        text += len;
        if (!*text)
            return list;
    }
    return NULL;
}

/* What goes into `options`: NULL, or what is wrong with it. */
static const char *make_lists(const struct seek_options *options, json_t *lists)
{
    const char *sizes = options->sizes ? options->sizes : options->teams ? NULL : "2";
    if (sizes && json_object_set_new(lists, "sizes", make_sizes(sizes)) < 0)
        return "--sizes is a list such as 2,3 or 2-4";
    if (options->clocks && json_object_set_new(lists, "clocks", make_words(options->clocks)) < 0)
        return "--clocks is a list such as normal,calm";
    if (options->games && json_object_set_new(lists, "games", make_words(options->games)) < 0)
        return "--games is a list such as taluva,totem";
    if (options->range && json_object_set_new(lists, "range", json_integer(options->range)) < 0)
        return "no memory";
    if (options->range && options->with && !options->teams)
        return "--range is about those who are looked for: not with --with, but with --teams";
    if (options->games && (options->game || options->with))
        return "--games stands alone: without --game and --with";
    return NULL;
}

static int run(const struct invocation *invocation)
{
    const struct seek_options *options = invocation->options;
    json_t *lists = json_object();
    const char *wrong = make_lists(options, lists);
    if (wrong) {
        json_decref(lists);
        return command_complain(invocation, "%s", wrong);
    }
    if (options->teams)
        json_object_set_new(lists, "teams", json_true());
    if (options->computers)
        json_object_set_new(lists, "computers", json_true());
    struct play_plan plan = {.seat = SEAT_ANY,
                             .seek = json_pack("{s:s, s:o}", "op", "seek", "options", lists)};
    if (!options->games)
        json_object_set_new(plan.seek, "game", json_string(invocation->game->name));
    if (options->with)
        json_object_set_new(plan.seek, "handle", json_string(options->with));
    return play_run(invocation, &plan);
}

const struct command command_seek = {
    .name = "seek",
    .operands = "",
    .summary = "Find others to play a rated match with",
    .details =
        "Looks for people who are rated about as you are, takes the seat that the server keeps "
        "for\n"
        "you at a table with them, and plays. It needs an account: `taluva claim HANDLE`. The\n"
        "longer you wait the further from you may others be rated, and after 90 seconds as far as\n"
        "they like, or as `--range POINTS` says. To end it is to seek no more.\n\n"
        "`taluva seek --sizes 2-4` takes whichever table is there first. `--clocks normal,calm`\n"
        "plays with 10 minutes, and 10 seconds more a turn, or with 25 and 20; fast is 3 and 5.\n\n"
        "`taluva seek --games taluva,totem` takes either game: it looks for both at once, and\n"
        "plays the one that is found first.\n\n"
        "`taluva seek --sizes 3-4 --computers` plays with computers in the seats that are missing\n"
        "after a minute, where two of you or more would. That is not rated.\n\n"
        "`taluva seek --with HANDLE` plays with that one alone, however far apart you are rated.\n"
        "They are told of it. It is not rated if you both come from one address, or have met too\n"
        "often lately.\n\n"
        "`taluva seek --teams` plays two against two, and with --with HANDLE beside that one,\n"
        "who accepts by the same.",
    .online = true,
    .draws = true,
    .rows = rows,
    .options_size = sizeof(struct seek_options),
    .run = run,
};
