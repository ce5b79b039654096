/*
 * The order of a run: ramp up, warm up, measure, report.
 */
#include "report.h"
#include <load/program.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LISTEN_MS = 100, RAMP_PATIENCE_S = 120, STALL_PATIENCE_S = 60 };
enum { EXIT_WELL = 0, EXIT_MISSED = 1, EXIT_BAD_USAGE = 64, EXIT_NO_CONNECTION = 69, EXIT_OS = 71 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct run {
    const struct options *options;
    struct worker workers[64];
    unsigned n;
    bool watched; /* progress is shown on a terminal */
    double rate_since_s;
    uint64_t rate_moves;
    double rate;
};

static uint64_t count_moves(const struct run *run)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < run->n; i++)
        sum += run->workers[i].last.moves;
    return sum;
}

static void show_progress(struct run *run, const char *phase, double part, double left_s)
{
    const double now = now_s();
    if (now - run->rate_since_s >= 1.0) {
        const uint64_t all = count_moves(run);
        run->rate =
            all > run->rate_moves ? (double)(all - run->rate_moves) / (now - run->rate_since_s) : 0;
        run->rate_moves = all;
        run->rate_since_s = now;
    }
    if (run->watched)
        report_progress(run->workers, run->n, phase, part, left_s, run->rate);
}

enum outcome { OUTCOME_REACHED, OUTCOME_LATE, OUTCOME_STALLED, OUTCOME_HOPELESS, OUTCOME_LOST };

/* Playing or done; or all of them done. */
static bool all_are(const struct run *run, bool done)
{
    for (unsigned i = 0; i < run->n; i++) {
        const struct worker_progress *last = &run->workers[i].last;
        if (!last->done && (done || !last->playing))
            return false;
    }
    return true;
}

static bool any_is_hopeless(const struct run *run)
{
    for (unsigned i = 0; i < run->n; i++) {
        if (run->workers[i].last.hopeless)
            return true;
    }
    return false;
}

/* Without a move for so long, a run that waits for the end of its games ends without it. */
static double stall_patience_s(const struct options *options)
{
    return options->rate_per_s > 0 ? STALL_PATIENCE_S + 2.0 / options->rate_per_s
                                   : STALL_PATIENCE_S;
}

/* Listens until `seconds` are over, or all workers are playing or done, if asked for. */
static enum outcome spend_time(struct run *run, const char *phase, double seconds,
                               bool until_playing, bool until_done)
{
    const double start = now_s();
    const double patience = stall_patience_s(run->options);
    uint64_t seen = count_moves(run);
    double seen_s = start;
    while (!interrupted) {
        const double now = now_s(), spent = now - start;
        if (!workers_read(run->workers, run->n, LISTEN_MS))
            return OUTCOME_LOST;
        if (until_playing && any_is_hopeless(run))
            return OUTCOME_HOPELESS;
        if ((until_playing && all_are(run, false)) || (until_done && all_are(run, true)))
            return OUTCOME_REACHED;
        if (!until_done && spent >= seconds)
            return OUTCOME_LATE;
        if (count_moves(run) != seen) {
            seen = count_moves(run);
            seen_s = now;
        }
        if (until_done && now - seen_s >= patience)
            return OUTCOME_STALLED;
        show_progress(run, phase, until_done ? 0 : spent / seconds,
                      until_done ? -1 : seconds - spent);
    }
    return OUTCOME_REACHED;
}

static void driver_usage(const struct run *run, struct usage *sum)
{
    *sum = (struct usage){0};
    for (unsigned i = 0; i < run->n; i++) {
        struct usage usage;
        if (usage_of_process(&usage, run->workers[i].pid)) {
            sum->cpu_us += usage.cpu_us;
            sum->resident_kib += usage.resident_kib;
            sum->peak_kib += usage.peak_kib;
        }
    }
}

static int measure_run(struct run *run, struct report *report)
{
    const struct options *options = run->options;
    const bool by_games = options->games > 0;
    enum outcome outcome = spend_time(run, "ramp up", RAMP_PATIENCE_S, true, false);
    if (outcome == OUTCOME_REACHED && !by_games)
        outcome = spend_time(run, "warm up", options->warmup_s, false, false);
    else if (outcome == OUTCOME_LATE)
        fputs("taluva-load: not every match has started\n", stderr);
    if (outcome == OUTCOME_HOPELESS || outcome == OUTCOME_LOST) {
        report_progress_end();
        fputs(outcome == OUTCOME_HOPELESS ? "taluva-load: no connection\n"
                                          : "taluva-load: a driver process died\n",
              stderr);
        return outcome == OUTCOME_HOPELESS ? EXIT_NO_CONNECTION : EXIT_OS;
    }
    const double start = now_s();
    if (!by_games)
        workers_signal(run->workers, run->n, 'g');
    run->rate_moves = 0;
    run->rate_since_s = start;
    driver_usage(run, &report->driver_before);
    report->has_server = options->server_pid > 0 &&
                         usage_of_process(&report->server_before, (pid_t)options->server_pid);
    outcome = spend_time(run, "measure", options->duration_s, false, by_games);
    report->seconds = now_s() - start;
    driver_usage(run, &report->driver_after);
    report->has_server =
        report->has_server && usage_of_process(&report->server_after, (pid_t)options->server_pid);
    if (outcome == OUTCOME_STALLED) {
        report_progress_end();
        fprintf(stderr, "taluva-load: no move for %.0f s, and not every match is over\n",
                stall_patience_s(options));
        return EXIT_MISSED;
    }
    return outcome == OUTCOME_LOST ? EXIT_OS : EXIT_WELL;
}

static int run_all(const struct options *options)
{
    struct run run = {.options = options, .n = options->processes};
    struct stats *stats = calloc(1, sizeof *stats);
    struct report report = {.options = options, .stats = stats};
    run.watched = !options->quiet && isatty(STDERR_FILENO);
    run.rate_since_s = now_s();
    if (!stats || !workers_start(run.workers, options)) {
        free(stats);
        return EXIT_OS;
    }
    const int status = measure_run(&run, &report);
    workers_signal(run.workers, run.n, 's');
    const bool whole = workers_collect(run.workers, run.n, stats);
    if (run.watched)
        report_progress_end();
    int result = status;
    if (status == EXIT_WELL && !whole) {
        fputs("taluva-load: a driver process died\n", stderr);
        result = EXIT_OS;
    } else if (status == EXIT_WELL) {
        if (options->json)
            report_json(&report);
        else
            report_table(&report);
        result = report_judge(&report) == 0 ? EXIT_WELL : EXIT_MISSED;
    }
    free(stats);
    return result;
}

int program_run(const struct load_game *const *games, int argc, char **argv)
{
    struct options options;
    struct sigaction action = {.sa_handler = on_signal};
    const enum options_result parsed = options_read(&options, games, argc, argv);
    int status = parsed == OPTIONS_SHOWN ? EXIT_WELL : EXIT_BAD_USAGE;
    if (parsed == OPTIONS_RUN) {
        (void)sigaction(SIGINT, &action, NULL);
        (void)sigaction(SIGTERM, &action, NULL);
        (void)signal(SIGPIPE, SIG_IGN);
        status = run_all(&options);
    }
    return status;
}
