/*
 * Random games over all options. Usually a few; GAMES and SEED in the environment say how many and
 * which.
 */
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

/* ---- what is always so (§10) */

static void hold_family(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    const struct totem_people all = totem_everybody(family);
    const unsigned people = totem_count(&all);
    if (family->state != TOTEM_FAMILY_PLAYING) {
        struct totem_family gone = {.state = family->state};
        ck_assert_mem_eq(family, &gone, sizeof gone);
        return;
    }
    ck_assert(people == 0 || (totem_count_women(&all) > 0 && totem_count_men(&all) > 0));
    ck_assert_uint_le(family->pieces, TOTEM_PIECES_MAX);
    ck_assert(family->pieces >= 1 || game->options.totem_a);
    if (game->step == TOTEM_STEP_CHOOSE || game->step == TOTEM_STEP_CAST ||
        game->step == TOTEM_STEP_WRITE || game->step == TOTEM_STEP_REVEAL_BIRTHS) {
        ck_assert_uint_le(people, 18);
        ck_assert_uint_eq(all.of[TOTEM_GIRL] + all.of[TOTEM_BOY], 0);
        for (unsigned hut = 0; hut < TOTEM_HUTS; hut++)
            ck_assert_uint_le(totem_count(&family->huts[hut]), 6);
    }
}

static void hold_always(const struct totem *game)
{
    ck_assert_uint_le(totem_supply(game), TOTEM_BIRDS);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        hold_family(game, family);
    const bool over = game->step == TOTEM_STEP_OVER;
    ck_assert((totem_acting(game) == 0) == over);
    ck_assert_uint_eq(totem_acting_seats(game) & ~totem_seats_in_play(game), 0);
    ck_assert((game->end != TOTEM_END_NONE) == over);
}

/* A position holds the whole game: read back, it is the same bytes. */
static void hold_round_trip(const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT];
    struct totem read;
    const char *what = "";
    memset(&read, 0xa5, sizeof read);
    const size_t len = totem_position_format(game, TOTEM_SERVER, text);
    ck_assert_uint_eq(len, strlen(text));
    ck_assert_msg(totem_position_parse(text, len, &read, NULL, &what), "%s: %s", text, what);
    ck_assert_msg(memcmp(&read, game, sizeof read) == 0, "%s", text);
}

static void hold_effects(const struct totem_effects *effects)
{
    unsigned born[TOTEM_HUTS_ALL] = {0};
    for (size_t i = 0; i < effects->count; i++) {
        const struct totem_effect *const effect = &effects->list[i];
        if (effect->kind == TOTEM_EFFECT_BORN) {
            born[effect->hut] += totem_count(&effect->people[0]);
            ck_assert_uint_le(born[effect->hut], TOTEM_CHILDREN_MAX);
        }
    }
}

/* ---- who knows what (§7) */

/* Another game that this audience cannot tell from it: what others hide is something else. */
static void exchange_hidden(struct totem *game, unsigned audience)
{
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        struct totem_family *const family = &game->families[index];
        if (totem_may_know(&game->options, audience, index))
            continue;
        struct totem_spell_place hidden[TOTEM_SPELLS];
        unsigned at[TOTEM_SPELLS], n = 0;
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            if (family->spells[spell].state != TOTEM_SPELL_UP) {
                at[n] = spell;
                hidden[n++] = family->spells[spell];
            }
        }
        for (unsigned i = 0; i < n; i++)
            family->spells[at[i]] = hidden[(i + 1) % n];
        if (family->note.written && game->step == TOTEM_STEP_WRITE)
            memset(&family->note.puts, TOTEM_NONE, sizeof family->note.puts);
        else if (family->note.written)
            memset(family->note.people, 0, sizeof family->note.people);
    }
}

static void hold_hidden(const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT], other_text[TOTEM_POSITION_TEXT];
    for (unsigned i = 0; i <= game->options.players; i++) {
        const unsigned audience = i == game->options.players ? (unsigned)TOTEM_WATCHER : i;
        struct totem other = *game;
        exchange_hidden(&other, audience);
        totem_position_format(game, audience, text);
        totem_position_format(&other, audience, other_text);
        ck_assert_str_eq(text, other_text);
        ck_assert_uint_eq(totem_acting(game), totem_acting(&other));
    }
}

/* ---- games */

static void hold(const struct totem *game)
{
    hold_always(game);
    hold_round_trip(game);
    hold_hidden(game);
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
    const unsigned family = pick_family(world, totem_acting(&world->game));
    const unsigned seat = totem_seat_of(&world->game.options, family);
    draw_births(world);
    if (below(world, FORFEIT_ONE_IN) == 0) {
        const unsigned leaver = below(world, world->game.options.players);
        (void)totem_forfeit(&world->game, leaver, &world->births, &effects);
        return;
    }
    const struct totem_command command = next_command(world, family);
    char text[TOTEM_COMMAND_TEXT];
    totem_command_format(&command, text);
    const enum totem_status status =
        totem_play(&world->game, seat, &command, &world->births, &effects);
    ck_assert_msg(status == TOTEM_OK, "%s: %s", text, totem_status_code(status));
    hold_effects(&effects);
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
