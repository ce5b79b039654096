/* The simulator of one hub; --help tells its options. */
#include "mutants.h"
#include "worlds.h"
#include <base/program.h>

static const struct option_row rows[] = {
    WORLDS_STEPS_ROW(offsetof(struct worlds_options, steps), 20000), {.name = NULL}};

static const struct worlds_mutant mutants[SIM_MUTANT_COUNT] = {{"NONE", "nothing"},
#define MUTANT_ROW(name, text) {#name, text},
                                                               SIM_MUTANTS(MUTANT_ROW)
#undef MUTANT_ROW
};

static void set_mutant(size_t number)
{
    sim_mutant = (enum sim_mutant)number;
}

int main(int argc, char **argv)
{
    const struct worlds_program program = {.name = "sim",
                                           .about = "Runs worlds of the simulator.",
                                           .rows = rows,
                                           .run = sim_run,
                                           .places = mark_places,
                                           .place_count = MARK_COUNT,
                                           .mutants = mutants,
                                           .mutant_count = SIM_MUTANT_COUNT,
                                           .set_mutant = set_mutant};
    struct worlds_options options = {0};
    int status;
    program_begin();
    if (worlds_parse(&program, &options, &options, argc, argv, &status))
        status = worlds_run(&program, &options);
    return program_end(program.name, status);
}
