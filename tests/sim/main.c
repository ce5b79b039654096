/*
 * sim [--seed N] [--seconds S] [--worlds N] [--steps N] [--fresh] [--marks] [--verbose]
 *
 * Runs worlds of one seed after the other until the time is over (or so many, or one if neither is
 * given); --fresh begins with a seed out of the clock and says which. --marks: fails if a rare
 * place was not reached, and prints how often each was.
 */
#include "sim.h"

#include "../support/failing_alloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 20000 };

struct options {
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
    (void)fprintf(stderr, "usage: sim [--seed N] [--seconds S] [--worlds N] [--steps N] [--fresh] "
                          "[--marks] [--verbose]\n");
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
    else
        return false;
    return true;
}

static bool read_options(struct options *options, int argc, char **argv)
{
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

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .worlds = 0, .steps = STEPS};
    if (!read_options(&options, argc, argv))
        return usage();
    failing_alloc_init();
    json_object_seed(1);
    double end_s = now_s() + options.seconds;
    uint64_t first = sim_run(options.seed, options.steps, options.verbose), done = 1;
    while (done < options.worlds || now_s() < end_s)
        sim_run(options.seed + done++, options.steps, options.verbose);
    (void)printf("seeds %llu to %llu: all is well; the trace of the first is %016llx\n",
                 (unsigned long long)options.seed, (unsigned long long)(options.seed + done - 1),
                 (unsigned long long)first);
    if (sim_run(options.seed, options.steps, false) != first) {
        (void)fprintf(stderr, "seed %llu: another trace the second time\n",
                      (unsigned long long)options.seed);
        return EXIT_FAILURE;
    }
    return !options.marks || print_marks() ? EXIT_SUCCESS : EXIT_FAILURE;
}
