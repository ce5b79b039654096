#include <base/program.h>
#include <cli/program.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <locale.h>
#include <taluva/game.h>
#include <totem/game.h>

/* The only place that knows which games there are: as the client and as a server knows them. */
static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
static const struct game_type *const game_types[] = {&game_type_taluva, &game_type_totem, NULL};

int main(int argc, char **argv)
{
    program_begin();
    setlocale(LC_CTYPE, "");
    return program_end("taluva", program_run(games, game_types, argc, argv));
}
