/*
 * The table of Taluva on the wire and in a record, of games that are put together by hand: all of
 * it exactly, and of every change no more than what changed.
 */
#include "suites.h"
#include <check.h>
#include <jansson.h>
#include <protocol/patch_writer.h>
#include <rules/notation.h>
#include <stdio.h>
#include <string.h>
#include <taluva_match.h>

enum { MOST_BYTES = 1 << 16 };

static const struct taluva_placement placed = {.at = {0, 0}, .k = 0, .tile = 1};

/* Three seats in the middle of a game, with something of everything. */
static struct taluva_match make_match(void)
{
    static const struct taluva_cell cells[] = {
        {.hex = {0, 0}, .level = 1, .terrain = TALUVA_VOLCANO, .owner = TALUVA_NO_SEAT},
        {.hex = {1, 0}, .level = 1, .terrain = TALUVA_JUNGLE, .owner = 0, .count = 1},
        {.hex = {0, 1}, .level = 1, .terrain = TALUVA_CLEARING, .owner = TALUVA_NO_SEAT},
    };
    static const uint8_t reserve[3][TALUVA_KINDS] = {{19, 2, 3, 1}, {20, 1, 2, 2}, {7, 0, 1, 0}};
    struct taluva_match match = {.two_hex = true, .turn = 7};
    struct taluva *game = &match.game;
    match.options = (struct taluva_options){.seats = 3, .tiles = 4, .boats = true, .ranking = true};
    match.last[1] = (struct taluva_last){.placed = true, .ended = true, .placement = placed};
    match.last[2] = (struct taluva_last){.placed = true, .built = true, .placement = placed};
    match.last[2].build = (struct taluva_build){.at = {1, 0}, .verb = TALUVA_BUILD_HUT};
    game->options = match.options;
    game->options.two_hex = 0x1f;
    game->step = TALUVA_STEP_PLACE;
    game->stack = 30;
    game->two_hex = 0x12;
    game->two_hex_used[1] = 2;
    game->n_boats = 2;
    game->boats[0] = (struct taluva_boat){.lagoon = {3, -1}, .seat = 1};
    game->boats[1] = (struct taluva_boat){.lagoon = {3, 0}, .seat = 0};
    game->n_eliminated = 1;
    game->eliminated[0] = 1;
    game->n_finished = 1;
    game->finished[0] = 2;
    game->n_cells = sizeof cells / sizeof *cells;
    memcpy(game->cells, cells, sizeof cells);
    memcpy(game->reserve, reserve, sizeof reserve);
    return match;
}

static void expect_json(const struct buffer *buffer, const char *expected)
{
    json_error_t error;
    json_t *is = json_loadb(buffer_payload(buffer), buffer->len, JSON_REJECT_DUPLICATES, &error);
    json_t *want = json_loads(expected, 0, &error);
    ck_assert_msg(want, "%s in %s", error.text, expected);
    ck_assert_msg(json_equal(is, want), "%.*s\ninstead of %s", (int)buffer->len,
                  buffer_payload(buffer), expected);
    json_decref(is);
    json_decref(want);
}

static void expect_table(const struct taluva_match *before, const struct taluva_match *after,
                         const char *expected)
{
    struct buffer buffer;
    struct writer writer;
    struct patch patch;
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    patch_init(&patch, &writer);
    taluva_views.table(before, after, 0, &patch);
    writer_end(&writer);
    ck_assert(writer_done(&writer));
    expect_json(&buffer, expected);
    buffer_release(&buffer);
}

#define WHOLE_TURN "\"turn\":{\"number\":7,\"seat\":0,\"step\":\"place\",\"tile\":\"JJ\"}"

START_TEST(test_whole)
{
    const struct taluva_match match = make_match();
    expect_table(NULL, &match,
                 "{\"hexes\":{\"0,0\":\"1V0\",\"1,0\":\"1J:0h1\",\"0,1\":\"1C\"},\"players\":{"
                 "\"0\":{\"huts\":19,\"towers\":2,\"temples\":3,\"boats\":1},"
                 "\"1\":{\"huts\":20,\"towers\":1,\"temples\":2,\"boats\":2,\"out\":1},"
                 "\"2\":{\"huts\":7,\"towers\":0,\"temples\":1,\"boats\":0,\"done\":1}}," WHOLE_TURN
                 ",\"stack\":30,\"last\":{\"1\":\"JC@0,0:0 none\",\"2\":\"JC@0,0:0 hut@1,0\"},"
                 "\"two_hex\":{\"2VJ\":true,\"2VV\":true},\"took\":{\"1\":2},"
                 "\"boats\":{\"3,-1\":1,\"3,0\":0}}");
}
END_TEST

START_TEST(test_whole_without_options)
{
    struct taluva_match match = make_match();
    match.two_hex = false;
    match.options.seats = match.game.options.seats = 2;
    match.options.boats = match.game.options.boats = false;
    match.game.n_boats = match.game.n_eliminated = match.game.n_finished = 0;
    match.game.n_cells = 0;
    memset(match.last, 0, sizeof match.last);
    expect_table(NULL, &match,
                 "{\"hexes\":{},\"players\":{\"0\":{\"huts\":19,\"towers\":2,\"temples\":3},"
                 "\"1\":{\"huts\":20,\"towers\":1,\"temples\":2}}," WHOLE_TURN
                 ",\"stack\":30,\"last\":{}}");
}
END_TEST

/* ---- one change each */

static void none(struct taluva_match *match)
{
    (void)match;
}

static void stack(struct taluva_match *match)
{
    match->game.stack = 0;
}

static void turn_number(struct taluva_match *match)
{
    match->turn = 8;
}

static void turn_seat(struct taluva_match *match)
{
    match->game.seat = 2;
}

static void turn_step(struct taluva_match *match)
{
    match->game.step = TALUVA_STEP_BUILD;
    match->game.tile = TALUVA_TILE_NONE;
}

static void turn_tile(struct taluva_match *match)
{
    match->game.tile = 5;
}

static void over(struct taluva_match *match)
{
    match->game.end = TALUVA_END_EXHAUSTED;
}

static void cell_level(struct taluva_match *match)
{
    match->game.cells[2].level = 2;
}

static void cell_terrain(struct taluva_match *match)
{
    match->game.cells[2].terrain = TALUVA_SAND;
}

static void cell_facing(struct taluva_match *match)
{
    match->game.cells[0].facing = 3;
}

static void cell_owner(struct taluva_match *match)
{
    match->game.cells[1].owner = 2;
}

static void cell_kind(struct taluva_match *match)
{
    match->game.cells[1].kind = TALUVA_TEMPLE;
}

static void cell_count(struct taluva_match *match)
{
    match->game.cells[1].count = 2;
}

static void cell_more(struct taluva_match *match)
{
    match->game.cells[match->game.n_cells++] =
        (struct taluva_cell){{-2, 1}, 1, TALUVA_LAKE, 0, TALUVA_NO_SEAT, 0, 0};
}

static void reserve_huts(struct taluva_match *match)
{
    match->game.reserve[0][TALUVA_HUT] = 0;
}

static void reserve_boats(struct taluva_match *match)
{
    match->game.reserve[2][TALUVA_BOAT] = 1;
}

static void eliminated(struct taluva_match *match)
{
    match->game.eliminated[match->game.n_eliminated++] = 0;
}

static void finished(struct taluva_match *match)
{
    match->game.finished[match->game.n_finished++] = 0;
}

static void last_placed(struct taluva_match *match)
{
    match->last[0] = (struct taluva_last){.placed = true, .placement = placed};
}

static void last_ended(struct taluva_match *match)
{
    match->last[1].ended = false;
}

static void two_hex(struct taluva_match *match)
{
    match->game.two_hex = 0x02;
    match->game.two_hex_used[0] = 1;
}

static const struct {
    void (*change)(struct taluva_match *match);
    const char *there, *back;
} change_rows[] = {
    {none, "{}", "{}"},
    {stack, "{\"stack\":0}", "{\"stack\":30}"},
    {turn_number, "{\"turn\":{\"number\":8}}", "{\"turn\":{\"number\":7}}"},
    {turn_seat, "{\"turn\":{\"seat\":2}}", "{\"turn\":{\"seat\":0}}"},
    {turn_step, "{\"turn\":{\"step\":\"build\",\"tile\":null}}",
     "{\"turn\":{\"step\":\"place\",\"tile\":\"JJ\"}}"},
    {turn_tile, "{\"turn\":{\"tile\":\"CJ\"}}", "{\"turn\":{\"tile\":\"JJ\"}}"},
    {over, "{\"turn\":null}", "{" WHOLE_TURN "}"},
    {cell_level, "{\"hexes\":{\"0,1\":\"2C\"}}", "{\"hexes\":{\"0,1\":\"1C\"}}"},
    {cell_terrain, "{\"hexes\":{\"0,1\":\"1S\"}}", "{\"hexes\":{\"0,1\":\"1C\"}}"},
    {cell_facing, "{\"hexes\":{\"0,0\":\"1V3\"}}", "{\"hexes\":{\"0,0\":\"1V0\"}}"},
    {cell_owner, "{\"hexes\":{\"1,0\":\"1J:2h1\"}}", "{\"hexes\":{\"1,0\":\"1J:0h1\"}}"},
    {cell_kind, "{\"hexes\":{\"1,0\":\"1J:0t\"}}", "{\"hexes\":{\"1,0\":\"1J:0h1\"}}"},
    {cell_count, "{\"hexes\":{\"1,0\":\"1J:0h2\"}}", "{\"hexes\":{\"1,0\":\"1J:0h1\"}}"},
    {cell_more, "{\"hexes\":{\"-2,1\":\"1L\"}}", "{\"hexes\":{\"-2,1\":null}}"},
    {reserve_huts, "{\"players\":{\"0\":{\"huts\":0}}}", "{\"players\":{\"0\":{\"huts\":19}}}"},
    {reserve_boats, "{\"players\":{\"2\":{\"boats\":1}}}", "{\"players\":{\"2\":{\"boats\":0}}}"},
    {eliminated, "{\"players\":{\"0\":{\"out\":2}}}", "{\"players\":{\"0\":{\"out\":null}}}"},
    {finished, "{\"players\":{\"0\":{\"done\":2}}}", "{\"players\":{\"0\":{\"done\":null}}}"},
    {last_placed, "{\"last\":{\"0\":\"JC@0,0:0\"}}", "{\"last\":{\"0\":null}}"},
    {last_ended, "{\"last\":{\"1\":\"JC@0,0:0\"}}", "{\"last\":{\"1\":\"JC@0,0:0 none\"}}"},
    {two_hex, "{\"two_hex\":{\"2VV\":null},\"took\":{\"0\":1}}",
     "{\"two_hex\":{\"2VV\":true},\"took\":{\"0\":null}}"},
};

START_TEST(test_change)
{
    const struct taluva_match before = make_match();
    struct taluva_match after = make_match();
    change_rows[_i].change(&after);
    expect_table(&before, &after, change_rows[_i].there);
    expect_table(&after, &before, change_rows[_i].back);
}
END_TEST

START_TEST(test_new_boat)
{
    struct taluva_match before = make_match();
    const struct taluva_match after = make_match();
    before.game.n_boats = 1;
    expect_table(&before, &after, "{\"boats\":{\"3,0\":0}}");
}
END_TEST

/* ---- the result */

/* Each team has built something else of every kind. */
static struct taluva_match make_teams(bool boats)
{
    static const uint8_t built[4][TALUVA_KINDS] = {
        {1, 1, 0, 0}, {3, 0, 1, 1}, {4, 1, 3, 1}, {6, 1, 1, 1}};
    struct taluva_match match = {.options = {.seats = 4, .teams = true, .boats = boats}};
    match.game.options = match.options;
    for (unsigned seat = 0; seat < 4; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS; kind++) {
            uint8_t supply = taluva_supply(&match.options, (enum taluva_kind)kind);
            match.game.reserve[seat][kind] = (uint8_t)(supply > 0 ? supply - built[seat][kind] : 0);
        }
    }
    match.game.end = TALUVA_END_EXHAUSTED;
    return match;
}

static void expect_result(const struct taluva_match *match, const char *expected)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    taluva_views.result(match, &writer);
    writer_end(&writer);
    ck_assert(writer_done(&writer));
    expect_json(&buffer, expected);
    buffer_release(&buffer);
}

START_TEST(test_result_has_totals_of_teams)
{
    struct taluva_match match = make_teams(true);
    expect_result(&match, "{\"totals\":{"
                          "\"0\":{\"huts\":5,\"towers\":2,\"temples\":3,\"boats\":1},"
                          "\"1\":{\"huts\":9,\"towers\":1,\"temples\":2,\"boats\":2}}}");
    match = make_teams(false);
    expect_result(&match, "{\"totals\":{\"0\":{\"huts\":5,\"towers\":2,\"temples\":3},"
                          "\"1\":{\"huts\":9,\"towers\":1,\"temples\":2}}}");
    match = make_match();
    expect_result(&match, "{}");
}
END_TEST

/* All are in play and are counted: who shares a rank takes as many places. */
START_TEST(test_ranks)
{
    static const struct {
        uint8_t huts[5]; /* in reserve */
        uint32_t winners;
        uint8_t ranks[5];
    } rows[] = {
        {{9, 8, 7, 6, 5}, 1 << 4, {5, 4, 3, 2, 1}},
        {{5, 7, 5, 7, 9}, 1 | 1 << 2, {1, 3, 1, 3, 5}},
        {{6, 6, 6, 6, 6}, 0x1f, {1, 1, 1, 1, 1}},
        {{8, 5, 8, 8, 8}, 1 << 1, {2, 1, 2, 2, 2}},
    };
    struct taluva_match match = {.options = {.seats = 5}};
    struct game_outcome outcome;
    match.game.options = match.options;
    ck_assert(!taluva_rules.over(&match, &outcome) && !taluva_rules.over(&match, NULL));
    match.game.end = TALUVA_END_EXHAUSTED;
    ck_assert(taluva_rules.over(&match, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned seat = 0; seat < 5; seat++)
            match.game.reserve[seat][TALUVA_HUT] = rows[i].huts[seat];
        ck_assert(taluva_rules.over(&match, &outcome));
        ck_assert_str_eq(outcome.reason, taluva_end_name(TALUVA_END_EXHAUSTED));
        ck_assert_uint_eq(outcome.teams, 0);
        ck_assert_uint_eq(outcome.winners, rows[i].winners);
        ck_assert_mem_eq(outcome.ranks, rows[i].ranks, sizeof rows[i].ranks);
    }
}
END_TEST

/* ---- the record */

static void expect_pair(const struct game_pairs *pairs, size_t i, const char *name,
                        const char *value)
{
    ck_assert_uint_lt(i, pairs->count);
    ck_assert_str_eq(pairs->pairs[i].name, name);
    ck_assert_str_eq(pairs->pairs[i].value, value);
}

START_TEST(test_record_of_deal)
{
    static struct game_pairs pairs;
    struct taluva_match match = make_match();
    static const taluva_tile deck[4] = {0, 5, 1, 24};
    memcpy(match.deck, deck, sizeof deck);
    match.game.options.first = 2;
    match.game.options.two_hex = 0x12;
    taluva_record.deal(&match, &pairs);
    ck_assert_uint_eq(pairs.count, 3);
    expect_pair(&pairs, 0, "first", "2");
    expect_pair(&pairs, 1, "two_hex", "2VJ 2VV");
    expect_pair(&pairs, 2, "deck", "JJ CJ JC LL");
    memset(&pairs, 0, sizeof pairs);
    match.game.options.two_hex = 0;
    taluva_record.deal(&match, &pairs);
    ck_assert_uint_eq(pairs.count, 2);
    expect_pair(&pairs, 1, "deck", "JJ CJ JC LL");
}
END_TEST

START_TEST(test_record_of_totals)
{
    static struct game_pairs pairs;
    struct taluva_match match = make_teams(true);
    taluva_record.result(&match, &pairs);
    ck_assert_uint_eq(pairs.count, 2);
    expect_pair(&pairs, 0, "totals_0", "3 2 1 5");
    expect_pair(&pairs, 1, "totals_1", "2 1 2 9");
    memset(&pairs, 0, sizeof pairs);
    match = make_match();
    taluva_record.result(&match, &pairs);
    ck_assert_uint_eq(pairs.count, 0);
}
END_TEST

Suite *taluva_view_suite(void)
{
    Suite *suite = suite_create("Taluva's table");
    TCase *tcase = tcase_create("table");
    tcase_add_test(tcase, test_whole);
    tcase_add_test(tcase, test_whole_without_options);
    tcase_add_loop_test(tcase, test_change, 0, sizeof change_rows / sizeof *change_rows);
    tcase_add_test(tcase, test_new_boat);
    tcase_add_test(tcase, test_result_has_totals_of_teams);
    tcase_add_test(tcase, test_ranks);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("record");
    tcase_add_test(tcase, test_record_of_deal);
    tcase_add_test(tcase, test_record_of_totals);
    suite_add_tcase(suite, tcase);
    return suite;
}
