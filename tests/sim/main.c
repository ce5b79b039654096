/*
 * sim [--list FILE] [--seed N | --fresh] [--seconds S] [--worlds N] [--steps N] [--marks]
 *     [--verbose]
 *
 * Runs the seeds of a list, and then worlds of one seed after the other until the time is over (or
 * so many, or one if neither is given); --fresh begins with a seed out of the clock. Whatever ends
 * the program, the seed that was being run is the last one that it has printed. --marks: fails if a
 * rare place was not reached, and prints how often each was.
 */
#include "sim.h"

#include "../support/failing_alloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 20000 };

struct options {
    const char *program, *list;
    uint64_t seed;
    double seconds;
    uint64_t worlds;
    unsigned steps;
    bool marks, verbose;
};

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int usage(void)
{
    (void)fprintf(stderr,
                  "usage: sim [--list FILE] [--seed N | --fresh] [--seconds S] [--worlds N] "
                  "[--steps N] [--marks] [--verbose]\n");
    return 2;
}

static bool read_value(struct options *options, const char *name, const char *value)
{
    if (strcmp(name, "--seed") == 0)
        options->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        options->seconds = strtod(value, NULL);
    else if (strcmp(name, "--worlds") == 0)
        options->worlds = strtoull(value, NULL, 10);
    else if (strcmp(name, "--steps") == 0)
        options->steps = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(name, "--list") == 0)
        options->list = value;
    else
        return false;
    return true;
}

static bool read_options(struct options *options, int argc, char **argv)
{
    options->program = argv[0];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--marks") == 0)
            options->marks = true;
        else if (strcmp(argv[i], "--verbose") == 0)
            options->verbose = true;
        else if (strcmp(argv[i], "--fresh") == 0)
            options->seed = (uint64_t)time(NULL) * 1000;
        else if (i + 1 < argc && read_value(options, argv[i], argv[i + 1]))
            i++;
        else
            return false;
    }
    return true;
}

static bool print_marks(void)
{
    bool all = true;
    for (int i = 0; i < MARK_COUNT; i++) {
        (void)printf("%10llu  %s\n", (unsigned long long)mark_count((enum mark)i),
                     mark_text((enum mark)i));
        all &= mark_count((enum mark)i) > 0;
    }
    for (int i = 0; i < MARK_COUNT; i++) {
        if (mark_count((enum mark)i) == 0)
            (void)printf("never: %s: %s\n", mark_name((enum mark)i), mark_text((enum mark)i));
    }
    return all;
}

static uint64_t run(const struct options *options, uint64_t seed)
{
    struct sim_plan plan = {options->program, seed, options->steps, options->verbose};
    (void)printf(" %llu", (unsigned long long)seed);
    (void)fflush(stdout);
    return sim_run(&plan);
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
    uint64_t done = 1;
    (void)printf("seeds from %llu:", (unsigned long long)options->seed);
    uint64_t first = run(options, options->seed);
    while (done < options->worlds || now_s() < end_s)
        run(options, options->seed + done++);
    (void)printf("\n%llu worlds: all is well; the trace of the first is %016llx\n",
                 (unsigned long long)done, (unsigned long long)first);
    (void)printf("once more:");
    bool same = run(options, options->seed) == first;
    (void)printf("\n");
    if (same)
        return true;
    (void)fprintf(stderr, "seed %llu: another trace the second time\n",
                  (unsigned long long)options->seed);
    return false;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .worlds = 0, .steps = STEPS};
    if (!read_options(&options, argc, argv))
        return usage();
    failing_alloc_init();
    json_object_seed(1);
    double end_s = now_s() + options.seconds;
    if (options.list && !run_list(&options))
        return EXIT_FAILURE;
    if (!run_seeds(&options, end_s))
        return EXIT_FAILURE;
    return !options.marks || print_marks() ? EXIT_SUCCESS : EXIT_FAILURE;
}
