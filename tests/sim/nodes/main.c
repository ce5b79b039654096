/* The simulator of several nodes; --help tells its options. */
#include "../worlds.h"
#include "world.h"
#include <base/program.h>

static const struct option_row rows[] = {
    WORLDS_STEPS_ROW(offsetof(struct worlds_options, steps), 12000), {.name = NULL}};

static const struct worlds_mutant mutants[MUTANT_COUNT] = {{"NONE", "nothing"},
#define MUTANT_ROW(name, text) {#name, text},
                                                           MUTANTS(MUTANT_ROW)
#undef MUTANT_ROW
};

static void set_mutant(size_t number)
{
    world_mutant = (enum mutant)number;
}

int main(int argc, char **argv)
{
    const struct worlds_program program = {.name = "sim-nodes",
                                           .about = "Runs worlds of several nodes.",
                                           .rows = rows,
                                           .run = world_run,
                                           .places = node_mark_places,
                                           .place_count = NODE_MARK_COUNT,
                                           .mutants = mutants,
                                           .mutant_count = MUTANT_COUNT,
                                           .set_mutant = set_mutant};
    struct worlds_options options = {0};
    int status;
    program_begin();
    if (worlds_parse(&program, &options, &options, argc, argv, &status))
        status = worlds_run(&program, &options);
    return program_end(program.name, status);
}
