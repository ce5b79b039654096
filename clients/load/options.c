#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum flag {
    FLAG_SERVER = 256,
    FLAG_ROOMS,
    FLAG_WATCHERS,
    FLAG_IDLE,
    FLAG_RAMP,
    FLAG_PROCESSES,
    FLAG_SOURCES,
    FLAG_RATE,
    FLAG_DURATION,
    FLAG_WARMUP,
    FLAG_GAMES,
    FLAG_SEED,
    FLAG_CHECK_EVERY,
    FLAG_STORM,
    FLAG_STORM_PERCENT,
    FLAG_STORM_AWAY,
    FLAG_SLOW_WATCHERS,
    FLAG_PLAYERS,
    FLAG_PRESET,
    FLAG_TILES,
    FLAG_ZONE,
    FLAG_TEAMS,
    FLAG_RANKING,
    FLAG_BOATS,
    FLAG_TWO_HEX,
    FLAG_SERVER_PID,
    FLAG_MAX_P99,
    FLAG_MAX_P999,
    FLAG_MIN_RATE,
    FLAG_JSON,
    FLAG_QUIET,
    FLAG_HELP,
    FLAG_VERSION,
};

static const struct row {
    const char *name, *argument, *help;
    enum flag flag;
} rows[] = {
    {"server", "URL", "WebSocket to load (ws://127.0.0.1:7400/ws)", FLAG_SERVER},
    {"rooms", "N", "matches at once (10)", FLAG_ROOMS},
    {"watchers", "N", "spectators in each room (0)", FLAG_WATCHERS},
    {"idle", "N", "connections that only say hello (0)", FLAG_IDLE},
    {"ramp", "N", "connections opened per second and process (2000)", FLAG_RAMP},
    {"rate", "N", "moves per second, all rooms together, each at its own time: open loop",
     FLAG_RATE},
    {"duration", "S", "seconds to measure (10)", FLAG_DURATION},
    {"warmup", "S", "seconds to play before that (2)", FLAG_WARMUP},
    {"games", "N", "play N games in each room and end, instead of --duration", FLAG_GAMES},
    {"seed", "N", "the same seed makes the same choices (1)", FLAG_SEED},
    {"check-every", "N", "compare a client's whole state every N pushes (32; 0: at the end)",
     FLAG_CHECK_EVERY},
    {"storm", "S", "every S seconds cut clients, who come back at once and resume", FLAG_STORM},
    {"storm-percent", "P", "how many of them (50)", FLAG_STORM_PERCENT},
    {"storm-away", "N", "cut spectators only, who stay away for N events (0)", FLAG_STORM_AWAY},
    {"slow-watchers", NULL, "spectators stop reading", FLAG_SLOW_WATCHERS},
    {"processes", "N", "driver processes (1)", FLAG_PROCESSES},
    {"sources", "N", "connect from N loopback addresses, 127.0.0.1 onwards", FLAG_SOURCES},
    {"players", "N", "seats of each room, 2 to 5 (2)", FLAG_PLAYERS},
    {"preset", "NAME", "ferti-2014, ferti-2013 or original-2006", FLAG_PRESET},
    {"tiles", "N", "24, 36, 48 or 60", FLAG_TILES},
    {"zone", "NAME", "none, beginner, player or expert", FLAG_ZONE},
    {"teams", NULL, "two against two", FLAG_TEAMS},
    {"ranking", NULL, "the ranking variant", FLAG_RANKING},
    {"boats", NULL, "with boats", FLAG_BOATS},
    {"two-hex", NULL, "with 2-Hex tiles", FLAG_TWO_HEX},
    {"server-pid", "PID", "measure this local server too", FLAG_SERVER_PID},
    {"max-p99", "MS", "fail if p99 of delivery is above", FLAG_MAX_P99},
    {"max-p99.9", "MS", "fail if p99.9 of delivery is above", FLAG_MAX_P999},
    {"min-rate", "N", "fail if fewer moves per second were acknowledged", FLAG_MIN_RATE},
    {"json", NULL, "the result as one JSON object", FLAG_JSON},
    {"quiet", NULL, "no progress", FLAG_QUIET},
    {"help", NULL, "this", FLAG_HELP},
    {"version", NULL, "name and version", FLAG_VERSION},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void show_help(void)
{
    puts(
        "taluva-load: plays whole, legal matches against a server, checks all it hears, measures.\n"
        "\n"
        "usage: taluva-load [--server URL] [--rooms N] [--rate N] [--duration S] ...\n");
    for (size_t i = 0; i < ROWS; i++) {
        char flag[40];
        (void)snprintf(flag, sizeof(flag), "--%s%s%s", rows[i].name,
                       rows[i].argument != NULL ? " " : "",
                       rows[i].argument != NULL ? rows[i].argument : "");
        printf("  %-22s %s\n", flag, rows[i].help);
    }
    puts("\nLatency counts from when a move was due (open loop) or sent (closed loop) to the push\n"
         "at each other client of the room. Exit status: 0 all well, 1 a threshold was missed or\n"
         "something the server sent was wrong, 64 usage, 69 no connection.");
}

static bool to_unsigned(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > max) {
        return false;
    }
    *out = value;
    return true;
}

static bool to_real(const char *text, double *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0) {
        return false;
    }
    *out = value;
    return true;
}

static bool set_number(unsigned *out, const char *text, unsigned min, unsigned max)
{
    uint64_t value;
    if (!to_unsigned(text, max, &value) || value < min) {
        return false;
    }
    *out = (unsigned)value;
    return true;
}

static bool set_game_number(struct options *options, const char *name, const char *text)
{
    uint64_t value;
    return to_unsigned(text, 1000, &value) &&
           json_object_set_new(options->game, name, json_integer((json_int_t)value)) == 0;
}

static bool set_game_word(struct options *options, const char *name, const char *text)
{
    return json_object_set_new(options->game, name, json_string(text)) == 0;
}

static bool set_game_switch(struct options *options, const char *name)
{
    return json_object_set_new(options->game, name, json_true()) == 0;
}

static bool set_game(struct options *options, enum flag flag, const char *text)
{
    switch ((int)flag) {
    case FLAG_PLAYERS:
        return set_number(&options->players, text, 2, 5) &&
               set_game_number(options, "players", text);
    case FLAG_TILES:
        return set_game_number(options, "tiles", text);
    case FLAG_PRESET:
        return set_game_word(options, "preset", text);
    case FLAG_ZONE:
        return set_game_word(options, "zone", text);
    case FLAG_TEAMS:
        return set_game_switch(options, "teams");
    case FLAG_RANKING:
        return set_game_switch(options, "ranking");
    case FLAG_BOATS:
        return set_game_switch(options, "boats");
    case FLAG_TWO_HEX:
        return set_game_switch(options, "two_hex");
    }
    return false;
}

static bool set(struct options *options, enum flag flag, const char *text)
{
    uint64_t value = 0;
    switch ((int)flag) {
    case FLAG_SERVER:
        return wire_url_parse(&options->server, text);
    case FLAG_ROOMS:
        return set_number(&options->rooms, text, 0, 100000);
    case FLAG_WATCHERS:
        return set_number(&options->watchers, text, 0, 1000);
    case FLAG_IDLE:
        return set_number(&options->idle, text, 0, 1000000);
    case FLAG_RAMP:
        return set_number(&options->ramp_per_s, text, 1, 100000);
    case FLAG_PROCESSES:
        return set_number(&options->processes, text, 1, 64);
    case FLAG_SOURCES:
        return set_number(&options->sources, text, 1, 250);
    case FLAG_RATE:
        return to_real(text, &options->rate_per_s);
    case FLAG_DURATION:
        return set_number(&options->duration_s, text, 1, 1000000);
    case FLAG_WARMUP:
        return set_number(&options->warmup_s, text, 0, 1000000);
    case FLAG_GAMES:
        return to_unsigned(text, 1000000000, &options->games) && options->games > 0;
    case FLAG_SEED:
        return to_unsigned(text, UINT64_MAX, &options->seed);
    case FLAG_CHECK_EVERY:
        return set_number(&options->check_every, text, 0, 1000000);
    case FLAG_STORM:
        return set_number(&options->storm_every_s, text, 1, 1000000);
    case FLAG_STORM_PERCENT:
        return set_number(&options->storm_percent, text, 1, 100);
    case FLAG_STORM_AWAY:
        return set_number(&options->storm_away, text, 0, 1000);
    case FLAG_SLOW_WATCHERS:
        return options->slow_watchers = true;
    case FLAG_SERVER_PID:
        if (!to_unsigned(text, 1U << 30, &value)) {
            return false;
        }
        options->server_pid = (long)value;
        return true;
    case FLAG_MAX_P99:
        return to_real(text, &options->max_p99_ms);
    case FLAG_MAX_P999:
        return to_real(text, &options->max_p999_ms);
    case FLAG_MIN_RATE:
        return to_real(text, &options->min_rate_per_s);
    case FLAG_JSON:
        return options->json = true;
    case FLAG_QUIET:
        return options->quiet = true;
    }
    return set_game(options, flag, text);
}

static void use_defaults(struct options *options)
{
    *options = (struct options){
        .rooms = 10,
        .ramp_per_s = 2000,
        .processes = 1,
        .sources = 0,
        .duration_s = 10,
        .warmup_s = 2,
        .seed = 1,
        .check_every = 32,
        .storm_percent = 50,
        .players = 2,
        .game = json_object(),
    };
    (void)wire_url_parse(&options->server, "ws://127.0.0.1:7400/ws");
    (void)json_object_set_new(options->game, "players", json_integer(2));
}

static enum options_result bad(const char *flag, const char *trouble, const char *value)
{
    const char *dashes = flag[0] == '-' ? "" : "--";
    fprintf(stderr, "taluva-load: %s%s%s%s; see taluva-load --help\n", dashes, flag, trouble,
            value);
    return OPTIONS_BAD;
}

enum options_result options_parse(struct options *options, int argc, char **argv)
{
    struct option table[ROWS + 1] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        table[i] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].argument != NULL ? required_argument : no_argument,
            .val = (int)rows[i].flag,
        };
    }
    use_defaults(options);
    int flag;
    int index = 0;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, "", table, &index)) != -1) {
        if (flag == FLAG_HELP) {
            show_help();
            return OPTIONS_SHOWN;
        }
        if (flag == FLAG_VERSION) {
            puts("taluva-load " TALUVA_VERSION);
            return OPTIONS_SHOWN;
        }
        if (flag == '?') {
            return bad(argv[optind - 1], " is not understood", "");
        }
        if (!set(options, (enum flag)flag, optarg)) {
            return bad(rows[index].name, " does not take ", optarg != NULL ? optarg : "");
        }
    }
    if (optind < argc) {
        return bad(argv[optind], " is not understood", "");
    }
    if (options->rooms == 0 && options->idle == 0) {
        return bad("--rooms", " and --idle are both 0: nothing to do", "");
    }
    return OPTIONS_RUN;
}

void options_release(struct options *options)
{
    json_decref(options->game);
}
