#include <load_taluva/game.h>

#include "parts.h"
#include <stddef.h>
#include <string.h>

/* ---- the command line */

struct taluva_load_options {
    unsigned players, tiles; /* tiles 0: as the edition has it */
    const char *preset, *zone;
    bool teams, ranking, boats, two_hex;
};

_Static_assert(sizeof(struct taluva_load_options) <= LOAD_GAME_OPTIONS_MAX, "see load/game.h");

static const char *const presets[] = {"ferti-2014", "ferti-2013", "original-2006", NULL};
static const char *const zones[] = {"none", "beginner", "player", "expert", NULL};

#define AT(field) offsetof(struct taluva_load_options, field)

/* clang-format off */
static const struct option_row rows[] = {
    {"players", 0, OPTION_COUNT, "N", "seats of each room, 2 to 5 (2)", AT(players), 2, 5, 2, NULL},
    {"preset", 0, OPTION_WORD, "NAME", "the edition", AT(preset), 0, 0, 0, presets},
    {"tiles", 0, OPTION_COUNT, "N", "24, 36, 48 or 60", AT(tiles), 24, 60, 0, NULL},
    {"zone", 0, OPTION_WORD, "NAME", "the board", AT(zone), 0, 0, 0, zones},
    {"teams", 0, OPTION_FLAG, NULL, "two against two", AT(teams), 0, 0, 0, NULL},
    {"ranking", 0, OPTION_FLAG, NULL, "the ranking variant", AT(ranking), 0, 0, 0, NULL},
    {"boats", 0, OPTION_FLAG, NULL, "with boats", AT(boats), 0, 0, 0, NULL},
    {"two-hex", 0, OPTION_FLAG, NULL, "with 2-Hex tiles", AT(two_hex), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

static unsigned count_players(const void *options, unsigned room)
{
    (void)room;
    return ((const struct taluva_load_options *)options)->players;
}

static void set_member(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static json_t *create_options(const void *values, unsigned room)
{
    const struct taluva_load_options *options = values;
    (void)room;
    json_t *all = json_pack("{s:i}", "players", (int)options->players);
    if (options->tiles > 0)
        set_member(all, "tiles", json_integer((json_int_t)options->tiles));
    if (options->preset)
        set_member(all, "preset", json_string(options->preset));
    if (options->zone)
        set_member(all, "zone", json_string(options->zone));
    if (options->teams)
        set_member(all, "teams", json_true());
    if (options->ranking)
        set_member(all, "ranking", json_true());
    if (options->boats)
        set_member(all, "boats", json_true());
    if (options->two_hex)
        set_member(all, "two_hex", json_true());
    return all;
}

/* ---- the copy */

static bool begin_copy(void *copy, const json_t *state)
{
    return taluva_copy_begin(copy, state);
}

static int acting_seat(const void *copy)
{
    const struct taluva *game = copy;
    return game->step == TALUVA_STEP_OVER ? LOAD_GAME_OVER : game->seat;
}

static void choose_move(const void *copy, struct rng *rng, struct load_move *out)
{
    taluva_choose(copy, rng, out);
}

static bool apply_move(void *copy, const struct load_move *move, const json_t *event,
                       const json_t *state)
{
    (void)event;
    return taluva_copy_play(copy, move->text, move->confirm, state);
}

static bool follow_push(void *copy, const struct load_move *move, struct scan push)
{
    return taluva_copy_follow(copy, move, push);
}

/* Everybody is told the move as it was sent. */
static bool tells_move(const void *copy, const struct load_move *move, unsigned viewer,
                       const json_t *event)
{
    const char *told = json_string_value(json_object_get(event, "move"));
    (void)copy;
    (void)viewer;
    return told && strcmp(told, move->text) == 0;
}

static const char *find_difference(const void *copy, unsigned viewer, const json_t *state,
                                   bool whole)
{
    (void)viewer;
    return taluva_copy_difference(copy, state, whole);
}

const struct load_game load_taluva = {
    .name = "taluva",
    .rows = rows,
    .options_size = sizeof(struct taluva_load_options),
    .players = count_players,
    .create_options = create_options,
    .copy_size = sizeof(struct taluva),
    .begin = begin_copy,
    .acting = acting_seat,
    .choose = choose_move,
    .play = apply_move,
    .follow = follow_push,
    .tells = tells_move,
    .difference = find_difference,
};
