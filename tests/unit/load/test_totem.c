/* Totem for the load tester: options, random commands, and the copy beside what viewers are sent.
 */
#include "command_line.h"
#include "totem/parts.h"
#include <check.h>
#include <load_totem/game.h>
#include <stdlib.h>
#include <string.h>

Suite *load_totem_suite(void);

/* ---- options */

static const struct load_game *const games[] = {&load_totem, NULL};

static json_t *totem_options(struct options *options, int argc, char **argv, unsigned room)
{
    ck_assert_int_eq(options_read(options, games, argc, argv), OPTIONS_RUN);
    ck_assert_ptr_eq(options->game, &load_totem);
    return load_totem.create_options(options->game_options, room);
}

START_TEST(flags_reach_the_game)
{
    char *argv[] = {(char[]){"taluva-load"}, (char[]){"--game"},     (char[]){"totem"},
                    (char[]){"--players=3"}, (char[]){"--rounds=5"}, (char[]){"--spells=B"},
                    (char[]){"--village"},   (char[]){"--first=G"},  NULL};
    struct options options;
    json_t *create = totem_options(&options, 8, argv, 0);
    json_t *wanted = json_loads("{\"players\":3,\"rounds\":5,\"spells\":\"B\",\"village\":true,"
                                "\"first\":\"G\",\"totem_a\":false,\"totem_b\":false}",
                                0, NULL);
    ck_assert(json_equal(create, wanted));
    ck_assert_uint_eq(load_totem.players(options.game_options, 0), 3);
    json_decref(wanted);
    json_decref(create);
}
END_TEST

/* Rooms enough have every number of seats and every variant; each says twice the same of itself. */
START_TEST(a_mix_has_everything)
{
    enum { ROOMS = 40 };
    char *argv[] = {(char[]){"taluva-load"}, (char[]){"--game=totem"}, (char[]){"--mix"}, NULL};
    struct options options;
    unsigned players = 0, words = 0, flags = 0;
    for (unsigned room = 0; room < ROOMS; room++) {
        json_t *create = totem_options(&options, 3, argv, room);
        const json_int_t seats = json_integer_value(json_object_get(create, "players"));
        ck_assert_int_eq(seats, load_totem.players(options.game_options, room));
        players |= 1U << seats;
        words |= 1U << (*json_string_value(json_object_get(create, "spells")) & 31);
        words |= 1U << (*json_string_value(json_object_get(create, "meals")) & 31);
        flags |= json_is_true(json_object_get(create, "village")) ? 1 : 2;
        flags |= json_is_true(json_object_get(create, "totem_a")) ? 4 : 8;
        flags |= json_is_true(json_object_get(create, "totem_b")) ? 16 : 32;
        json_decref(create);
    }
    ck_assert_uint_eq(players, 1U << 2 | 1U << 3 | 1U << 4);
    ck_assert_uint_eq(words,
                      1U << ('A' & 31) | 1U << ('B' & 31) | 1U << ('t' & 31) | 1U << ('o' & 31));
    ck_assert_uint_eq(flags, 63);
}
END_TEST

/* ---- choosing, and a copy beside what is told */

static void random_totem(struct rng *rng, struct totem_copy *copy)
{
    struct totem_options options = {.players = (uint8_t)(2 + rng_below(rng, 3))};
    options.first = (uint8_t)rng_below(rng, totem_families(&options));
    options.rounds = (uint8_t)(1 + rng_below(rng, 6));
    options.spells = (uint8_t)rng_below(rng, 3);
    options.meals = (uint8_t)rng_below(rng, 3);
    options.village = rng_below(rng, 2) == 0;
    options.totem_a = rng_below(rng, 2) == 0;
    options.totem_b = rng_below(rng, 2) == 0;
    memset(copy, 0, sizeof *copy);
    totem_init(&copy->game, &options);
}

/* The event as the server would send it to the audience. */
static json_t *totem_event(const struct totem_copy *copy, unsigned audience,
                           const struct totem_command *command, const struct totem_births *births)
{
    struct totem game = copy->game;
    struct totem_effects effects;
    char text[TOTEM_EVENT_TEXT];
    json_t *words = json_array();
    const unsigned seat = totem_seat_of(&game.options, command->family);
    ck_assert_int_eq(totem_play(&game, seat, command, births, &effects), TOTEM_OK);
    totem_event_format(&game.options, command, &effects, audience, text);
    const size_t first = strcspn(text, " ");
    for (const char *at = text + first; *at == ' '; at += 1 + strcspn(at + 1, " "))
        json_array_append_new(words, json_stringn(at + 1, strcspn(at + 1, " ")));
    return json_pack("{s:o, s:o}", "move", json_stringn(text, first), "effects", words);
}

/* So does who reads the same in place. */
static void hold_followed(const struct totem_copy *copy, const struct totem_copy *after,
                          const char *move, const json_t *event)
{
    struct totem_copy told = *copy;
    char *text = json_dumps(event, JSON_COMPACT);
    const char *push = text + strlen("{\"move\":\"");
    ck_assert(totem_copy_follow(&told, move, (struct scan){push, push + strlen(push)}));
    ck_assert_mem_eq(&told.game, &after->game, sizeof told.game);
    free(text);
}

/* Who plays along from what a watcher or a seat is told comes to the same game. */
static void hold_told(const struct totem_copy *copy, const struct totem_copy *after,
                      const struct totem_command *command, const struct totem_births *births)
{
    const unsigned viewers[] = {LOAD_WATCHER, 0, 1};
    char move[TOTEM_COMMAND_TEXT];
    totem_command_format(command, move);
    for (size_t i = 0; i < sizeof viewers / sizeof *viewers; i++) {
        struct totem_copy told = *copy;
        json_t *event = totem_event(copy, totem_audience(viewers[i]), command, births);
        ck_assert(totem_copy_play(&told, move, event));
        ck_assert_mem_eq(&told.game, &after->game, sizeof told.game);
        ck_assert(totem_copy_tells(&told, viewers[i], event));
        hold_followed(copy, after, move, event);
        json_object_set_new(event, "effects", json_pack("[s]", "burn@R=36"));
        ck_assert(!totem_copy_tells(&told, viewers[i], event));
        json_object_set_new(event, "move", json_string("another"));
        ck_assert(!totem_copy_tells(&told, viewers[i], event));
        json_decref(event);
    }
}

/* Of each game's commands: FNV-1a. Runs of different versions can be compared. */
static const uint32_t sums[] = {
    1540976650U, 1334979148U, 2104154512U, 278485621U,  3760577169U, 3872434610U,
    2497186672U, 624578000U,  656546874U,  1612314646U, 2290484054U, 1658040511U,
};

START_TEST(commands_are_legal_to_the_end)
{
    uint32_t sum = 0;
    struct rng rng = {(uint64_t)_i};
    struct totem_copy copy;
    unsigned moves = 0;
    random_totem(&rng, &copy);
    for (; copy.game.step != TOTEM_STEP_OVER; moves++) {
        struct totem_copy after = copy;
        struct totem_births births;
        struct totem_command command;
        for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
            births.words[hut] = (uint16_t)rng_below(&rng, 1U << TOTEM_CHILDREN_MAX);
        totem_choose(&copy.game, &rng, &command);
        char text[TOTEM_COMMAND_TEXT];
        totem_command_format(&command, text);
        for (const char *at = text; *at; at++)
            sum = (sum ^ (uint8_t)*at) * 16777619U;
        const unsigned seat = totem_seat_of(&copy.game.options, command.family);
        ck_assert_int_eq(totem_play(&after.game, seat, &command, &births, NULL), TOTEM_OK);
        hold_told(&copy, &after, &command, &births);
        copy = after;
    }
    ck_assert_uint_gt(moves, 3);
    if ((size_t)_i < sizeof sums / sizeof sums[0])
        ck_assert_uint_eq(sum, sums[_i]);
}
END_TEST

static const char state_text[] =
    "{\"options\":{\"players\":2,\"rounds\":24,\"spells\":\"A\",\"meals\":\"owner\"},"
    "\"acting\":[0],\"table\":{\"round\":1,\"first\":\"R\",\"step\":\"cast\","
    "\"acting\":[\"B\",\"Y\",\"R\"],\"supply\":12,\"families\":{"
    "\"R\":{\"seat\":0,\"pieces\":1,\"birds\":6},\"G\":{\"seat\":1,\"pieces\":1,\"birds\":6},"
    "\"B\":{\"seat\":0,\"pieces\":1,\"birds\":6},\"Y\":{\"seat\":1,\"pieces\":1,\"birds\":6}},"
    "\"huts\":{\"R1\":{\"people\":\"wwmmWM\",\"down\":{\"R\":1}},\"R2\":{\"people\":\"e\"},\"R3\":{"
    "},"
    "\"G1\":{\"people\":\"wwmmWM\"},\"G2\":{\"people\":\"e\"},\"G3\":{},"
    "\"B1\":{\"people\":\"wwmmWM\"},\"B2\":{\"people\":\"e\"},\"B3\":{},"
    "\"Y1\":{\"people\":\"wwmmWM\"},\"Y2\":{\"people\":\"e\"},\"Y3\":{}},"
    "\"mine\":{\"R\":{\"down\":{\"H\":\"R1\"}}}}}";

static const char *const begin[] = {
    "settle@R=wwmmWM/e/-", "settle@G=wwmmWM/e/-", "settle@B=wwmmWM/e/-",
    "settle@Y=wwmmWM/e/-", "cast@R=H:R1",         "pass@G",
};

static void play_begin(struct totem_copy *copy)
{
    json_t *event = json_object();
    json_t *state = json_loads(state_text, 0, NULL);
    ck_assert(totem_copy_begin(copy, state));
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        ck_assert_msg(totem_copy_play(copy, begin[i], event), "%s", begin[i]);
    ck_assert(!totem_copy_play(copy, "pass@G", event));
    ck_assert(!totem_copy_play(copy, "nonsense", event));
    json_decref(state);
    json_decref(event);
}

static const struct {
    const char *pointer[4]; /* where the state is falsified */
    const char *value, *difference;
} lies[] = {
    {{"table", "step"}, "\"settle\"", "the step"},
    {{"table", "round"}, "2", "the round"},
    {{"acting"}, "[1]", "whose turn it is"},
    {{"table", "acting"}, "[\"B\"]", "acting"},
    {{"table", "first"}, "\"G\"", "first"},
    {{"table", "supply"}, "11", "supply"},
    {{"table", "families", "Y"}, "{}", "families"},
    {{"table", "huts", "R1"}, "{\"people\":\"wwmmWM\",\"down\":{\"G\":1}}", "huts"},
    {{"table", "mine"}, "{\"R\":{\"down\":{\"H\":\"R2\"}}}", "mine"},
    {{"table", "hungry"}, "[]", "hungry"},
    {{"table", "more"}, "1", "the table"},
};

START_TEST(the_copy_sees_lies)
{
    struct totem_copy copy;
    play_begin(&copy);
    json_t *state = json_loads(state_text, 0, NULL);
    ck_assert_ptr_null(totem_copy_difference(&copy, 0, state, true));
    ck_assert_str_eq(totem_copy_difference(&copy, 1, state, true), "mine");
    ck_assert_str_eq(totem_copy_difference(&copy, LOAD_WATCHER, state, true), "mine");
    json_t *parent = state;
    int depth = 0;
    while (lies[_i].pointer[depth + 1])
        parent = json_object_get(parent, lies[_i].pointer[depth++]);
    json_object_set_new(parent, lies[_i].pointer[depth],
                        json_loads(lies[_i].value, JSON_DECODE_ANY, NULL));
    ck_assert_str_eq(totem_copy_difference(&copy, 0, state, true), lies[_i].difference);
    json_decref(state);
}
END_TEST

/* Of a family that is out nothing is shown but its seat. */
START_TEST(a_family_that_is_out_has_nothing)
{
    struct totem_copy copy;
    play_begin(&copy);
    copy.game.families[3].state = TOTEM_FAMILY_OUT;
    json_t *table = totem_table(&copy.game, LOAD_WATCHER);
    json_t *out = json_pack("{s:i, s:b}", "seat", 1, "out", true);
    const json_t *families = json_object_get(table, "families");
    ck_assert(json_equal(json_object_get(families, "Y"), out));
    ck_assert_ptr_nonnull(json_object_get(json_object_get(families, "B"), "pieces"));
    ck_assert_ptr_null(json_object_get(json_object_get(table, "huts"), "Y1"));
    ck_assert_ptr_nonnull(json_object_get(json_object_get(table, "huts"), "B1"));
    json_decref(out);
    json_decref(table);
}
END_TEST

/* One round in which nothing happens; then the end is shown, and then a lie about it. */
static const struct {
    const char *key, *value, *difference;
} ends[] = {
    {"why", "\"another\"", "the end"},
    {"winners", "{}", "who has won"},
    {"winners", "{\"0\":true,\"1\":true,\"2\":true}", "who has won"},
};

START_TEST(the_copy_sees_lies_about_the_end)
{
    struct rng rng = {3}; /* of a game that is won */
    struct totem_copy copy;
    struct totem_outcome outcome;
    random_totem(&rng, &copy);
    while (copy.game.step != TOTEM_STEP_OVER) {
        struct totem_command command;
        struct totem_births births = {0};
        totem_choose(&copy.game, &rng, &command);
        ck_assert_int_eq(totem_play(&copy.game, totem_seat_of(&copy.game.options, command.family),
                                    &command, &births, NULL),
                         TOTEM_OK);
    }
    totem_outcome(&copy.game, &outcome);
    json_t *winners = json_object();
    for (unsigned seat = 0; seat < TOTEM_SEATS_MAX; seat++) {
        const char key[2] = {(char)('0' + seat), '\0'};
        if (outcome.winners >> seat & 1)
            json_object_set_new(winners, key, json_true());
    }
    ck_assert_uint_gt(json_object_size(winners), 0);
    json_t *result = json_pack("{s:s, s:o}", "why", totem_end_name((enum totem_end)outcome.end),
                               "winners", winners);
    json_t *state = json_pack("{s:o, s:[], s:o}", "table", totem_table(&copy.game, TOTEM_SEATS_MAX),
                              "acting", "result", result);
    ck_assert_ptr_null(totem_copy_difference(&copy, LOAD_WATCHER, state, false));
    json_object_set_new(result, ends[_i].key, json_loads(ends[_i].value, JSON_DECODE_ANY, NULL));
    ck_assert_str_eq(totem_copy_difference(&copy, LOAD_WATCHER, state, false), ends[_i].difference);
    json_decref(state);
}
END_TEST

Suite *load_totem_suite(void)
{
    Suite *suite = suite_create("load totem");
    TCase *tests = tcase_create("load totem");
    tcase_add_test(tests, flags_reach_the_game);
    tcase_add_test(tests, a_mix_has_everything);
    tcase_add_loop_test(tests, commands_are_legal_to_the_end, 0, 200);
    tcase_add_loop_test(tests, the_copy_sees_lies, 0, sizeof lies / sizeof lies[0]);
    tcase_add_test(tests, a_family_that_is_out_has_nothing);
    tcase_add_loop_test(tests, the_copy_sees_lies_about_the_end, 0, sizeof ends / sizeof ends[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
