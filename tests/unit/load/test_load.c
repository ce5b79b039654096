/* The parts of the load tester that need no server. */
#include "../../support/run_suites.h"
#include "histogram.h"
#include "taluva/parts.h"
#include "told.h"
#include <check.h>
#include <rules/box.h>
#include <rules/notation.h>

Suite *command_line_suite(void); /* test_command_line.c */
Suite *load_totem_suite(void);   /* test_totem.c */
Suite *message_suite(void);      /* test_message.c */
Suite *report_suite(void);       /* test_report.c */

/* ---- histogram */

START_TEST(histogram_is_exact_below_its_linear_part)
{
    static struct histogram histogram;
    histogram_reset(&histogram);
    for (uint64_t i = 1; i <= 1000; i++)
        histogram_record(&histogram, i);
    ck_assert_uint_eq(histogram_at(&histogram, 500), 500);
    ck_assert_uint_eq(histogram_at(&histogram, 990), 990);
    ck_assert_uint_eq(histogram_at(&histogram, 999), 999);
    ck_assert_uint_eq(histogram_at(&histogram, 1000), 1000);
    ck_assert_uint_eq(histogram.max_us, 1000);
}
END_TEST

START_TEST(histogram_keeps_three_digits)
{
    static struct histogram histogram;
    for (uint64_t value = 1; value < UINT32_MAX / 3; value = value * 3 + 1) {
        histogram_reset(&histogram);
        histogram_record(&histogram, value);
        histogram_record(&histogram, UINT32_MAX); /* so that the maximum does not hide the bucket */
        const uint64_t seen = histogram_at(&histogram, 500);
        ck_assert_uint_ge(seen, value);
        ck_assert_uint_le(seen - value, value / 1000);
    }
}
END_TEST

START_TEST(histogram_takes_what_is_out_of_range)
{
    static struct histogram histogram;
    histogram_reset(&histogram);
    histogram_record(&histogram, 0);
    histogram_record(&histogram, (uint64_t)1 << 32);
    histogram_record(&histogram, UINT64_C(5000000000));
    histogram_record(&histogram, UINT64_MAX / 2);
    ck_assert_uint_eq(histogram.count, 4);
    ck_assert_uint_eq(histogram.buckets[HISTOGRAM_BUCKETS - 1], 3);
    ck_assert_uint_eq(histogram_at(&histogram, 1), 0);
    ck_assert_uint_eq(histogram_at(&histogram, 1000), UINT32_MAX);
    ck_assert_uint_eq(histogram.max_us, UINT64_MAX / 2);
}
END_TEST

START_TEST(histograms_add_up)
{
    static struct histogram one, other;
    histogram_reset(&one);
    histogram_reset(&other);
    histogram_record(&one, 10);
    histogram_record(&other, 5000);
    histogram_add(&one, &other);
    ck_assert_uint_eq(one.count, 2);
    ck_assert_uint_eq(histogram_at(&one, 500), 10);
    ck_assert_uint_eq(one.max_us, 5000);
}
END_TEST

/* ---- choosing */

static uint32_t roll(void *ctx, uint32_t n)
{
    return rng_below(ctx, n);
}

static void random_options(struct rng *rng, struct taluva_options *options)
{
    *options = (struct taluva_options){
        .seats = (uint8_t)(2 + rng_below(rng, 4)),
        .huts_anywhere = rng_below(rng, 4) == 0,
        .boats = rng_below(rng, 2) == 0,
        .zone = (uint8_t)rng_below(rng, 4),
    };
    options->teams = options->seats == 4 && rng_below(rng, 2) == 0;
    options->ranking = !options->teams && rng_below(rng, 2) == 0;
    options->tiles = options->seats == 5 ? 60 : 48;
}

/* Of everything chosen: FNV-1a. */
static void mix_in(uint32_t *sum, const struct load_move *choice)
{
    for (const char *at = choice->text; *at; at++)
        *sum = (*sum ^ (uint8_t)*at) * 16777619U;
    *sum = (*sum ^ (choice->confirm ? 1 : 2)) * 16777619U;
}

static uint32_t chosen;

/* Plays a whole game; every choice must be accepted. Returns how many moves it took. */
static unsigned play(struct rng *rng, const struct taluva_options *options, bool two_hex)
{
    struct taluva_options dealt = *options;
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    unsigned moves = 0;
    unsigned drawn = 0;
    ck_assert_int_eq(taluva_deal(&dealt, (struct taluva_deal){true, two_hex}, roll, rng, deck),
                     TALUVA_OK);
    ck_assert_int_eq(taluva_init(&game, &dealt), TALUVA_OK);
    for (; game.step != TALUVA_STEP_OVER; moves++) {
        struct load_move choice;
        struct taluva_placement placement;
        struct taluva_build build;
        taluva_choose(&game, rng, &choice);
        mix_in(&chosen, &choice);
        const size_t len = strlen(choice.text);
        if (strcmp(choice.text, "draw") == 0) {
            ck_assert_int_eq(taluva_draw(&game, game.seat, deck[drawn++], NULL), TALUVA_OK);
        } else if (taluva_placement_parse(choice.text, len, &placement, NULL)) {
            ck_assert_int_eq(taluva_place(&game, game.seat, &placement, choice.confirm, NULL),
                             TALUVA_OK);
        } else {
            ck_assert(taluva_build_parse(choice.text, len, &build, NULL));
            ck_assert_int_eq(taluva_build(&game, game.seat, &build, NULL), TALUVA_OK);
        }
    }
    return moves;
}

START_TEST(choices_are_legal_to_the_end)
{
    struct rng rng = {(uint64_t)_i};
    struct taluva_options options;
    random_options(&rng, &options);
    ck_assert_uint_gt(play(&rng, &options, rng_below(&rng, 2) == 0), 3);
}
END_TEST

/* Runs of different versions can be compared: the choices stay the same. */
static const uint32_t choices[] = {
    1124823914U, 3001210187U, 3878193432U, 3849600215U, 1897341479U, 1792659826U,
    2986109222U, 1747097278U, 678128836U,  44371307U,   338151992U,  4242705401U,
    3341945546U, 4063364882U, 1725767756U, 940750195U,  1731504938U, 3132386422U,
    3200872904U, 1993291823U, 1912054193U, 2276699582U, 1289312706U, 2501386850U,
};

START_TEST(choices_stay_the_same)
{
    struct rng rng = {(uint64_t)_i};
    struct taluva_options options;
    random_options(&rng, &options);
    chosen = 0;
    (void)play(&rng, &options, rng_below(&rng, 2) == 0);
    ck_assert_uint_eq(chosen, choices[_i]);
}
END_TEST

START_TEST(the_same_seed_makes_the_same_choices)
{
    const struct taluva_options options = {.seats = 3, .tiles = 48};
    struct rng one = {5};
    struct rng other = {5};
    ck_assert_uint_eq(play(&one, &options, false), play(&other, &options, false));
    ck_assert_uint_eq(one.state, other.state);
}
END_TEST

/* ---- the copy */

static const char state_text[] =
    "{\"options\":{\"players\":2,\"tiles\":48,\"huts\":\"isolated\",\"zone\":\"none\"},"
    "\"table\":{\"hexes\":{},\"players\":{\"0\":{\"huts\":20,\"towers\":2,\"temples\":3},"
    "\"1\":{\"huts\":20,\"towers\":2,\"temples\":3}},"
    "\"turn\":{\"number\":1,\"seat\":1,\"step\":\"place\",\"tile\":\"JC\"},\"stack\":47}}";

static const struct {
    const char *pointer[3]; /* where the state is falsified */
    const char *value, *difference;
} lies[] = {
    {{"table", "stack"}, "46", "the stack"},
    {{"table", "hexes"}, "{\"0,0\":\"1V0\"}", "the number of hexes"},
    {{"table", "turn", "tile"}, "\"CJ\"", "the tile in hand"},
    {{"table", "turn", "seat"}, "0", "whose turn it is"},
    {{"table", "turn", "step"}, "\"build\"", "the step"},
    {{"table", "players"}, "{}", "a reserve"},
    {{"table", "players", "0"}, "{\"huts\":19,\"towers\":2,\"temples\":3}", "a reserve"},
    {{"table", "players", "0"}, "{\"huts\":20,\"towers\":1,\"temples\":3}", "a reserve"},
    {{"table", "players", "1"}, "{\"huts\":20,\"towers\":2,\"temples\":2}", "a reserve"},
    {{"table", "players", "1"},
     "{\"huts\":20,\"towers\":2,\"temples\":3,\"out\":true}",
     "who is out"},
};

START_TEST(the_copy_sees_lies)
{
    struct taluva game;
    json_t *state = json_loads(state_text, 0, NULL);
    ck_assert(taluva_copy_begin(&game, state));
    ck_assert_ptr_null(taluva_copy_difference(&game, state, true));
    json_t *parent = state;
    int depth = 0;
    while (depth + 1 < 3 && lies[_i].pointer[depth + 1] != NULL)
        parent = json_object_get(parent, lies[_i].pointer[depth++]);
    json_object_set_new(parent, lies[_i].pointer[depth],
                        json_loads(lies[_i].value, JSON_DECODE_ANY, NULL));
    ck_assert_str_eq(taluva_copy_difference(&game, state, true), lies[_i].difference);
    json_decref(state);
}
END_TEST

static const struct {
    const char *pointer[2], *value;
} strange[] = {
    {{"options", "zone"}, "\"nowhere\""},
    {{"options", "players"}, "6"},
    {{"table", "two_hex"}, "{\"JC\":1}"},
    {{"table", "two_hex"}, "{\"x\":1}"},
    {{"table", "turn"}, "{\"seat\":1,\"tile\":\"ZZ\"}"},
};

START_TEST(a_state_that_is_none_begins_nothing)
{
    struct taluva game;
    json_t *state = json_loads(state_text, 0, NULL);
    json_object_set_new(json_object_get(state, strange[_i].pointer[0]), strange[_i].pointer[1],
                        json_loads(strange[_i].value, JSON_DECODE_ANY, NULL));
    ck_assert(!taluva_copy_begin(&game, state));
    json_decref(state);
}
END_TEST

/* Each option of the server's has its place in the copy. */
static const struct {
    const char *key, *value;
    struct taluva_options wanted; /* but for what all have */
} copied[] = {
    {"huts", "\"isolated\"", {.zone = TALUVA_ZONE_NONE}},
    {"huts", "\"anywhere\"", {.huts_anywhere = true}},
    {"zone", "\"expert\"", {.zone = TALUVA_ZONE_EXPERT}},
    {"teams", "true", {.teams = true}},
    {"ranking", "true", {.ranking = true}},
    {"boats", "true", {.boats = true}},
};

START_TEST(the_copy_has_the_options)
{
    struct taluva game;
    struct taluva_options wanted = copied[_i].wanted;
    json_t *state = json_loads(state_text, 0, NULL);
    json_t *options = json_object_get(state, "options");
    json_object_set_new(options, "players", json_integer(4));
    json_object_set_new(options, copied[_i].key,
                        json_loads(copied[_i].value, JSON_DECODE_ANY, NULL));
    wanted.seats = 4;
    wanted.first = 1;
    wanted.tiles = 48;
    ck_assert(taluva_copy_begin(&game, state));
    ck_assert_mem_eq(&game.options, &wanted, sizeof wanted);
    json_decref(state);
}
END_TEST

/* 2-Hex tiles that are there, and a reserve of boats. */
START_TEST(the_copy_has_what_the_options_add)
{
    struct taluva game;
    json_t *state = json_loads(state_text, 0, NULL), *table = json_object_get(state, "table");
    json_t *players = json_object_get(table, "players");
    char tiles[2][TALUVA_TILE_TEXT];
    taluva_tile_format(TALUVA_TILE_TWO_HEX + 1, tiles[0]);
    taluva_tile_format(TALUVA_TILE_TWO_HEX + 2, tiles[1]);
    json_object_set_new(json_object_get(state, "options"), "boats", json_true());
    json_object_set_new(table, "two_hex", json_pack("{s:i, s:i}", tiles[0], 1, tiles[1], 1));
    for (unsigned seat = 0; seat < 2; seat++)
        json_object_set_new(json_object_get(players, seat == 0 ? "0" : "1"), "boats",
                            json_integer(2));
    ck_assert(taluva_copy_begin(&game, state));
    ck_assert_uint_eq(game.options.two_hex, 6);
    ck_assert_ptr_null(taluva_copy_difference(&game, state, true));
    json_object_set_new(json_object_get(players, "1"), "boats", json_integer(1));
    ck_assert_str_eq(taluva_copy_difference(&game, state, true), "a reserve");
    json_decref(state);
}
END_TEST

static json_t *state_of(const char *text)
{
    json_t *state = json_loads(text, 0, NULL);
    ck_assert_msg(state, "%s", text);
    return state;
}

/* After the volcano tile: three hexes, and the step is to build. */
START_TEST(the_copy_looks_at_each_hex_and_at_the_end)
{
    struct taluva game;
    json_t *state = state_of(state_text),
           *turn = json_object_get(json_object_get(state, "table"), "turn");
    json_t *hexes = json_object_get(json_object_get(state, "table"), "hexes");
    ck_assert(taluva_copy_begin(&game, state));
    ck_assert(taluva_copy_play(&game, "JC@0,0:0", false, state));
    json_object_set_new(turn, "step", json_string("build"));
    for (unsigned i = 0; i < game.n_cells; i++) {
        char name[TALUVA_HEX_TEXT], cell[TALUVA_CELL_TEXT];
        taluva_hex_format(game.cells[i].hex, name);
        taluva_cell_format(&game.cells[i], cell);
        json_object_set_new(hexes, name, json_string(cell));
    }
    ck_assert_uint_eq(game.n_cells, 3);
    ck_assert_ptr_null(taluva_copy_difference(&game, state, true));
    json_object_set_new(hexes, "0,0", json_string("2V0"));
    ck_assert_str_eq(taluva_copy_difference(&game, state, true), "a hex");
    ck_assert_ptr_null(taluva_copy_difference(&game, state, false));
    taluva_forfeit(&game, 0, NULL);
    ck_assert_int_eq(game.step, TALUVA_STEP_OVER);
    ck_assert_str_eq(taluva_copy_difference(&game, state, false), "the end");
    json_object_del(json_object_get(state, "table"), "turn");
    ck_assert_str_eq(taluva_copy_difference(&game, state, false), "the end");
    json_object_set_new(state, "result", json_pack("{s:s}", "why", "last-standing"));
    ck_assert_ptr_null(taluva_copy_difference(&game, state, false));
    json_decref(state);
}
END_TEST

START_TEST(the_copy_plays_along)
{
    struct taluva game;
    json_t *state = json_loads(state_text, 0, NULL);
    ck_assert(taluva_copy_begin(&game, state));
    ck_assert(taluva_copy_play(&game, "JC@0,0:0", false, state));
    ck_assert_ptr_nonnull(taluva_copy_difference(&game, state, true));
    ck_assert(!taluva_copy_play(&game, "hut@5,5", false, state));
    ck_assert(!taluva_copy_play(&game, "nonsense", false, state));
    json_decref(state);
}
END_TEST

/* ---- what clients of a room were told */

static bool knows(const struct told *told, int64_t seq, unsigned view, const char *text)
{
    const struct told_event *event = told_find(told, seq);
    return event && told_knows(event, view, text, strlen(text));
}

START_TEST(each_view_is_held_to_what_it_was_told)
{
    struct told told;
    json_t *push = json_object();
    ck_assert(told_init(&told, 3, 8));
    struct told_event *event = told_begin(&told, 5);
    ck_assert(!knows(&told, 5, 0, "one"));
    told_add(&told, event, 0, push, "one", 3);
    ck_assert(knows(&told, 5, 0, "one"));
    ck_assert(knows(&told, 5, 1, "one")); /* not told anything yet */
    told_add(&told, event, 1, push, "two", 3);
    ck_assert(knows(&told, 5, 1, "two") && !knows(&told, 5, 1, "one"));
    ck_assert(knows(&told, 5, 0, "one") && !knows(&told, 5, 0, "two"));
    ck_assert(knows(&told, 5, 2, "one") && knows(&told, 5, 2, "two"));
    ck_assert_ptr_eq(told_push(event, "two", 3), push);
    told_begin(&told, 5 + TOLD_EVENTS);
    ck_assert_ptr_null(told_find(&told, 5));
    ck_assert_int_eq((int)push->refcount, 1);
    told_release(&told);
    json_decref(push);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load");
    TCase *tests = tcase_create("load");
    tcase_add_test(tests, histogram_is_exact_below_its_linear_part);
    tcase_add_test(tests, histogram_keeps_three_digits);
    tcase_add_test(tests, histogram_takes_what_is_out_of_range);
    tcase_add_test(tests, histograms_add_up);
    tcase_add_loop_test(tests, choices_are_legal_to_the_end, 0, 200);
    tcase_add_loop_test(tests, choices_stay_the_same, 0, sizeof choices / sizeof choices[0]);
    tcase_add_test(tests, the_same_seed_makes_the_same_choices);
    tcase_add_loop_test(tests, the_copy_sees_lies, 0, sizeof lies / sizeof lies[0]);
    tcase_add_loop_test(tests, a_state_that_is_none_begins_nothing, 0,
                        sizeof strange / sizeof strange[0]);
    tcase_add_loop_test(tests, the_copy_has_the_options, 0, sizeof copied / sizeof copied[0]);
    tcase_add_test(tests, the_copy_has_what_the_options_add);
    tcase_add_test(tests, the_copy_looks_at_each_hex_and_at_the_end);
    tcase_add_test(tests, the_copy_plays_along);
    tcase_add_test(tests, each_view_is_held_to_what_it_was_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_add_suite(runner, command_line_suite());
    srunner_add_suite(runner, load_totem_suite());
    srunner_add_suite(runner, message_suite());
    srunner_add_suite(runner, report_suite());
    return run_suites(runner);
}
