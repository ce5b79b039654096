#include <cli/program.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <locale.h>

/* The only place that knows which games there are. */
static const struct game *const games[] = {&game_taluva, NULL};
static const struct game *const checked[] = {&game_totem, NULL};

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    games_set_checked(checked);
    return program_run(games, argc, argv);
}
