/*
 * Random games over random option sets. Usually a few; GAMES and SEED in the environment say how
 * many and which.
 */
#include "../../support/run_suites.h"
#include "invariants.h"
#include "rotation.h"
#include "suites.h"
#include "world.h"
#include <rules/notation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOME = 15, FIRST = 1 };

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

/* Plays games, and calls `look` before each command. */
static void play_games(void (*look)(struct world *world))
{
    const unsigned long games = from_environment("GAMES", SOME);
    const unsigned long seed = from_environment("SEED", FIRST);
    for (unsigned long i = 0; i < games; i++) {
        struct world world;
        world_init(&world, (seed << 20) + i);
        invariant_about(&world.game);
        while (world.game.step != TALUVA_STEP_OVER) {
            look(&world);
            const struct command command = world_next(&world);
            HOLD(command_check(&world.game, &command) == TALUVA_OK);
            HOLD(command_do(&world.game, &command, NULL) == TALUVA_OK);
        }
        look(&world);
    }
}

static bool now_and_then(struct world *world, uint32_t one_in)
{
    return rng_scaled(&world->dice, one_in) == 0;
}

static void look_at_invariants(struct world *world)
{
    hold_invariants(&world->game);
    hold_round_trip(&world->game);
}

START_TEST(test_invariants_and_round_trips)
{
    play_games(look_at_invariants);
}
END_TEST

/*
 * The same moment, had eruptions taken most of the huts: few can build then, and the flags are
 * about something. False if no game gets there.
 */
static bool impoverish(struct world *world, struct taluva *out)
{
    char text[TALUVA_POSITION_TEXT];
    static struct taluva poor;
    poor = world->game;
    for (unsigned seat = 0; seat < poor.options.seats; seat++) {
        const uint32_t huts = rng_scaled(&world->dice, 4);
        if (huts < poor.reserve[seat][TALUVA_HUT])
            poor.reserve[seat][TALUVA_HUT] = (uint8_t)huts;
    }
    const size_t len = taluva_position_format(&poor, text);
    return taluva_position_parse(text, len, out, NULL);
}

static void look_at_lists(struct world *world)
{
    static struct taluva poor;
    if (now_and_then(world, 6))
        hold_lists(&world->game);
    if (now_and_then(world, 4) && impoverish(world, &poor))
        hold_lists(&poor);
}

START_TEST(test_lists_are_what_checks_allow)
{
    play_games(look_at_lists);
}
END_TEST

static void look_at_nonsense(struct world *world)
{
    for (int i = 0; i < 20; i++) {
        const struct command command = world_nonsense(world);
        const enum taluva_status status = command_check(&world->game, &command);
        struct taluva after = world->game;
        struct taluva_effects effects;
        HOLD(command_do(&after, &command, &effects) == status);
        HOLD(taluva_status_text(status));
        if (status == TALUVA_OK)
            hold_effects(&world->game, &after, &effects);
        else
            HOLD(memcmp(&after, &world->game, sizeof after) == 0);
    }
}

START_TEST(test_a_refusal_changes_no_byte)
{
    play_games(look_at_nonsense);
}
END_TEST

static void look_at_effects(struct world *world)
{
    if (world->game.step != TALUVA_STEP_OVER) {
        struct world copy = *world;
        struct taluva_effects effects;
        const struct command command = world_next(&copy);
        HOLD(command_do(&copy.game, &command, &effects) == TALUVA_OK);
        hold_effects(&world->game, &copy.game, &effects);
    }
}

START_TEST(test_effects_are_the_difference)
{
    play_games(look_at_effects);
}
END_TEST

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct taluva_placement));
}

static void hold_turned_lists(const struct taluva *game, const struct taluva *turned,
                              taluva_tile tile, unsigned sixths)
{
    static struct taluva_placement here[TALUVA_PLACEMENTS_MAX], there[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, here, NULL);
    HOLD(taluva_list_placements(turned, tile, there, NULL) == n);
    for (size_t i = 0; i < n; i++)
        here[i] = rotate_placement(here[i], sixths);
    qsort(here, n, sizeof here[0], by_bytes);
    qsort(there, n, sizeof there[0], by_bytes);
    HOLD(memcmp(here, there, n * sizeof here[0]) == 0);
}

/* Turn and play, or play and turn. */
static void look_at_rotations(struct world *world)
{
    if (world->game.step == TALUVA_STEP_OVER || world->game.n_cells == 0 || !now_and_then(world, 4))
        return;
    const unsigned sixths = 1 + rng_scaled(&world->dice, 5);
    static struct taluva turned, turned_after;
    struct world copy = *world;
    rotate_game(&world->game, sixths, &turned);
    hold_turned_lists(&world->game, &turned, TALUVA_TILE_2VL, sixths);
    hold_turned_lists(&world->game, &turned, TALUVA_TILE_2VV, sixths);
    hold_turned_lists(&world->game, &turned, 0, sixths);
    HOLD(taluva_list_builds(&world->game, NULL) == taluva_list_builds(&turned, NULL));
    const struct command command = world_next(&copy);
    const struct command other = rotate_command(&turned, &command, sixths);
    HOLD(command_do(&copy.game, &command, NULL) == TALUVA_OK);
    HOLD(command_do(&turned, &other, NULL) == TALUVA_OK);
    rotate_game(&copy.game, sixths, &turned_after);
    char a[TALUVA_POSITION_TEXT], b[TALUVA_POSITION_TEXT];
    taluva_position_format(&turned, a);
    taluva_position_format(&turned_after, b);
    HOLD(strcmp(a, b) == 0);
}

START_TEST(test_rotations_commute_with_playing)
{
    play_games(look_at_rotations);
}
END_TEST

/* Counted by playing every turn. */
static uint64_t slow_perft(const struct taluva *game, const taluva_tile *deck, unsigned turns)
{
    if (turns == 0)
        return 1;
    uint64_t sum = 0;
    const unsigned take = taluva_may_take(game);
    for (unsigned i = 0; i <= TALUVA_TWO_HEX_MAX; i++) {
        if ((take >> i & 1) == 0)
            continue;
        const bool draws = i == TALUVA_TWO_HEX_MAX;
        const taluva_tile tile = draws ? deck[0] : (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
        struct taluva drawn = *game;
        HOLD(!draws || taluva_draw(&drawn, game->seat, tile, NULL) == TALUVA_OK);
        struct taluva_placement *placements = malloc(TALUVA_PLACEMENTS_MAX * sizeof *placements);
        const size_t n = taluva_list_placements(&drawn, tile, placements, NULL);
        for (size_t j = 0; j < n; j++) {
            struct taluva placed = drawn;
            struct taluva_build builds[TALUVA_BUILDS_MAX];
            HOLD(taluva_place(&placed, game->seat, &placements[j], true, NULL) == TALUVA_OK);
            if (placed.step != TALUVA_STEP_BUILD) {
                sum += slow_perft(&placed, deck + draws, turns - 1);
                continue;
            }
            const size_t n_builds = taluva_list_builds(&placed, builds);
            for (size_t l = 0; l < n_builds; l++) {
                struct taluva built = placed;
                HOLD(taluva_build(&built, game->seat, &builds[l], NULL) == TALUVA_OK);
                sum += slow_perft(&built, deck + draws, turns - 1);
            }
        }
        free(placements);
    }
    return sum;
}

static void look_at_counts(struct world *world)
{
    if (world->game.step != TALUVA_STEP_DRAW || !now_and_then(world, 3))
        return;
    const taluva_tile *deck = world->deck + world->drawn;
    const size_t n_deck = world->game.stack;
    const unsigned turns = world->game.n_cells < 4 ? 2 : 1;
    HOLD(taluva_perft(&world->game, deck, n_deck, turns) == slow_perft(&world->game, deck, turns));
}

START_TEST(test_counts_are_those_of_playing)
{
    play_games(look_at_counts);
}
END_TEST

/* The placement or hex that lies furthest in a direction. */
static int reach(struct taluva_hex hex, unsigned direction)
{
    static const int q[] = {2, 1, -1, -2, -1, 1}, r[] = {1, 2, 1, -1, -2, -1};
    return q[direction] * hex.q + r[direction] * hex.r;
}

static void place_furthest(struct taluva *game, taluva_tile tile, unsigned direction)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, NULL);
    size_t best = 0;
    int most = -10000;
    for (size_t i = 0; i < n; i++) {
        struct taluva_hex hexes[3];
        const size_t n_hexes = taluva_placement_hexes(&all[i], hexes);
        for (size_t j = 0; j < n_hexes; j++) {
            if (reach(hexes[j], direction) > most) {
                most = reach(hexes[j], direction);
                best = i;
            }
        }
    }
    HOLD(taluva_place(game, game->seat, &all[best], true, NULL) == TALUVA_OK);
}

/* The last placement is made on an island as long as there can be. */
START_TEST(test_the_longest_islands)
{
    const struct taluva_options options = {.seats = 5, .tiles = 60, .two_hex = 31, .boats = true};
    for (unsigned direction = 0; direction < 6; direction++) {
        struct taluva game;
        struct taluva_build builds[TALUVA_BUILDS_MAX];
        HOLD(taluva_init(&game, &options) == TALUVA_OK);
        invariant_about(&game);
        while (game.step != TALUVA_STEP_OVER) {
            unsigned tile = 0;
            while ((taluva_may_take(&game) >> tile & 1) == 0)
                tile++;
            if (tile == TALUVA_TWO_HEX_MAX)
                HOLD(taluva_draw(&game, game.seat, 0, NULL) == TALUVA_OK);
            place_furthest(
                &game, tile == TALUVA_TWO_HEX_MAX ? 0 : (taluva_tile)(TALUVA_TILE_TWO_HEX + tile),
                direction);
            if (game.step == TALUVA_STEP_BUILD) {
                HOLD(taluva_list_builds(&game, builds) > 0);
                HOLD(taluva_build(&game, game.seat, &builds[0], NULL) == TALUVA_OK);
            }
        }
        ck_assert_uint_eq(game.n_cells, TALUVA_HEXES_MAX);
        hold_invariants(&game);
        hold_round_trip(&game);
    }
}
END_TEST

/* What the random games have been to, so that none of the above was about nothing. */
START_TEST(test_games_go_everywhere)
{
    unsigned ends[TALUVA_ENDS] = {0}, boats = 0, high = 0, finished = 0, covered = 0, taken = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct world world;
        world_init(&world, seed);
        while (world.game.step != TALUVA_STEP_OVER) {
            struct taluva_effects effects;
            const struct command command = world_next(&world);
            const uint8_t offered = world.game.two_hex;
            HOLD(command_do(&world.game, &command, &effects) == TALUVA_OK);
            for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
                covered += effects.huts_covered[seat] > 0;
            taken += world.game.two_hex != offered;
        }
        ends[world.game.end]++;
        boats += world.game.n_boats > 1;
        finished += world.game.n_finished;
        for (unsigned i = 0; i < world.game.n_cells; i++)
            high += world.game.cells[i].level >= 4;
    }
    for (unsigned end = TALUVA_END_TWO_KINDS; end < TALUVA_ENDS; end++)
        ck_assert_msg(ends[end] > 0, "no game ended by %s", taluva_end_name((enum taluva_end)end));
    ck_assert(boats > 0 && high > 0 && finished > 0 && covered > 0 && taken > 0);
}
END_TEST

static Suite *properties_suite(void)
{
    Suite *suite = suite_create("properties");
    TCase *tests = tcase_create("properties");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, test_invariants_and_round_trips);
    tcase_add_test(tests, test_lists_are_what_checks_allow);
    tcase_add_test(tests, test_a_refusal_changes_no_byte);
    tcase_add_test(tests, test_effects_are_the_difference);
    tcase_add_test(tests, test_rotations_commute_with_playing);
    tcase_add_test(tests, test_counts_are_those_of_playing);
    tcase_add_test(tests, test_the_longest_islands);
    tcase_add_test(tests, test_games_go_everywhere);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suites(srunner_create(properties_suite()));
}
