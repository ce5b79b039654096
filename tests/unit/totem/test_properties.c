/*
 * Random games over all options. Usually a few; GAMES and SEED in the environment say how many and
 * which.
 */
#include "invariants.h"
#include <base/rng.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_rules/notation.h>

enum { SOME = 60, FIRST = 1, LIST_MAX = 1024, FORFEIT_ONE_IN = 300, DEFAULT_ONE_IN = 8 };

struct world {
    struct rng dice;
    struct totem game;
    struct totem_births births;
    uint8_t births_round;
};

static unsigned below(struct world *world, unsigned n)
{
    return (unsigned)(rng_next(&world->dice) % n);
}

/* ---- playing */

static void world_init(struct world *world, uint64_t seed)
{
    memset(world, 0, sizeof *world);
    world->dice = (struct rng){seed};
    struct totem_options options = {.players = (uint8_t)(2 + below(world, 3))};
    options.first = (uint8_t)below(world, totem_families(&options));
    options.rounds = (uint8_t)(1 + below(world, 12));
    options.spells = (uint8_t)below(world, 3);
    options.meals = (uint8_t)below(world, 3);
    options.village = below(world, 2) == 0;
    options.totem_a = below(world, 2) == 0;
    options.totem_b = below(world, 2) == 0;
    ck_assert_int_eq(totem_check_options(&options), TOTEM_OK);
    totem_init(&world->game, &options);
}

/* The births of a round are the same whoever asks and when. */
static void draw_births(struct world *world)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL && world->births_round != world->game.round; hut++)
        world->births.words[hut] = (uint16_t)below(world, 1U << TOTEM_CHILDREN_MAX);
    world->births_round = world->game.round;
}

static unsigned pick_family(struct world *world, unsigned families)
{
    unsigned family;
    do {
        family = below(world, TOTEM_FAMILIES);
    } while ((families >> family & 1) == 0);
    return family;
}

/* People of the default move to other huts where there is room. */
static void shuffle_settle(struct world *world, struct totem_command *command)
{
    for (unsigned i = 0; i < 12; i++) {
        struct totem_people *const from = &command->people[below(world, TOTEM_HUTS)];
        struct totem_people *const to = &command->people[below(world, TOTEM_HUTS)];
        const unsigned kind = below(world, TOTEM_KINDS);
        if (from->of[kind] > 0 && (from == to || totem_count(to) < 6)) {
            from->of[kind]--;
            to->of[kind]++;
        }
    }
}

static void random_write(struct world *world, struct totem_command *command)
{
    unsigned left = below(world, totem_allowance(&world->game, command->family) + 1);
    while (left-- > 0) {
        const unsigned hut = below(world, TOTEM_HUTS_ALL);
        if (world->game.families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            command->puts.hut[below(world, TOTEM_SPELLS)] = (uint8_t)hut;
    }
}

static struct totem_command next_command(struct world *world, unsigned family)
{
    static struct totem_command list[LIST_MAX];
    struct totem_command command;
    const size_t count = totem_list(&world->game, family, list, LIST_MAX);
    if (count > 0 && below(world, DEFAULT_ONE_IN) > 0)
        return list[below(world, (unsigned)(count < LIST_MAX ? count : LIST_MAX))];
    totem_default_command(&world->game, family, &command);
    if (command.verb == TOTEM_VERB_SETTLE)
        shuffle_settle(world, &command);
    else if (command.verb == TOTEM_VERB_WRITE)
        random_write(world, &command);
    return command;
}

/* ---- games */

static void hold(const struct totem *game)
{
    totem_broken_about(game);
    hold_totem_played(game);
    hold_totem_round_trip(game);
    hold_totem_hidden(game);
}

/* Taken back and written again, it is as it was. */
static void hold_taking_back(struct world *world, unsigned seat,
                             const struct totem_command *command)
{
    const struct totem before = world->game;
    if (!totem_may_take_back(&world->game, command->family))
        return;
    totem_take_back(&world->game, command->family);
    hold(&world->game);
    ck_assert_uint_ne(totem_acting(&world->game) >> command->family & 1, 0);
    ck_assert_int_eq(totem_play(&world->game, seat, command, &world->births, NULL), TOTEM_OK);
    ck_assert_mem_eq(&world->game, &before, sizeof before);
}

static void step(struct world *world)
{
    struct totem_effects effects;
    const struct totem before = world->game;
    const unsigned family = pick_family(world, totem_acting(&world->game));
    const unsigned seat = totem_seat_of(&world->game.options, family);
    draw_births(world);
    if (below(world, FORFEIT_ONE_IN) == 0) {
        const unsigned leaver = below(world, world->game.options.players);
        if (totem_forfeit(&world->game, leaver, &world->births, &effects) == TOTEM_OK)
            hold_totem_effects(&before, NULL, &world->game, &effects);
        return;
    }
    const struct totem_command command = next_command(world, family);
    char text[TOTEM_COMMAND_TEXT];
    totem_command_format(&command, text);
    const enum totem_status status =
        totem_play(&world->game, seat, &command, &world->births, &effects);
    ck_assert_msg(status == TOTEM_OK, "%s: %s", text, totem_status_code(status));
    hold_totem_effects(&before, &command, &world->game, &effects);
    hold_taking_back(world, seat, &command);
}

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

START_TEST(test_random_games)
{
    const unsigned long games = from_environment("GAMES", SOME);
    const unsigned long seed = from_environment("SEED", FIRST);
    unsigned long steps = 0;
    unsigned ends = 0;
    for (unsigned long i = 0; i < games; i++) {
        struct world world;
        world_init(&world, (seed << 20) + i);
        while (world.game.step != TOTEM_STEP_OVER) {
            hold(&world.game);
            step(&world);
            steps++;
        }
        hold(&world.game);
        ends |= 1U << world.game.end;
    }
    (void)printf("%lu games, %lu commands\n", games, steps);
    ck_assert_uint_eq(ends & 1U, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("properties");
    TCase *tests = tcase_create("properties");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, test_random_games);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
