#include "engine_asker.h"
#include <cli/analyse.h>
#include <cli/file.h>
#include <cli/game.h>

struct analyse_options {
    bool json, annotate;
    int64_t simulations, time_ms;
    const char *engine;
};

enum { SIMULATIONS_MAX = 5000 }; /* a match would take minutes */

static const struct option_row rows[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object, as the server answers `analysis`",
     .offset = offsetof(struct analyse_options, json)},
    {.name = "annotate",
     .kind = OPTION_FLAG,
     .help = "print the record again, with what was found written into it",
     .offset = offsetof(struct analyse_options, annotate)},
    {.name = "simulations",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "how many for each question, 400 if not given; fewer are quicker and see less",
     .offset = offsetof(struct analyse_options, simulations),
     .min = 0,
     .max = SIMULATIONS_MAX,
     .initial = ANALYSE_USUAL},
    {.name = "engine",
     .kind = OPTION_NAME,
     .value = "CMD",
     .help = "ask this program, which says chances: protocol/engine.md; else the computer that is "
             "built in",
     .offset = offsetof(struct analyse_options, engine)},
    {.name = "time",
     .kind = OPTION_NUMBER,
     .value = "MS",
     .help = "how long the engine may think about a question at most",
     .offset = offsetof(struct analyse_options, time_ms),
     .min = 1,
     .max = 600000,
     .initial = -1},
    {.name = NULL},
};

static int ask_engine(const struct game *game, const struct record *record,
                      struct analyse_wish *wish)
{
    struct engine_asking asking;
    struct engine_asker asker;
    if (!engine_asking_open(&asking, wish->engine_name, &asker)) {
        fputs("taluva analyse: the engine cannot be started\n", stderr);
        return EXIT_MEMORY;
    }
    wish->engine = &asker;
    const int status = game->analyse(record, wish);
    engine_asking_close(&asking);
    return status;
}

static int analyse_parsed(const struct record *record, struct analyse_wish *wish)
{
    const struct game *game = games_find(record->game);
    if (game && game->analyse && (game->engine || !wish->engine_name))
        return wish->engine_name ? ask_engine(game, record, wish) : game->analyse(record, wish);
    fprintf(stderr, "taluva: %s: matches of %s cannot be analysed\n", wish->where, record->game);
    return EXIT_DATA;
}

/* Differences are told on stderr, as the analysis goes to stdout. */
static bool is_right(const struct file *file, const char *path)
{
    struct replay replay = {.out = stderr, .where = path};
    replay_record(&replay, file->bytes, file->len);
    return replay.differences == 0;
}

static int analyse_file(const struct file *file, struct analyse_wish *wish)
{
    struct record record;
    struct record_problem problem;
    if (!record_parse(&record, file->bytes, file->len, &problem)) {
        char why[REPLAY_PROBLEM_TEXT];
        replay_problem_text(why, &problem);
        fprintf(stderr, "taluva: %s: %s\n", wish->where, why);
        return EXIT_DATA;
    }
    const int status =
        is_right(file, wish->where) ? analyse_parsed(&record, wish) : (int)EXIT_DIFFERS;
    record_release(&record);
    return status;
}

static int complain_of(const char *what)
{
    fprintf(stderr, "taluva analyse: %s\n", what);
    return EXIT_USAGE;
}

static int run_command(const struct invocation *invocation)
{
    const struct analyse_options *options = invocation->options;
    struct analyse_wish wish = {
        .where = invocation->operands[0],
        .form = options->json       ? ANALYSE_JSON
                : options->annotate ? ANALYSE_RECORD
                                    : ANALYSE_TEXT,
        .simulations = options->simulations,
        .engine_name = options->engine,
        .ms = options->time_ms,
        .out = stdout,
    };
    struct file file;
    if (options->json && options->annotate)
        return complain_of("--json and --annotate exclude each other");
    if (!options->engine && options->time_ms >= 0)
        return complain_of("--time is for an --engine");
    if (!file_read(&file, wish.where))
        return EXIT_FILE;
    file_unix_lines(&file);
    const int status = analyse_file(&file, &wish);
    file_release(&file);
    return status;
}

const struct command command_analyse = {
    .name = "analyse",
    .operands = "RECORD",
    .summary = "Learn from a finished match: luck, mistakes, better turns",
    .details =
        "Plays the text record of a finished match again, without a server, and holds each turn\n"
        "against the best one that a search finds: what each seat could hope for before the tile\n"
        "was known, with the best turn, and after the turn that was played. What the tile changed\n"
        "is luck; what the choice of turn changed is loss. A loss of 4 % is a mistake, one of 10 "
        "%\n"
        "a blunder; a turn is good if every other one would have lost 8 %. In a team game chances\n"
        "are a team's, in the ranking variant they are the share of the others left behind.\n"
        "Below a better turn stands what it would have done that the other one did not: what it\n"
        "threatens and what it keeps others from, with what could be built at once on the island\n"
        "as it lies then; and the best answer to it one turn ahead, with the tile that came.\n\n"
        "Takes some seconds. The same record and number of simulations always give the same\n"
        "analysis. `-` is the standard input.\n\n"
        "With --engine a program of anybody's is asked in place of the computer that is built in:\n"
        "what it says of each tile that may come, some thousand questions a match, most of them\n"
        "for a small share of the simulations, and of --time. The exit status is 65 if it ends, "
        "is\n"
        "silent, says what is not legal, or no chances.",
    .operands_min = 1,
    .operands_max = 1,
    .rows = rows,
    .options_size = sizeof(struct analyse_options),
    .run = run_command,
};
