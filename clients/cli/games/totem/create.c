#include "create.h"

#include "parts.h"
#include <cli/create.h>
#include <stddef.h>

static const char *const firsts[] = {"drawn", "R", "G", "B", "Y", NULL};
static const char *const spells[] = {"turns", "A", "B", NULL};
static const char *const meals[] = {"owner", "A", "B", NULL};

#define AT(field) offsetof(struct totem_create, field)
enum { NOT_GIVEN = CREATE_NOT_GIVEN };

/* clang-format off */
const struct option_row totem_create_rows[] = {
    {"players", 0, OPTION_NUMBER, "N", "how many play (4); two lead two families each", AT(players), 2, 4, NOT_GIVEN, NULL},
    {"first", 0, OPTION_WORD, "WORD", "the family that begins", AT(first), 0, 0, 0, firsts},
    {"rounds", 0, OPTION_NUMBER, "N", "the last round (24)", AT(rounds), 1, 99, NOT_GIVEN, NULL},
    {"spells", 0, OPTION_WORD, "WORD",
     "how spells are laid; turns: chosen first; A: not chosen first; B: all written in secret", AT(spells), 0, 0, 0,
     spells},
    {"meals", 0, OPTION_WORD, "WORD",
     "who decides who starves; owner: the family itself; A: the others in turn; B: the others in secret", AT(meals),
     0, 0, 0, meals},
    {"village", 0, OPTION_FLAG, NULL, "a family that begins again gets less", AT(village), 0, 0, 0, NULL},
    {"totem-a", 0, OPTION_FLAG, NULL, "without elders the whole pole falls", AT(totem_a), 0, 0, 0, NULL},
    {"totem-b", 0, OPTION_FLAG, NULL, "elders, then birds, settle a tie for the largest family", AT(totem_b), 0, 0, 0,
     NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

_Static_assert(sizeof(struct totem_create) <= GAME_OPTIONS_MAX, "see cli/game.h");

json_t *totem_create_options(const void *values)
{
    const struct totem_create *options = values;
    json_t *all = json_object();
    create_set_number(all, "players", options->players);
    create_set_text(all, "first", options->first);
    create_set_number(all, "rounds", options->rounds);
    create_set_text(all, "spells", options->spells);
    create_set_text(all, "meals", options->meals);
    create_set_flag(all, "village", options->village);
    create_set_flag(all, "totem_a", options->totem_a);
    create_set_flag(all, "totem_b", options->totem_b);
    return all;
}
