#include <cli/program.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <locale.h>

/* The only place that knows which games there are. */
static const struct game *const games[] = {&game_taluva, &game_totem, NULL};

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    return program_run(games, argc, argv);
}
