#include <base/program.h>
#include <load/program.h>
#include <load_taluva/game.h>
#include <load_totem/game.h>

/* The only place that knows which games there are. */
static const struct load_game *const games[] = {&load_taluva, &load_totem, NULL};

int main(int argc, char **argv)
{
    program_begin();
    return program_end("taluva-load", program_run(games, argc, argv));
}
