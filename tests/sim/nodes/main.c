/*
 * The simulator of several nodes; --help tells its options. With --mutants each fault that is put
 * in on purpose must be found within so many worlds.
 */
#include "../../support/failing_alloc.h"
#include "../worlds.h"
#include "world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
    struct worlds_options worlds;
    const char *mutant;
    bool mutants;
};

static const struct option_row rows[] = {
    WORLDS_STEPS_ROW(offsetof(struct options, worlds.steps), 12000),
    {.name = "mutants",
     .kind = OPTION_FLAG,
     .help = "each fault that is put in on purpose must be found in --worlds worlds",
     .offset = offsetof(struct options, mutants)},
    {.name = "mutant",
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "with this fault",
     .offset = offsetof(struct options, mutant)},
    {.name = NULL},
};

/* ---- mutants */

static const struct {
    const char *name, *text;
} mutants[MUTANT_COUNT] = {{"NONE", "nothing"},
#define MUTANT_ROW(name, text) {#name, text},
                           MUTANTS(MUTANT_ROW)
#undef MUTANT_ROW
};

/* In a process of its own, as it ends with the first fault that it finds. */
static bool is_found(const struct worlds_options *options, enum mutant mutant, uint64_t seed)
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
static bool find_mutants(const struct worlds_options *options)
{
    bool all = true;
    for (int mutant = 1; mutant < MUTANT_COUNT; mutant++) {
        uint64_t done = 0;
        bool found = false;
        while (!found && done < (uint64_t)options->worlds)
            found = is_found(options, (enum mutant)mutant, (uint64_t)options->seed + done++);
        (void)printf("%s %s, found in %llu worlds: %s\n", found ? "ok" : "not ok",
                     mutants[mutant].name, (unsigned long long)done, mutants[mutant].text);
        all &= found;
    }
    return all;
}

static bool set_mutant(const char *name)
{
    for (int mutant = 0; mutant < MUTANT_COUNT; mutant++) {
        if (strcmp(mutants[mutant].name, name) == 0) {
            world_mutant = (enum mutant)mutant;
            return true;
        }
    }
    return false;
}

/* ---- the program */

static int run_all(const struct worlds_program *program, const struct options *options)
{
    if (options->mutants) {
        failing_alloc_init();
        json_object_seed(1);
        return find_mutants(&options->worlds) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (options->mutant && !set_mutant(options->mutant))
        return worlds_complain(program, "no such mutant: ", options->mutant);
    return worlds_run(program, &options->worlds);
}

int main(int argc, char **argv)
{
    const struct worlds_program program = {.name = "sim-nodes",
                                           .about = "Runs worlds of several nodes.",
                                           .rows = rows,
                                           .run = world_run,
                                           .places = node_mark_places,
                                           .place_count = NODE_MARK_COUNT};
    struct options options = {0};
    int status;
    return worlds_parse(&program, &options.worlds, &options, argc, argv, &status)
               ? run_all(&program, &options)
               : status;
}
