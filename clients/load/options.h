/*
 * What a run is to be: the command line, checked.
 */
#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <jansson.h>
#include <wire/url.h>

struct options {
    struct wire_url server;
    unsigned rooms, watchers, idle;
    unsigned ramp_per_s;
    unsigned processes, sources;
    double rate_per_s; /* 0: closed loop */
    unsigned duration_s, warmup_s;
    uint64_t games;
    uint64_t seed;
    unsigned check_every;
    unsigned storm_every_s, storm_percent, storm_away;
    bool slow_watchers, json, quiet;
    long server_pid;
    double max_p99_ms, max_p999_ms, min_rate_per_s; /* 0: not asked for */
    unsigned players;
    json_t *game; /* create.options */
};

enum options_result { OPTIONS_RUN, OPTIONS_SHOWN, OPTIONS_BAD };

/* OPTIONS_SHOWN: --help or --version was printed. OPTIONS_BAD: a sentence went to stderr. */
enum options_result options_parse(struct options *options, int argc, char **argv);
void options_release(struct options *options);

#endif
