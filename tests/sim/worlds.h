/* What the programs of both simulators do with seeds: options, lists, one world after the other. */
#ifndef SIM_WORLDS_H
#define SIM_WORLDS_H

#include "sim.h"
#include <base/options.h>
#include <stddef.h>

struct worlds_options {
    const char *program, *list;
    int64_t seed;
    double seconds;
    int64_t worlds;
    unsigned steps;
    const char *mutant;
    bool mutants, fresh, marks, verbose;
};

/* The row of --steps, whose usual number is the program's own. */
#define WORLDS_STEPS_ROW(at, usual)                                                                \
    {                                                                                              \
        .name = "steps", .kind = OPTION_COUNT, .value = "N",                                       \
        .help = "events of a world before all is calm (" #usual ")", .offset = (at),               \
        .max = UINT32_MAX, .initial = (usual)                                                      \
    }

/* Returns the trace of a world. */
typedef uint64_t world_runner(const struct sim_plan *plan);

/* A rare place, and how often it was reached. */
struct rare_place {
    const char *name, *text;
    uint64_t count;
};

/* A fault that is put in on purpose, one at a time: the simulator must find it. The first is none.
 */
struct worlds_mutant {
    const char *name, *text;
};

struct worlds_program {
    const char *name, *about;
    const struct option_row *rows; /* of its own options */
    world_runner *run;
    const struct rare_place *places;
    size_t place_count;
    const struct worlds_mutant *mutants;
    size_t mutant_count;
    void (*set_mutant)(size_t number);
};

/* Reads the command line into `options`, and what the program's rows name into `own`. False: the
 * program ends with *status. */
bool worlds_parse(const struct worlds_program *program, struct worlds_options *options, void *own,
                  int argc, char **argv, int *status);
int worlds_complain(const struct worlds_program *program, const char *problem, const char *about);

/*
 * With --mutants each of them must be found within so many worlds.
 *
 * The seeds of the list, then worlds of one seed after the other until the time is over, or so
 * many, or one if neither is given; the first of them once more, which must go the same way.
 * Returns the status to end with. Whatever ends the program, the seed that was being run is the
 * last one that was printed.
 */
int worlds_run(const struct worlds_program *program, const struct worlds_options *options);

#endif
