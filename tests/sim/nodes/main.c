/*
 * nodes [--list FILE] [--seed N | --fresh] [--seconds S] [--worlds N] [--steps N] [--marks]
 *     [--mutants] [--mutant NAME] [--verbose]
 *
 * As ../main.c, of worlds of several nodes. --mutants: each fault that is put in on purpose must be
 * found within so many worlds.
 */
#include "../../support/failing_alloc.h"
#include "world.h"
#include <base/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct options {
    const char *program, *list, *mutant;
    int64_t seed;
    double seconds;
    int64_t worlds;
    unsigned steps;
    bool fresh, marks, mutants, verbose;
};

#define FIELD(name) offsetof(struct options, name)
static const struct option_row rows[] = {
    {.name = "list",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "first the seeds of this file",
     .offset = FIELD(list)},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "the first seed after that (1)",
     .offset = FIELD(seed),
     .max = INT64_MAX,
     .initial = 1},
    {.name = "fresh",
     .kind = OPTION_FLAG,
     .help = "a first seed out of the clock",
     .offset = FIELD(fresh)},
    {.name = "seconds",
     .kind = OPTION_REAL,
     .value = "S",
     .help = "further seeds until then",
     .offset = FIELD(seconds)},
    {.name = "worlds",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "at least so many (1); at most so many for a mutant",
     .offset = FIELD(worlds),
     .max = INT64_MAX},
    {.name = "steps",
     .kind = OPTION_COUNT,
     .value = "N",
     .help = "events of a world before all is calm (12000)",
     .offset = FIELD(steps),
     .max = UINT32_MAX,
     .initial = 12000},
    {.name = "marks",
     .kind = OPTION_FLAG,
     .help = "prints how often each rare place was reached, and fails if one was not",
     .offset = FIELD(marks)},
    {.name = "mutants",
     .kind = OPTION_FLAG,
     .help = "each fault that is put in on purpose must be found",
     .offset = FIELD(mutants)},
    {.name = "mutant",
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "with this fault",
     .offset = FIELD(mutant)},
    {.name = "verbose",
     .kind = OPTION_FLAG,
     .help = "prints what happens",
     .offset = FIELD(verbose)},
    {.name = NULL},
};

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int show_help(void)
{
    puts("usage: nodes [OPTION]...\n\nRuns worlds of several nodes.\n");
    option_rows_print(rows, stdout);
    return EXIT_SUCCESS;
}

static int complain(const char *problem, const char *about)
{
    (void)fprintf(stderr, "nodes: %s%s; see --help\n", problem, about);
    return 2;
}

static bool print_marks(void)
{
    bool all = true;
    for (int i = 0; i < NODE_MARK_COUNT; i++) {
        const uint64_t count = node_mark_count((enum node_mark)i);
        (void)printf("%10llu  %s\n", (unsigned long long)count, node_mark_text((enum node_mark)i));
        all &= count > 0;
    }
    for (int i = 0; i < NODE_MARK_COUNT; i++) {
        if (node_mark_count((enum node_mark)i) == 0)
            (void)printf("never: %s: %s\n", node_mark_name((enum node_mark)i),
                         node_mark_text((enum node_mark)i));
    }
    return all;
}

static uint64_t run(const struct options *options, uint64_t seed)
{
    const struct sim_plan plan = {options->program, seed, options->steps, options->verbose};
    (void)printf(" %llu", (unsigned long long)seed);
    (void)fflush(stdout);
    return world_run(&plan);
}

/* A seed a line, and what it was about. */
static bool run_list(const struct options *options)
{
    char line[200];
    FILE *file = fopen(options->list, "r");
    if (!file) {
        perror(options->list);
        return false;
    }
    (void)printf("seeds of %s:", options->list);
    while (fgets(line, sizeof line, file)) {
        if (line[0] >= '0' && line[0] <= '9')
            run(options, strtoull(line, NULL, 10));
    }
    (void)fclose(file);
    (void)printf("\n");
    return true;
}

static bool run_seeds(const struct options *options, double end_s)
{
    const uint64_t seed = (uint64_t)options->seed;
    uint64_t done = 1;
    (void)printf("seeds from %llu:", (unsigned long long)seed);
    const uint64_t first = run(options, seed);
    while (done < (uint64_t)options->worlds || now_s() < end_s)
        run(options, seed + done++);
    (void)printf("\n%llu worlds: all is well; the trace of the first is %016llx\n",
                 (unsigned long long)done, (unsigned long long)first);
    (void)printf("once more:");
    const bool same = run(options, seed) == first;
    (void)printf("\n");
    if (!same)
        (void)fprintf(stderr, "seed %llu: another trace the second time\n",
                      (unsigned long long)seed);
    return same;
}

/* ---- mutants */

/* In a process of its own, as it ends with the first fault that it finds. */
static bool is_found(const struct options *options, enum mutant mutant, uint64_t seed)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const struct sim_plan plan = {NULL, seed, options->steps, false};
        if (!freopen("/dev/null", "w", stderr))
            _exit(EXIT_SUCCESS);
        world_mutant = mutant;
        (void)world_run(&plan);
        _exit(EXIT_SUCCESS);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

/* A line of the Test Anything Protocol for each: deploy/tally.py counts them. */
static bool find_mutants(const struct options *options)
{
    bool all = true;
    for (int mutant = 1; mutant < MUTANT_COUNT; mutant++) {
        uint64_t done = 0;
        bool found = false;
        while (!found && done < (uint64_t)options->worlds)
            found = is_found(options, (enum mutant)mutant, (uint64_t)options->seed + done++);
        (void)printf("%s %s, found in %llu worlds: %s\n", found ? "ok" : "not ok",
                     mutant_name((enum mutant)mutant), (unsigned long long)done,
                     mutant_text((enum mutant)mutant));
        all &= found;
    }
    return all;
}

static bool set_mutant(const char *name)
{
    for (int mutant = 0; mutant < MUTANT_COUNT; mutant++) {
        if (strcmp(mutant_name((enum mutant)mutant), name) == 0) {
            world_mutant = (enum mutant)mutant;
            return true;
        }
    }
    return false;
}

static int run_all(const struct options *options)
{
    failing_alloc_init();
    json_object_seed(1);
    const double end_s = now_s() + options->seconds;
    if (options->mutants)
        return find_mutants(options) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (options->mutant && !set_mutant(options->mutant))
        return complain("no such mutant: ", options->mutant);
    if (options->list && !run_list(options))
        return EXIT_FAILURE;
    if (!run_seeds(options, end_s))
        return EXIT_FAILURE;
    return !options->marks || print_marks() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct options options = {.program = argv[0]};
    struct options_parsed parsed;
    const struct option_table table = {rows, &options};
    switch (options_parse(&table, 1, NULL, argc - 1, argv + 1, &parsed)) {
    case OPTIONS_OK:
        break;
    case OPTIONS_BAD:
        return complain(parsed.problem, "");
    case OPTIONS_HELP:
    case OPTIONS_VERSION:
        return show_help();
    }
    if (parsed.operand_count > 0)
        return complain("not understood: ", parsed.operands[0]);
    if (options.fresh)
        options.seed = (int64_t)time(NULL) * 1000;
    return run_all(&options);
}
