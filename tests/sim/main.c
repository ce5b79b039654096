/* The simulator of one hub; --help tells its options. */
#include "worlds.h"

static const struct option_row rows[] = {
    WORLDS_STEPS_ROW(offsetof(struct worlds_options, steps), 20000), {.name = NULL}};

int main(int argc, char **argv)
{
    const struct worlds_program program = {.name = "sim",
                                           .about = "Runs worlds of the simulator.",
                                           .rows = rows,
                                           .run = sim_run,
                                           .places = mark_places,
                                           .place_count = MARK_COUNT};
    struct worlds_options options = {0};
    int status;
    return worlds_parse(&program, &options, &options, argc, argv, &status)
               ? worlds_run(&program, &options)
               : status;
}
