/*
 * taluva-contest: two players of Taluva against each other, levels of the computer or programs that
 * speak as with `taluva join --json`: pairs of matches with the same deal and the seats swapped.
 * README.md of this folder says how to plug a program in.
 */
#include "duel.h"
#include "thinker.h"
#include <base/options.h>
#include <base/program.h>
#include <computer/levels.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum { EXIT_FAULTS = 1, EXIT_BROKEN = EX_SOFTWARE, REASONS = 8, SIMULATIONS_MAX = 1000000 };

struct contest_options {
    int64_t pairs, seed, patience_s;
    const char *options, *go;
    bool json;
};

static const struct option_row rows[] = {
    {.name = "pairs",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "pairs of matches to play (10)",
     .offset = offsetof(struct contest_options, pairs),
     .min = 1,
     .max = 1000000,
     .initial = 10},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "of the deals, and of the levels' choices (1)",
     .offset = offsetof(struct contest_options, seed),
     .min = 0,
     .max = INT32_MAX,
     .initial = 1},
    {.name = "options",
     .kind = OPTION_NAME,
     .value = "JSON",
     .help = "of the room, as for `create`: {\"players\": 3, \"boats\": true}",
     .offset = offsetof(struct contest_options, options)},
    {.name = "go",
     .kind = OPTION_NAME,
     .value = "LIMITS",
     .help = "how much engines may think about a turn: \"simulations 500\"; else as they like",
     .offset = offsetof(struct contest_options, go)},
    {.name = "patience",
     .kind = OPTION_NUMBER,
     .value = "SECONDS",
     .help = "a program that has not moved for so long loses the match (60)",
     .offset = offsetof(struct contest_options, patience_s),
     .min = 1,
     .max = 86400,
     .initial = 60},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print the result as one JSON object",
     .offset = offsetof(struct contest_options, json)},
    {.name = NULL},
};

struct tally {
    double sum, squares; /* of the first player's share of a pair */
    double fair;
    unsigned pairs, games;
    unsigned faults[2][PROGRAM_FAULTS];
    double moves[2], cpu_s[2], wall_s[2];
    struct {
        char name[32];
        unsigned count;
    } reasons[REASONS];
    json_t *shares; /* of each pair's two matches */
};

/* ---- counting */

static void count_reason(struct tally *tally, const char *name)
{
    for (size_t i = 0; i < REASONS; i++) {
        if (tally->reasons[i].count > 0 && strcmp(tally->reasons[i].name, name) != 0)
            continue;
        snprintf(tally->reasons[i].name, sizeof tally->reasons[i].name, "%s", name);
        tally->reasons[i].count++;
        return;
    }
}

static void count_match(struct tally *tally, const struct duel_result *result)
{
    tally->games++;
    tally->fair += result->fair;
    count_reason(tally, result->reason);
    for (unsigned side = 0; side < 2; side++) {
        tally->faults[side][result->faults[side]] += result->faults[side] != PROGRAM_FINE;
        tally->moves[side] += result->moves[side];
        tally->cpu_s[side] += result->cpu_s[side];
        tally->wall_s[side] += result->wall_s[side];
    }
}

static void count_pair(struct tally *tally, const struct duel_result results[2])
{
    const double share = (results[0].share + results[1].share) / 2;
    tally->pairs++;
    tally->sum += share;
    tally->squares += share * share;
    json_array_append_new(tally->shares, json_pack("[f, f]", results[0].share, results[1].share));
}

/* Half the width of the 95 % interval of the mean over pairs. */
static double interval(const struct tally *tally)
{
    const double n = tally->pairs, mean = tally->sum / n;
    const double variance = n > 1 ? (tally->squares - n * mean * mean) / (n - 1) : 0;
    return 1.96 * sqrt(variance > 0 ? variance / n : 0);
}

/* ---- printing */

static json_t *faults_of(const struct tally *tally, unsigned side)
{
    json_t *faults = json_object();
    for (unsigned fault = 0; fault < PROGRAM_FAULTS; fault++) {
        if (tally->faults[side][fault] > 0)
            json_object_set_new(faults, program_fault_name((enum program_fault)fault),
                                json_integer(tally->faults[side][fault]));
    }
    return faults;
}

static double each(double sum, double moves)
{
    return moves > 0 ? 1000 * sum / moves : 0;
}

static json_t *player_object(const struct tally *tally, unsigned side, const char *name)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:o}", "player", name, "moves", tally->moves[side],
                     "cpu_ms", each(tally->cpu_s[side], tally->moves[side]), "wall_ms",
                     each(tally->wall_s[side], tally->moves[side]), "faults",
                     faults_of(tally, side));
}

static void print_json(const struct tally *tally, char *const *names)
{
    json_t *ends = json_object();
    for (size_t i = 0; i < REASONS && tally->reasons[i].count > 0; i++)
        json_object_set_new(ends, tally->reasons[i].name, json_integer(tally->reasons[i].count));
    json_t *all = json_pack("{s:f, s:f, s:f, s:i, s:i, s:o, s:O, s:[o, o]}", "share",
                            tally->sum / tally->pairs, "interval", interval(tally), "fair",
                            tally->fair / tally->games, "pairs", (int)tally->pairs, "games",
                            (int)tally->games, "ends", ends, "shares", tally->shares, "players",
                            player_object(tally, 0, names[0]), player_object(tally, 1, names[1]));
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
}

static void print_player(const struct tally *tally, unsigned side, const char *name)
{
    printf("%s: %s: %.1f moves a game, %.2f ms of processor and %.2f ms a move",
           side == 0 ? "first" : "second", name, tally->moves[side] / tally->games,
           each(tally->cpu_s[side], tally->moves[side]),
           each(tally->wall_s[side], tally->moves[side]));
    for (unsigned fault = 0; fault < PROGRAM_FAULTS; fault++) {
        if (tally->faults[side][fault] > 0)
            printf("; lost %u: %s", tally->faults[side][fault],
                   program_fault_name((enum program_fault)fault));
    }
    putchar('\n');
}

static void print_text(const struct tally *tally, char *const *names)
{
    printf("%.1f %% +- %.1f of %u games for the first, fair share %.1f %%; ends:",
           100 * tally->sum / tally->pairs, 100 * interval(tally), tally->games,
           100 * tally->fair / tally->games);
    for (size_t i = 0; i < REASONS && tally->reasons[i].count > 0; i++)
        printf(" %s %u", tally->reasons[i].name, tally->reasons[i].count);
    putchar('\n');
    for (unsigned side = 0; side < 2; side++)
        print_player(tally, side, names[side]);
}

/* ---- playing */

static int complain(const char *what, const char *about)
{
    fprintf(stderr, "taluva-contest: %s%s%s\n", what, about ? ": " : "", about ? about : "");
    return EX_USAGE;
}

static bool read_simulations(struct duellist *player, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    player->simulations = (uint32_t)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number <= SIMULATIONS_MAX;
}

/* A level by its number or word, "search:SIMULATIONS", "engine:COMMAND" or "run:COMMAND". */
static bool read_player(struct duellist *player, const char *text)
{
    *player = (struct duellist){.level = 0};
    if (strncmp(text, "run:", 4) == 0) {
        player->command = text + 4;
        return *player->command != '\0';
    }
    if (strncmp(text, "engine:", 7) == 0) {
        player->command = text + 7;
        player->is_engine = true;
        return *player->command != '\0';
    }
    if (strncmp(text, "search:", 7) == 0)
        return read_simulations(player, text + 7);
    for (unsigned i = 0; i < COMPUTER_LEVELS; i++) {
        const char number[2] = {(char)('1' + i), '\0'};
        if (strcmp(computer_level_words[i], text) == 0 || strcmp(number, text) == 0)
            player->level = i + 1;
    }
    return player->level > 0;
}

/* Both matches with one deal. False: it has been said what is wrong. */
static bool play_pair(struct duel *duel, struct tally *tally, unsigned number)
{
    struct duel_result results[2];
    for (duel->swapped = 0; duel->swapped < 2; duel->swapped++) {
        struct duel_result *result = &results[duel->swapped];
        duel_play(duel, result);
        if (!result->played) {
            complain("the match could not be played", result->why);
            return false;
        }
        count_match(tally, result);
    }
    if (strcmp(results[0].deal, results[1].deal) != 0) {
        complain("the two matches of a pair had different deals", NULL);
        return false;
    }
    count_pair(tally, results);
    fprintf(stderr, "pair %u: %.2f (%s), %.2f (%s)\n", number, results[0].share, results[0].reason,
            results[1].share, results[1].reason);
    return true;
}

static bool has_faults(const struct tally *tally)
{
    for (unsigned fault = 0; fault < PROGRAM_FAULTS; fault++) {
        if (tally->faults[0][fault] > 0 || tally->faults[1][fault] > 0)
            return true;
    }
    return false;
}

/* As nothing is written before the end, no write tells it. */
static bool is_read(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    const bool gone = poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
    if (gone)
        program_output_failed(EPIPE);
    return !gone;
}

static int play_all(struct duel *duel, const struct contest_options *options, char *const *names)
{
    struct tally tally = {.shares = json_array()};
    bool going = true;
    for (unsigned pair = 0; going && pair < options->pairs; pair++) {
        duel->seed = (uint64_t)options->seed * 1000003 + pair;
        going = is_read() && play_pair(duel, &tally, pair + 1);
    }
    if (going && options->json)
        print_json(&tally, names);
    else if (going)
        print_text(&tally, names);
    json_decref(tally.shares);
    return !going ? EXIT_BROKEN : has_faults(&tally) ? EXIT_FAULTS : EXIT_SUCCESS;
}

static int run(const struct contest_options *options, int count, char **names)
{
    struct duel duel = {.patience_ms = options->patience_s * 1000,
                        .limits = options->go ? options->go : ""};
    json_error_t error;
    if (count != 2)
        return complain(
            "two players are needed: a level, search:N, engine:COMMAND or run:COMMAND each", NULL);
    for (unsigned side = 0; side < 2; side++) {
        if (!read_player(&duel.sides[side], names[side]))
            return complain("a player is a level, from 1 or its word, search:N, engine:COMMAND or "
                            "run:COMMAND",
                            names[side]);
    }
    json_t *room = json_loads(options->options ? options->options : "{}", 0, &error);
    if (!json_is_object(room)) {
        json_decref(room);
        return complain("--options is a JSON object", NULL);
    }
    duel.options = room;
    const int code = play_all(&duel, options, names);
    json_decref(room);
    return code;
}

static void print_help(void)
{
    puts("Usage: taluva-contest [OPTIONS] PLAYER PLAYER\n\n"
         "Plays two players of Taluva against each other, in pairs of matches with the same deal\n"
         "and the seats swapped, and prints the first one's share of the wins with its 95 %\n"
         "interval over the pairs. A PLAYER is a level of the computer, from 1 or its word;\n"
         "search:N, the computer with N simulations a turn, 0 for one turn ahead; engine:COMMAND,\n"
         "an engine for the shell, as protocol/engine.md has them; or run:COMMAND, a program that\n"
         "speaks as with `taluva join --ready --json`.\n\n"
         "A program that ends, is silent, does not read, says rubbish or is refused again and\n"
         "again, and an engine that would play what is not legal, resigns its match; such losses\n"
         "are printed, and the exit status is 1. 64: the command line is wrong; 70: a match could\n"
         "not be played.\n");
    option_rows_print(rows, stdout);
}

static int run_contest(int argc, char **argv)
{
    struct contest_options options = {.pairs = 0};
    const struct option_table table = {rows, &options};
    struct options_parsed parsed;
    if (sodium_init() < 0)
        return EXIT_BROKEN;
    switch (options_parse(&table, 1, NULL, argc - 1, argv + 1, &parsed)) {
    case OPTIONS_OK:
        return run(&options, parsed.operand_count, parsed.operands);
    case OPTIONS_HELP:
        print_help();
        return EXIT_SUCCESS;
    case OPTIONS_VERSION:
    case OPTIONS_BAD:
        break;
    }
    return complain(parsed.problem, NULL);
}

int main(int argc, char **argv)
{
    program_begin();
    /* A player that has ended is told by the call that fails. */
    signal(SIGPIPE, SIG_IGN);
    return program_end("taluva-contest", run_contest(argc, argv));
}
