/*
 * What a run is to be: the command line, checked.
 */
#ifndef LOAD_COMMAND_LINE_H
#define LOAD_COMMAND_LINE_H

#include <load/game.h>
#include <wire/url.h>

struct options {
    struct wire_url server;
    const char *server_text, *game_text;
    unsigned rooms, watchers, idle;
    unsigned ramp_per_s;
    unsigned processes, sources;
    double rate_per_s; /* 0: closed loop */
    unsigned duration_s, warmup_s;
    unsigned games;
    int64_t seed;
    const char *check; /* NULL: all */
    unsigned check_every;
    unsigned storm_every_s, storm_percent, storm_away;
    bool slow_watchers, json, quiet;
    int64_t server_pid;                             /* 0: none */
    double max_p99_ms, max_p999_ms, min_rate_per_s; /* 0: not asked for */
    const struct load_game *game;
    _Alignas(8) unsigned char game_options[LOAD_GAME_OPTIONS_MAX];
};

enum options_result { OPTIONS_RUN, OPTIONS_SHOWN, OPTIONS_WRONG };

/* Is one room of a few checked in place of all? */
bool options_sample(const struct options *options);

/* The games end with NULL. OPTIONS_SHOWN: --help or --version was printed. OPTIONS_WRONG: a
 * sentence went to stderr. */
enum options_result options_read(struct options *options, const struct load_game *const *games,
                                 int argc, char **argv);

#endif
