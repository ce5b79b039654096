#include "create.h"

#include "parts.h"
#include <cli/create.h>
#include <stddef.h>

static const char *const presets[] = {"ferti-2014", "ferti-2013", "original-2006", "custom", NULL};
static const char *const huts[] = {"isolated", "anywhere", NULL};
static const char *const zones[] = {"none", "beginner", "player", "expert", NULL};

#define AT(field) offsetof(struct taluva_create, field)
enum { NOT_GIVEN = CREATE_NOT_GIVEN };

/* clang-format off */
const struct option_row taluva_create_rows[] = {
    {"players", 0, OPTION_NUMBER, "N", "how many play (2)", AT(players), 2, 5, NOT_GIVEN, NULL},
    {"preset", 0, OPTION_WORD, "WORD", "the edition whose rules are played", AT(preset), 0, 0, 0, presets},
    {"tiles", 0, OPTION_NUMBER, "N", "24, 36, 48 or 60 tiles instead of the edition's number", AT(tiles), 24, 60,
     NOT_GIVEN, NULL},
    {"huts", 0, OPTION_WORD, "WORD", "where single huts may be built, instead of the edition's way", AT(huts), 0, 0, 0,
     huts},
    {"first", 0, OPTION_NUMBER, "SEAT", "who begins, instead of a draw", AT(first), 0, 4, NOT_GIVEN, NULL},
    {"teams", 0, OPTION_FLAG, NULL, "four players, seats 0 and 2 against 1 and 3", AT(teams), 0, 0, 0, NULL},
    {"ranking", 0, OPTION_FLAG, NULL, "the ranking variant: play on for the other places", AT(ranking), 0, 0, 0, NULL},
    {"boats", 0, OPTION_FLAG, NULL, "the expansion's boats", AT(boats), 0, 0, 0, NULL},
    {"two-hex", 0, OPTION_FLAG, NULL, "the expansion's 2-Hex tiles", AT(two_hex), 0, 0, 0, NULL},
    {"zone", 0, OPTION_WORD, "WORD", "the expansion's board", AT(zone), 0, 0, 0, zones},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

_Static_assert(sizeof(struct taluva_create) <= GAME_OPTIONS_MAX, "see cli/game.h");

json_t *taluva_create_options(const void *values)
{
    const struct taluva_create *options = values;
    json_t *all = json_object();
    create_set_number(all, "players", options->players);
    create_set_text(all, "preset", options->preset);
    create_set_number(all, "tiles", options->tiles);
    create_set_text(all, "huts", options->huts);
    create_set_number(all, "first", options->first);
    create_set_flag(all, "teams", options->teams);
    create_set_flag(all, "ranking", options->ranking);
    create_set_flag(all, "boats", options->boats);
    create_set_flag(all, "two_hex", options->two_hex);
    create_set_text(all, "zone", options->zone);
    return all;
}
