#include <load_totem/game.h>

#include "parts.h"
#include <stddef.h>

/* ---- the command line */

struct totem_load_options {
    unsigned players, rounds; /* rounds 0: the server's default */
    const char *first, *spells, *meals;
    bool village, totem_a, totem_b, mix;
};

_Static_assert(sizeof(struct totem_load_options) <= LOAD_GAME_OPTIONS_MAX, "see load/game.h");

static const char *const firsts[] = {"drawn", "R", "G", "B", "Y", NULL};
static const char *const spells[] = {"turns", "A", "B", NULL};
static const char *const meals[] = {"owner", "A", "B", NULL};
enum { VARIANTS = 3, PLAYERS_LEAST = 2, PLAYERS_MOST = 4 };

#define AT(field) offsetof(struct totem_load_options, field)

/* clang-format off */
static const struct option_row rows[] = {
    {"players", 0, OPTION_COUNT, "N", "seats of each room, 2 to 4 (2)", AT(players), PLAYERS_LEAST, PLAYERS_MOST, PLAYERS_LEAST, NULL},
    {"first", 0, OPTION_WORD, "WORD", "the family that begins", AT(first), 0, 0, 0, firsts},
    {"rounds", 0, OPTION_COUNT, "N", "the last round (24)", AT(rounds), 1, TOTEM_ROUNDS_MAX, 0, NULL},
    {"spells", 0, OPTION_WORD, "WORD", "how spells are laid", AT(spells), 0, 0, 0, spells},
    {"meals", 0, OPTION_WORD, "WORD", "who decides who starves", AT(meals), 0, 0, 0, meals},
    {"village", 0, OPTION_FLAG, NULL, "a family that begins again gets less", AT(village), 0, 0, 0, NULL},
    {"totem-a", 0, OPTION_FLAG, NULL, "without elders the whole pole falls", AT(totem_a), 0, 0, 0, NULL},
    {"totem-b", 0, OPTION_FLAG, NULL, "elders, then birds, settle a tie", AT(totem_b), 0, 0, 0, NULL},
    {"mix", 0, OPTION_FLAG, NULL, "seats and variants differ from room to room", AT(mix), 0, 0, 0, NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, 0, 0, 0, NULL},
};
/* clang-format on */

/* A mixed room's options follow from its number alone. */
static struct totem_load_options options_of(const void *values, unsigned room)
{
    struct totem_load_options options = *(const struct totem_load_options *)values;
    struct rng rng = {room};
    if (!options.mix)
        return options;
    options.players = PLAYERS_LEAST + rng_below(&rng, PLAYERS_MOST - PLAYERS_LEAST + 1);
    options.spells = spells[rng_below(&rng, VARIANTS)];
    options.meals = meals[rng_below(&rng, VARIANTS)];
    options.village = rng_below(&rng, 2) == 1;
    options.totem_a = rng_below(&rng, 2) == 1;
    options.totem_b = rng_below(&rng, 2) == 1;
    return options;
}

static unsigned count_players(const void *values, unsigned room)
{
    return options_of(values, room).players;
}

static void set_member(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void set_word(json_t *object, const char *key, const char *word)
{
    if (word)
        set_member(object, key, json_string(word));
}

static json_t *create_options(const void *values, unsigned room)
{
    const struct totem_load_options options = options_of(values, room);
    json_t *all =
        json_pack("{s:i, s:b, s:b, s:b}", "players", (int)options.players, "village",
                  options.village, "totem_a", options.totem_a, "totem_b", options.totem_b);
    if (options.rounds > 0)
        set_member(all, "rounds", json_integer((json_int_t)options.rounds));
    set_word(all, "first", options.first);
    set_word(all, "spells", options.spells);
    set_word(all, "meals", options.meals);
    return all;
}

/* ---- the copy */

static bool begin_copy(void *copy, const json_t *state)
{
    return totem_copy_begin(copy, state);
}

static int acting_seat(const void *value)
{
    const struct totem_copy *copy = value;
    const struct totem *game = &copy->game;
    return game->step == TOTEM_STEP_OVER
               ? LOAD_GAME_OVER
               : (int)totem_seat_of(&game->options, totem_choose_family(game));
}

static void choose_move(const void *value, struct rng *rng, struct load_move *out)
{
    const struct totem_copy *copy = value;
    struct totem_command command;
    char text[TOTEM_COMMAND_TEXT];
    _Static_assert(sizeof text <= sizeof out->text, "a command is a move");
    totem_choose(&copy->game, rng, &command);
    *out = (struct load_move){.confirm = false};
    totem_command_format(&command, out->text);
}

static bool apply_move(void *copy, const struct load_move *move, const json_t *event,
                       const json_t *state)
{
    (void)state;
    return totem_copy_play(copy, move->text, event);
}

static bool follow_push(void *copy, const struct load_move *move, struct scan push)
{
    return totem_copy_follow(copy, move->text, push);
}

static bool tells_move(const void *copy, const struct load_move *move, unsigned viewer,
                       const json_t *event)
{
    (void)move;
    return totem_copy_tells(copy, viewer, event);
}

static const char *find_difference(const void *copy, unsigned viewer, const json_t *state,
                                   bool whole)
{
    return totem_copy_difference(copy, viewer, state, whole);
}

const struct load_game load_totem = {
    .name = "totem",
    .rows = rows,
    .options_size = sizeof(struct totem_load_options),
    .players = count_players,
    .create_options = create_options,
    .hides = true,
    .copy_size = sizeof(struct totem_copy),
    .begin = begin_copy,
    .acting = acting_seat,
    .choose = choose_move,
    .play = apply_move,
    .follow = follow_push,
    .tells = tells_move,
    .difference = find_difference,
};
