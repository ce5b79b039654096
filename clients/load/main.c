#include <load/program.h>
#include <load_taluva/game.h>

/* The only place that knows which game is played. */
int main(int argc, char **argv)
{
    return program_run(&load_taluva, argc, argv);
}
