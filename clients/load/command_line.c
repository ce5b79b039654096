#include "command_line.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct options, field)
enum { LONG_S = 1000000 };
#define GAME_OPTION "game"

static const char *const checks[] = {"all", "sample", NULL};

/* clang-format off */
static const struct option_row rows[] = {
    {"server", 's', OPTION_TEXT, "URL", "WebSocket to load (ws://127.0.0.1:7400/ws)", AT(server_text), 0, 0, 0, NULL},
    {GAME_OPTION, 0, OPTION_TEXT, "NAME", "which game is played; --help with it shows its options", AT(game_text), 0, 0, 0, NULL},
    {"rooms", 0, OPTION_COUNT, "N", "matches at once (10)", AT(rooms), 0, 100000, 10, NULL},
    {"watchers", 0, OPTION_COUNT, "N", "spectators in each room (0)", AT(watchers), 0, 1000, 0, NULL},
    {"idle", 0, OPTION_COUNT, "N", "connections that only say hello (0)", AT(idle), 0, 1000000, 0, NULL},
    {"ramp", 0, OPTION_COUNT, "N", "connections opened per second and process (2000)", AT(ramp_per_s), 1, 100000, 2000, NULL},
    {"rate", 0, OPTION_REAL, "N", "moves per second, all rooms together, each at its own time: open loop", AT(rate_per_s), 0, 0, 0, NULL},
    {"duration", 0, OPTION_COUNT, "S", "seconds to measure (10)", AT(duration_s), 1, LONG_S, 10, NULL},
    {"warmup", 0, OPTION_COUNT, "S", "seconds to play before that (2)", AT(warmup_s), 0, LONG_S, 2, NULL},
    {"games", 0, OPTION_COUNT, "N", "play N games in each room and end, instead of --duration", AT(games), 1, 1000000000, 0, NULL},
    {"seed", 0, OPTION_NUMBER, "N", "the same seed makes the same choices (1)", AT(seed), 0, INT64_MAX, 1, NULL},
    {"check", 0, OPTION_WORD, "all|sample", "sample: only one room of 32 is checked, see below (all)", AT(check), 0, 0, 0, checks},
    {"check-every", 0, OPTION_COUNT, "N", "compare a client's whole state every N pushes (32; 0: at the end)", AT(check_every), 0, 1000000, 32, NULL},
    {"storm", 0, OPTION_COUNT, "S", "every S seconds cut clients, who come back at once and resume", AT(storm_every_s), 1, LONG_S, 0, NULL},
    {"storm-percent", 0, OPTION_COUNT, "P", "how many of them (50)", AT(storm_percent), 1, 100, 50, NULL},
    {"storm-away", 0, OPTION_COUNT, "N", "cut spectators only, who stay away for N events (0)", AT(storm_away), 0, 1000, 0, NULL},
    {"slow-watchers", 0, OPTION_FLAG, NULL, "spectators stop reading", AT(slow_watchers), 0, 0, 0, NULL},
    {"processes", 0, OPTION_COUNT, "N", "driver processes (1)", AT(processes), 1, 64, 1, NULL},
    {"sources", 0, OPTION_COUNT, "N", "connect from N loopback addresses, 127.0.0.1 onwards", AT(sources), 1, 250, 0, NULL},
    {"server-pid", 0, OPTION_NUMBER, "PID", "measure this local server too", AT(server_pid), 1, 1 << 30, 0, NULL},
    {"max-p99", 0, OPTION_REAL, "MS", "fail if p99 of delivery is above", AT(max_p99_ms), 0, 0, 0, NULL},
    {"max-p99.9", 0, OPTION_REAL, "MS", "fail if p99.9 of delivery is above", AT(max_p999_ms), 0, 0, 0, NULL},
    {"min-rate", 0, OPTION_REAL, "N", "fail if fewer moves per second were acknowledged", AT(min_rate_per_s), 0, 0, 0, NULL},
    {"json", 0, OPTION_FLAG, NULL, "the result as one JSON object", AT(json), 0, 0, 0, NULL},
    {"quiet", 0, OPTION_FLAG, NULL, "no progress", AT(quiet), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

static void print_games(const struct load_game *const *games, FILE *out)
{
    for (; *games; games++)
        fprintf(out, "%s%s", (*games)->name, games[1] ? ", " : "");
}

static void show_help(const struct load_game *const *games, const struct load_game *game)
{
    puts("taluva-load: plays whole, legal matches against a server, checks all it receives, "
         "measures.\n"
         "\n"
         "usage: taluva-load [--server URL] [--rooms N] [--rate N] [--duration S] ...\n");
    option_rows_print(rows, stdout);
    fputs("\nGames: ", stdout);
    print_games(games, stdout);
    printf(". Of %s:\n", game->name);
    option_rows_print(game->rows, stdout);
    puts(
        "\n  -h, --help, -V, --version\n\n"
        "With --check=sample every 32nd room is followed and checked as with --check=all. In the\n"
        "others, once a game has begun, pushes are read in place, spelled as taluvad spells them:\n"
        "that no number is missing, that what the first client hears is the move that was sent\n"
        "and legal, that no answer is to something else, and that nothing is refused. Not checked\n"
        "there: the patches and so the state, who may move, clocks, scores and ranks, how the\n"
        "game ended, that all are sent the same, and what is to be kept from whom.\n\n"
        "Latency counts from when a move was due (open loop) or sent (closed loop) to the push\n"
        "at each other client of the room. Exit status: 0 all well, 1 a threshold was missed or\n"
        "something the server sent was wrong, 64 usage, 69 no connection.");
}

static enum options_result say_problem(const char *what, const char *value)
{
    fprintf(stderr, "taluva-load: %s%s; see taluva-load --help\n", what, value);
    return OPTIONS_WRONG;
}

/* What no single row can see. */
static enum options_result complete_options(struct options *options)
{
    const char *server = options->server_text ? options->server_text : "ws://127.0.0.1:7400/ws";
    if (!wire_url_parse(&options->server, server))
        return say_problem("this is no address of a server: ", server);
    if (options->rooms == 0 && options->idle == 0)
        return say_problem("--rooms and --idle are both 0: nothing to do", "");
    return OPTIONS_RUN;
}

/* What `--game NAME` or `--game=NAME` names, which decides about other options; or NULL. */
static const char *named_game(int argc, char **argv)
{
    static const char option[] = "--" GAME_OPTION;
    const size_t len = sizeof option - 1;
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], option, len) == 0 && argv[i][len] == '=')
            name = argv[i] + len + 1;
        else if (strcmp(argv[i], option) == 0)
            name = argv[++i]; /* NULL if it is the last word */
    }
    return name;
}

/* NULL: there is none of that name, and a sentence went to stderr. */
static const struct load_game *find_game(const struct load_game *const *games, const char *name)
{
    for (size_t i = 0; games[i]; i++) {
        if (!name || strcmp(games[i]->name, name) == 0)
            return games[i];
    }
    fprintf(stderr, "taluva-load: there is no game '%s'; this program knows: ", name);
    print_games(games, stderr);
    fputc('\n', stderr);
    return NULL;
}

bool options_sample(const struct options *options)
{
    return options->check && strcmp(options->check, "sample") == 0;
}

enum options_result options_read(struct options *options, const struct load_game *const *games,
                                 int argc, char **argv)
{
    struct options_parsed parsed;
    const struct load_game *game = find_game(games, named_game(argc, argv));
    *options = (struct options){.game = game};
    if (!game)
        return OPTIONS_WRONG;
    const struct option_table tables[2] = {{rows, options}, {game->rows, options->game_options}};
    assert(game->options_size <= sizeof options->game_options);
    switch (options_parse(tables, 2, NULL, argc - 1, argv + 1, &parsed)) {
    case OPTIONS_OK:
        break;
    case OPTIONS_HELP:
        show_help(games, game);
        return OPTIONS_SHOWN;
    case OPTIONS_VERSION:
        puts("taluva-load " TALUVA_VERSION);
        return OPTIONS_SHOWN;
    case OPTIONS_BAD:
        return say_problem(parsed.problem, "");
    }
    if (parsed.operand_count == 1 && strcmp(parsed.operands[0], "help") == 0) {
        show_help(games, game);
        return OPTIONS_SHOWN;
    }
    if (parsed.operand_count > 0)
        return say_problem("not understood: ", parsed.operands[0]);
    return complete_options(options);
}
