/* What a bot makes of what it is told, held against the server's own value of the same match. */
#include "../../support/run_suites.h"
#include "known.h"
#include "state_position.h"
#include "thinker.h"
#include "told.h"
#include <base/rng.h>
#include <protocol/merge_patch.h>
#include <rules/box.h>
#include <rules/notation.h>
#include <string.h>
#include <taluva_match.h>

enum { QUICK_LEVELS = 5, SEARCHING_LEVEL = 6 };

/* ---- a match as the server has it, and as it is told */

struct told {
    struct taluva_match match, before_placing;
    bool placed; /* `before_placing` can be returned to */
    json_t *state;
    struct known known;
};

/* The push of an event with this patch, which is taken over. */
static void tell(struct told *told, json_t *patch)
{
    json_t *push = json_pack("{s:o}", "patch", patch);
    ck_assert(merge_patch(&told->state, patch));
    known_hear(&told->known, push);
    json_decref(push);
}

static void begin(struct told *told, json_t *options, uint64_t seed)
{
    uint8_t key[DEAL_KEY_BYTES] = {0};
    struct deal_stream stream;
    struct refusal refusal;
    *told = (struct told){.placed = false};
    memcpy(key, &seed, sizeof seed);
    deal_stream_init(&stream, key);
    ck_assert_msg(taluva_rules.create(&told->match, 1, options, &refusal), "%s", refusal.field);
    json_decref(options);
    tell(told, json_pack("{s:o}", "options", told_options(&taluva_rules, &told->match)));
    taluva_rules.deal(&told->match, &stream);
    tell(told,
         json_pack("{s:o}", "table", told_table(&taluva_views, NULL, &told->match, GAME_NO_SEAT)));
}

static void end(struct told *told)
{
    json_decref(told->state);
}

static void change(struct told *told, const struct taluva_match *after)
{
    tell(told,
         json_pack("{s:o}", "table", told_table(&taluva_views, &told->match, after, GAME_NO_SEAT)));
    told->match = *after;
}

/* ---- what it makes of it */

static void check_position(const struct told *told)
{
    const struct taluva *game = &told->match.game;
    char expected[TALUVA_POSITION_TEXT], text[TALUVA_POSITION_TEXT];
    struct taluva read;
    taluva_position_format(game, expected);
    ck_assert_msg(state_position(&read, told->state, &told->known), "not read: %s", expected);
    taluva_position_format(&read, text);
    ck_assert_str_eq(text, expected);
}

static void check_unseen(const struct told *told)
{
    const struct taluva *game = &told->match.game;
    uint8_t unseen[TALUVA_TILE_TWO_HEX], expected[TALUVA_TILE_TWO_HEX] = {0};
    taluva_tile box[TALUVA_TILES_MAX];
    const size_t count = taluva_box(game->options.seats == 5, box);
    for (size_t i = 0; i < count; i++)
        expected[box[i]]++;
    for (int i = 0; i < game->options.tiles - game->stack; i++)
        expected[told->match.deck[i]]--;
    known_unseen(&told->known, game->options.seats, unseen);
    ck_assert_mem_eq(unseen, expected, sizeof unseen);
}

static void think_until(const struct told *told, unsigned level, uint64_t seed, bool cancelled,
                        struct game_plan *plan)
{
    const struct game_thinker *thinker = &taluva_thinker;
    const int seat = told->match.game.seat;
    const size_t bytes = thinker->memory_bytes(level);
    void *question = calloc(1, thinker->question_size), *memory = malloc(bytes + 1);
    atomic_bool cancel = cancelled;
    ck_assert(!thinker->ask(question, &told->known, told->state, seat + 1));
    ck_assert(thinker->ask(question, &told->known, told->state, seat));
    thinker->think(question, level, seed, &cancel, bytes > 0 ? memory : NULL, bytes, plan);
    free(question);
    free(memory);
}

static void think(const struct told *told, unsigned level, uint64_t seed, struct game_plan *plan)
{
    think_until(told, level, seed, false, plan);
}

/* Its moves are legal, one after the other. */
static void check_plan(const struct told *told, unsigned level, uint64_t seed)
{
    struct taluva_match match = told->match;
    const unsigned seat = match.game.seat;
    struct game_plan plan;
    struct game_change changed;
    struct refusal refusal;
    think(told, level, seed, &plan);
    ck_assert_uint_gt(plan.count, 0);
    for (unsigned i = 0; i < plan.count; i++) {
        const struct game_move *move = &plan.moves[i];
        ck_assert_msg(taluva_rules.act(&match, seat, move->text, strlen(move->text), move->confirm,
                                       &changed, &refusal),
                      "%s", move->text);
    }
    think_until(told, level, seed, true, &plan);
    ck_assert_uint_eq(plan.count, 0);
}

/* ---- whole matches */

/* The seat to move plays, well or not. */
static void act(struct told *told, uint64_t seed)
{
    struct taluva_match after = told->match;
    struct game_plan plan;
    struct game_change changed;
    struct refusal refusal;
    const unsigned seat = told->match.game.seat;
    think(told, 1 + (unsigned)(seed % QUICK_LEVELS), seed, &plan);
    ck_assert(taluva_rules.act(&after, seat, plan.moves[0].text, strlen(plan.moves[0].text), true,
                               &changed, &refusal));
    told->placed = after.game.step == TALUVA_STEP_BUILD;
    if (told->placed)
        told->before_placing = told->match;
    change(told, &after);
}

static void give_up(struct told *told, unsigned seat)
{
    struct taluva_match after = told->match;
    struct game_change changed;
    if (!taluva_rules.forfeit(&after, seat, &changed))
        return;
    told->placed = false;
    change(told, &after);
}

static void take_back(struct told *told)
{
    const struct taluva_match before = told->before_placing;
    told->placed = false;
    change(told, &before);
}

static void play(struct told *told, uint64_t seed, unsigned level)
{
    struct rng rng = {seed};
    while (told->match.game.step != TALUVA_STEP_OVER) {
        const uint32_t what = rng_below(&rng, 100);
        check_position(told);
        check_unseen(told);
        if (what < 5)
            check_plan(told, level, seed);
        if (what < 1)
            give_up(told, rng_below(&rng, told->match.game.options.seats));
        else if (what < 20 && told->placed)
            take_back(told);
        else
            act(told, rng_next(&rng));
    }
    ck_assert(!state_position(&(struct taluva){.n_cells = 0}, told->state, &told->known));
}

static const char *const OPTIONS[] = {
    "{}",
    "{\"tiles\": 24}",
    "{\"preset\": \"original-2006\", \"players\": 3, \"huts\": \"anywhere\"}",
    "{\"players\": 4, \"teams\": true}",
    "{\"players\": 3, \"ranking\": true, \"first\": 2}",
    "{\"players\": 5, \"tiles\": 60, \"boats\": true, \"two_hex\": true, \"zone\": \"expert\"}",
    "{\"two_hex\": true, \"zone\": \"beginner\"}",
    "{\"players\": 4, \"boats\": true, \"two_hex\": true, \"ranking\": true, \"zone\": \"player\"}",
};
enum { ROUNDS = 2 };

START_TEST(follows_matches)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct told told;
        const uint64_t seed = (uint64_t)_i * 100 + round;
        begin(&told, json_loads(OPTIONS[_i], 0, NULL), seed);
        play(&told, seed, 1 + (unsigned)_i % QUICK_LEVELS);
        end(&told);
    }
}
END_TEST

/* ---- what cannot be */

static const struct {
    const char *what, *patch;
} SPOILT[] = {
    {"no turn", "{\"table\": {\"turn\": null}}"},
    {"no such step", "{\"table\": {\"turn\": {\"step\": \"dance\"}}}"},
    {"no such seat", "{\"table\": {\"turn\": {\"seat\": 7}}}"},
    {"too many seats", "{\"options\": {\"players\": 1000000}}"},
    {"another size", "{\"options\": {\"tiles\": 47}}"},
    {"a hex that is none", "{\"table\": {\"hexes\": {\"here\": \"1J\"}}}"},
    {"a cell that is none", "{\"table\": {\"hexes\": {\"0,0\": 5}}}"},
    {"a hex far away", "{\"table\": {\"hexes\": {\"99,99\": \"1J\"}}}"},
    {"a boat without boats", "{\"table\": {\"boats\": {\"0,0\": 0}}}"},
    {"more in reserve than there was", "{\"table\": {\"players\": {\"0\": {\"huts\": 21}}}}"},
    {"less than nothing", "{\"table\": {\"players\": {\"0\": {\"huts\": -1}}}}"},
    {"no players", "{\"table\": {\"players\": null}}"},
    {"a table that is none", "{\"table\": [1, 2]}"},
};

START_TEST(refuses_what_cannot_be)
{
    struct told told;
    struct taluva game = {.stack = 77};
    begin(&told, json_object(), 1);
    for (int i = 0; i < 6; i++)
        act(&told, 1);
    ck_assert(state_position(&(struct taluva){.n_cells = 0}, told.state, &told.known));
    json_t *patch = json_loads(SPOILT[_i].patch, 0, NULL);
    ck_assert(merge_patch(&told.state, patch));
    ck_assert_msg(!state_position(&game, told.state, &told.known), "%s", SPOILT[_i].what);
    ck_assert_uint_eq(game.stack, 77);
    json_decref(patch);
    end(&told);
}
END_TEST

/* An island larger than any position's text. */
START_TEST(refuses_what_is_too_large)
{
    struct told told;
    begin(&told, json_object(), 1);
    act(&told, 1);
    for (int i = 0; i < 1000; i++) {
        char key[32];
        snprintf(key, sizeof key, "%d,%d", i % 100, i / 100 + 5);
        json_object_set_new(json_object_get(json_object_get(told.state, "table"), "hexes"), key,
                            json_string("1J"));
    }
    ck_assert(!state_position(&(struct taluva){.n_cells = 0}, told.state, &told.known));
    end(&told);
}
END_TEST

/* Brings another tile of the first one's kind to the second place of the stack, if there is one. */
static bool repeat_first_tile(struct taluva_match *match)
{
    for (unsigned i = 1; i < match->options.tiles; i++) {
        if (match->deck[i] != match->deck[0])
            continue;
        match->deck[i] = match->deck[1];
        match->deck[1] = match->deck[0];
        return true;
    }
    return false;
}

/* Somebody leaves with a tile in hand, and the next one is of the same kind. */
START_TEST(counts_a_tile_like_the_last)
{
    struct told told;
    begin(&told, json_pack("{s:i}", "players", 3), 2);
    ck_assert(repeat_first_tile(&told.match));
    give_up(&told, told.match.game.seat);
    ck_assert_uint_eq(told.match.game.tile, told.match.deck[0]);
    check_unseen(&told);
    check_position(&told);
    end(&told);
}
END_TEST

START_TEST(searches)
{
    struct told told;
    begin(&told, json_object(), 3);
    act(&told, 1);
    act(&told, 1);
    ck_assert_uint_gt(taluva_thinker.memory_bytes(SEARCHING_LEVEL), 0);
    check_plan(&told, SEARCHING_LEVEL, 1);
    end(&told);
}
END_TEST

/* With no huts left every place puts its player out. */
START_TEST(confirms_what_puts_it_out)
{
    struct told told;
    struct game_plan plan;
    char seat[2] = "0";
    begin(&told, json_object(), 1);
    act(&told, 1);
    act(&told, 1);
    seat[0] = (char)('0' + told.match.game.seat);
    think(&told, 3, 1, &plan);
    ck_assert(plan.count == 2 && !plan.moves[0].confirm);
    json_t *patch = json_pack("{s:{s:{s:{s:i}}}}", "table", "players", seat, "huts", 0);
    ck_assert(merge_patch(&told.state, patch));
    json_decref(patch);
    think(&told, 3, 1, &plan);
    ck_assert(plan.count == 1 && plan.moves[0].confirm);
    end(&told);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thinker");
    TCase *tests = tcase_create("thinker");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, follows_matches, 0, sizeof OPTIONS / sizeof OPTIONS[0]);
    tcase_add_loop_test(tests, refuses_what_cannot_be, 0, sizeof SPOILT / sizeof SPOILT[0]);
    tcase_add_test(tests, refuses_what_is_too_large);
    tcase_add_test(tests, counts_a_tile_like_the_last);
    tcase_add_test(tests, searches);
    tcase_add_test(tests, confirms_what_puts_it_out);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
