#include "config.h"
#include "play.h"
#include "room_options.h"
#include <cli/file.h>
#include <cli/game.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct play_options {
    int64_t people;
    struct option_list names, levels;
    const char *record;
    bool json;
};

_Static_assert(sizeof(struct play_options) <= COMMAND_OPTIONS_MAX, "see command.h");

#define AT(field) offsetof(struct play_options, field)
enum { COMPUTER_MS = 600 }; /* so that one sees each move */

/* clang-format off */
static const struct option_row rows[] = {
    {"people", 0, OPTION_NUMBER, "N", "how many play at this terminal, in turn (1)", AT(people), 1, HOTSEAT_MAX, 0, NULL},
    {"name", 'n', OPTION_LIST, "NAME", "the name of one of them; once for each", AT(names), 0, 0, 0, NULL},
    {"level", 0, OPTION_LIST, "LEVEL", "how well a computer plays, by the level's word or its number from 1; once for each computer, the last one for the rest too (1)", AT(levels), 0, 0, 0, NULL},
    {"record", 0, OPTION_TEXT, "FILE", "write the record of the match there when it is over; a file that is there is kept", AT(record), 0, 0, 0, NULL},
    {"json", 0, OPTION_FLAG, NULL, "for programs: one JSON object a line, out and in, as `join` has them", AT(json), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

/* What the match is made of, for as long as it runs. */
struct match {
    struct invocation invocation; /* the one given, with what other commands have as options */
    char numbered[HOTSEAT_MAX][24];
    const char *names[HOTSEAT_MAX];
    int levels[OPTION_LIST_MAX];
    struct play_here here;
};

static int count_people(const struct play_options *options)
{
    const int named = (int)options->names.count;
    if (options->people > 0)
        return (int)options->people;
    return named > 0 ? named : 1;
}

static void name_people(struct match *match, const struct option_list *given, int count)
{
    const struct config *config = match->invocation.config;
    const char *user = *config->name ? config->name : getenv("USER");
    for (int i = 0; i < count; i++) {
        snprintf(match->numbered[i], sizeof match->numbered[i], "Player %d", i + 1);
        match->names[i] = (size_t)i < given->count  ? given->items[i]
                          : i == 0 && user && *user ? user
                                                    : match->numbered[i];
    }
}

/* EXIT_OK, or the complaint about a level that the game does not have. */
static int read_levels(struct match *match, const struct option_list *given)
{
    const struct game *game = match->invocation.game;
    char known[256] = "";
    for (size_t i = 0; i < given->count; i++) {
        match->levels[i] = (int)game_level_of(game, given->items[i]);
        if (match->levels[i] != 0)
            continue;
        for (const char *const *level = game->levels; *level; level++) {
            size_t len = strlen(known);
            snprintf(known + len, sizeof known - len, " %s", *level);
        }
        return command_complain(&match->invocation,
                                "there is no level '%s' of %s; its levels are:%s", given->items[i],
                                game->name, known);
    }
    return EXIT_OK;
}

/* EXIT_OK, or the complaint about options that do not go together. */
static int check_options(const struct invocation *invocation)
{
    static const char *const drawing[] = {"ascii", "no-color", "small"};
    const struct play_options *options = invocation->options;
    const int people = count_people(options);
    if (people > HOTSEAT_MAX || (int)options->names.count > people)
        return command_complain(invocation, "%zu names, but %d may play at this terminal",
                                options->names.count, people > HOTSEAT_MAX ? HOTSEAT_MAX : people);
    if (options->json && people > 1)
        return command_complain(invocation, "with --json one plays alone against computers");
    for (size_t i = 0; options->json && i < sizeof drawing / sizeof drawing[0]; i++) {
        if (options_given(invocation->parsed, drawing[i]))
            return command_complain(
                invocation, "with --json nothing is drawn, so --%s says nothing", drawing[i]);
    }
    return room_options_check(invocation);
}

/* Several people play each other, unless it is said how many play. */
static json_t *create_request(const struct match *match)
{
    json_t *request = room_options_request(&match->invocation);
    json_t *options = json_object_get(request, "options");
    if (match->here.server.people > 1 && !json_object_get(options, "players"))
        json_object_set_new(options, "players", json_integer(match->here.server.people));
    return request;
}

static int play_match(struct match *match, const struct play_options *options)
{
    const bool is_seen = isatty(STDOUT_FILENO) && !options->json;
    struct invocation *invocation = &match->invocation;
    invocation->online.json = options->json;
    match->here = (struct play_here){
        .server = {.games = invocation->game_types,
                   .computer_ms = is_seen ? COMPUTER_MS : 0,
                   .names = match->names,
                   .people = count_people(options)},
        .levels = match->levels,
        .levels_given = (int)options->levels.count,
        .record = options->record,
    };
    name_people(match, &options->names, match->here.server.people);
    struct play_plan plan = {
        .here = &match->here,
        .create = create_request(match),
        .seat = (int)invocation->where.seat,
        .colour = invocation->where.colour,
    };
    return play_run(invocation, &plan);
}

static int run_command(const struct invocation *invocation)
{
    const struct play_options *options = invocation->options;
    struct match match = {.invocation = *invocation};
    if (check_options(invocation) != EXIT_OK || read_levels(&match, &options->levels) != EXIT_OK)
        return EXIT_USAGE;
    if (options->record && !file_may_create(options->record)) {
        fprintf(stderr, "taluva: --record: %s: %s\n", options->record, strerror(errno));
        return EXIT_FILE;
    }
    return play_match(&match, options);
}

const struct command command_play = {
    .name = "play",
    .operands = "",
    .summary = "Play at this terminal, without a server",
    .details =
        "Begins a match at once, against computers and with others at the same terminal; nothing\n"
        "leaves the machine. Without options you play one match of Taluva against the easiest\n"
        "computer.\n\n"
        "`taluva play --level skilled` is a harder one, `taluva play --players 4 --level simple`\n"
        "has three of them, `taluva play --name Ana --name Bo` is for two people without any, and\n"
        "`taluva play --game totem` plays Totem. People take turns at the keyboard; in a game "
        "with\n"
        "secrets the picture is hidden until the next one presses Enter. The match ends with the\n"
        "program; once it is over `record` writes its record to a file, and so does --record.",
    .draws = true,
    .takes_seat = true,
    .creates = true,
    .rows = rows,
    .options_size = sizeof(struct play_options),
    .run = run_command,
};
