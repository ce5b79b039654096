/* What Taluva is to a room, put together from this folder. */
#include "taluva_match.h"
#include <taluva/game.h>

static const char *const colours[] = {"red", "white", "yellow", "brown", "black", NULL};

const struct game_type game_type_taluva = {
    .name = "taluva",
    .size = sizeof(struct taluva_match),
    .colours = colours,
    .seats_max = TALUVA_SEATS_MAX,
    .move_bytes = 64, /* the longest legal one has about half of that */
    .rules_version = TALUVA_RULES_VERSION,
    .rules = &taluva_rules,
    .views = &taluva_views,
    .record = &taluva_record,
    .computer = &taluva_computer,
    .analyst = &taluva_analyst,
    .drawing = taluva_drawing,
};
