#include "worlds.h"

#include "../support/failing_alloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define FIELD(name) offsetof(struct worlds_options, name)
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
     .help = "at least so many (1)",
     .offset = FIELD(worlds),
     .max = INT64_MAX},
    {.name = "marks",
     .kind = OPTION_FLAG,
     .help = "prints how often each rare place was reached, and fails if one was not",
     .offset = FIELD(marks)},
    {.name = "mutants",
     .kind = OPTION_FLAG,
     .help = "each fault that is put in on purpose must be found in --worlds worlds",
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

/* ---- the command line */

int worlds_complain(const struct worlds_program *program, const char *problem, const char *about)
{
    (void)fprintf(stderr, "%s: %s%s; see --help\n", program->name, problem, about);
    return EX_USAGE;
}

static int show_help(const struct worlds_program *program)
{
    (void)printf("usage: %s [OPTION]...\n\n%s\n\n", program->name, program->about);
    option_rows_print(rows, stdout);
    option_rows_print(program->rows, stdout);
    return EXIT_SUCCESS;
}

bool worlds_parse(const struct worlds_program *program, struct worlds_options *options, void *own,
                  int argc, char **argv, int *status)
{
    struct options_parsed parsed;
    const struct option_table tables[] = {{rows, options}, {program->rows, own}};
    const enum option_outcome outcome = options_parse(tables, 2, NULL, argc - 1, argv + 1, &parsed);
    options->program = argv[0];
    if (options->fresh)
        options->seed = (int64_t)time(NULL) * 1000;
    if (outcome == OPTIONS_BAD)
        *status = worlds_complain(program, parsed.problem, "");
    else if (outcome != OPTIONS_OK)
        *status = show_help(program);
    else if (parsed.operand_count > 0)
        *status = worlds_complain(program, "not understood: ", parsed.operands[0]);
    else
        return true;
    return false;
}

/* ---- worlds */

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t run(const struct worlds_program *program, const struct worlds_options *options,
                    uint64_t seed)
{
    const struct sim_plan plan = {options->program, seed, options->steps, options->verbose};
    (void)printf(" %llu", (unsigned long long)seed);
    (void)fflush(stdout);
    return program->run(&plan);
}

/* A seed a line, and what it was about. */
static bool run_list(const struct worlds_program *program, const struct worlds_options *options)
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
            run(program, options, strtoull(line, NULL, 10));
    }
    (void)fclose(file);
    (void)printf("\n");
    return true;
}

static bool run_seeds(const struct worlds_program *program, const struct worlds_options *options,
                      double end_s)
{
    const uint64_t seed = (uint64_t)options->seed;
    uint64_t done = 1;
    (void)printf("seeds from %llu:", (unsigned long long)seed);
    const uint64_t first = run(program, options, seed);
    while (done < (uint64_t)options->worlds || now_s() < end_s)
        run(program, options, seed + done++);
    (void)printf("\n%llu worlds: all is well; the trace of the first is %016llx\n",
                 (unsigned long long)done, (unsigned long long)first);
    (void)printf("once more:");
    const bool same = run(program, options, seed) == first;
    (void)printf("\n");
    if (!same)
        (void)fprintf(stderr, "seed %llu: another trace the second time\n",
                      (unsigned long long)seed);
    return same;
}

static bool print_places(const struct worlds_program *program)
{
    bool all = true;
    for (size_t i = 0; i < program->place_count; i++) {
        const struct rare_place *place = &program->places[i];
        (void)printf("%10llu  %s\n", (unsigned long long)place->count, place->text);
        all &= place->count > 0;
    }
    for (size_t i = 0; i < program->place_count; i++) {
        if (program->places[i].count == 0)
            (void)printf("never: %s: %s\n", program->places[i].name, program->places[i].text);
    }
    return all;
}

/* ---- mutants */

/* In a process of its own, as it ends with the first fault that it finds. */
static bool is_found(const struct worlds_program *program, const struct worlds_options *options,
                     size_t mutant, uint64_t seed)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const struct sim_plan plan = {NULL, seed, options->steps, false};
        if (!freopen("/dev/null", "w", stderr))
            _exit(EXIT_SUCCESS);
        program->set_mutant(mutant);
        (void)program->run(&plan);
        _exit(EXIT_SUCCESS);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

/* A line of the Test Anything Protocol for each: deploy/tally.py counts them. */
static bool find_mutants(const struct worlds_program *program, const struct worlds_options *options)
{
    bool all = true;
    for (size_t mutant = 1; mutant < program->mutant_count; mutant++) {
        uint64_t done = 0;
        bool found = false;
        while (!found && done < (uint64_t)options->worlds)
            found = is_found(program, options, mutant, (uint64_t)options->seed + done++);
        (void)printf("%s %s, found in %llu worlds: %s\n", found ? "ok" : "not ok",
                     program->mutants[mutant].name, (unsigned long long)done,
                     program->mutants[mutant].text);
        all &= found;
    }
    return all;
}

static bool set_mutant(const struct worlds_program *program, const char *name)
{
    for (size_t mutant = 0; mutant < program->mutant_count; mutant++) {
        if (strcmp(program->mutants[mutant].name, name) != 0)
            continue;
        program->set_mutant(mutant);
        return true;
    }
    return false;
}

/* ---- all of it */

int worlds_run(const struct worlds_program *program, const struct worlds_options *options)
{
    const double end_s = now_s() + options->seconds;
    failing_alloc_init();
    json_object_seed(1);
    if (options->mutants)
        return find_mutants(program, options) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (options->mutant && !set_mutant(program, options->mutant))
        return worlds_complain(program, "no such mutant: ", options->mutant);
    if (options->list && !run_list(program, options))
        return EXIT_FAILURE;
    if (!run_seeds(program, options, end_s))
        return EXIT_FAILURE;
    return !options->marks || print_places(program) ? EXIT_SUCCESS : EXIT_FAILURE;
}
