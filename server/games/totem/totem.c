/* What Totem is to a room, put together from this folder. */
#include "totem_match.h"
#include <totem/game.h>

static const char *const colours[] = {"red", "green", "blue", "yellow", NULL};

const struct game_type game_type_totem = {
    .name = "totem",
    .size = sizeof(struct totem_match),
    .hidden = true,
    .colours = colours,
    .colours_fixed = true,
    .seats_max = TOTEM_SEATS_MAX,
    .move_bytes = TOTEM_COMMAND_BYTES,
    .rules_version = 1,
    .rules = &totem_rules,
    .views = &totem_views,
    .record = &totem_record,
    .computer = &totem_computer,
};
