#include "suites.h"
#include <rules/notation.h>
#include <string.h>

START_TEST(test_tiles_round_trip)
{
    for (unsigned tile = 0; tile < TALUVA_TILES; tile++) {
        char text[TALUVA_TILE_TEXT];
        taluva_tile back = TALUVA_TILE_NONE;
        const size_t len = taluva_tile_format((taluva_tile)tile, text);
        ck_assert_uint_eq(len, strlen(text));
        ck_assert(taluva_tile_parse(text, len, &back));
        ck_assert_uint_eq(back, tile);
    }
    taluva_tile tile;
    ck_assert(taluva_tile_parse("CJ", 2, &tile) && tile == 5);
    ck_assert(taluva_tile_parse("2VV", 3, &tile) && tile == TALUVA_TILE_2VV);
    static const char *const wrong[] = {"",    "J",   "JV",  "VJ",   "JJJ", "2J",
                                        "2JV", "2CC", "2LV", "2VJ ", "jj",  "3JJ"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!taluva_tile_parse(wrong[i], strlen(wrong[i]), &tile), "%s", wrong[i]);
}
END_TEST

/* What is read, what is written, or why not and where. */
struct row {
    const char *text;
    enum taluva_notation_status status;
    size_t offset;
};

static void hold(const struct row *row, bool read, const char *written,
                 const struct taluva_notation_error *error)
{
    ck_assert_msg(read == (row->status == TALUVA_NOTATION_OK), "%s", row->text);
    ck_assert_msg(error->status == row->status, "%s: %s", row->text,
                  taluva_notation_status_code(error->status));
    if (read) {
        ck_assert_str_eq(written, row->text);
    } else {
        ck_assert_msg(error->offset == row->offset, "%s: %zu", row->text, error->offset);
        ck_assert_ptr_nonnull(error->what);
    }
}

START_TEST(test_placements)
{
    static const struct row rows[] = {
        {"CJ@0,0:0", TALUVA_NOTATION_OK, 0},
        {"JC@2,-1:4", TALUVA_NOTATION_OK, 0},
        {"2VL@-32768,32767:5", TALUVA_NOTATION_OK, 0},
        {"2VV@0,0:2", TALUVA_NOTATION_OK, 0},
        {"2VV@0,0:3", TALUVA_NOTATION_NOT_CANONICAL, 8},
        {"2JJ@0,0:5", TALUVA_NOTATION_NOT_CANONICAL, 8},
        {"CJ@0,0:6", TALUVA_NOTATION_RANGE, 7},
        {"CJ@0,0:00", TALUVA_NOTATION_NOT_CANONICAL, 7},
        {"CJ@-0,0:0", TALUVA_NOTATION_NOT_CANONICAL, 3},
        {"CJ@01,0:0", TALUVA_NOTATION_NOT_CANONICAL, 3},
        {"CJ@32768,0:0", TALUVA_NOTATION_RANGE, 3},
        {"CJ@0,-32769:0", TALUVA_NOTATION_RANGE, 6},
        {"CJ@99999999999999999999,0:0", TALUVA_NOTATION_RANGE, 3},
        {"CJ@0,0:0 ", TALUVA_NOTATION_TRAILING, 8},
        {" CJ@0,0:0", TALUVA_NOTATION_SYNTAX, 0},
        {"CJ@+1,0:0", TALUVA_NOTATION_SYNTAX, 3},
        {"CJ@0.0:0", TALUVA_NOTATION_SYNTAX, 4},
        {"CJ@0,0", TALUVA_NOTATION_SYNTAX, 6},
        {"CV@0,0:0", TALUVA_NOTATION_SYNTAX, 1},
        {"2CC@0,0:0", TALUVA_NOTATION_RANGE, 0},
        {"2LL@0,0:0", TALUVA_NOTATION_RANGE, 0},
        {"", TALUVA_NOTATION_SYNTAX, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taluva_placement placement = {{0, 0}, 0, 0};
        struct taluva_notation_error error;
        char text[TALUVA_PLACEMENT_TEXT];
        const bool read =
            taluva_placement_parse(rows[i].text, strlen(rows[i].text), &placement, &error);
        taluva_placement_format(&placement, text);
        hold(&rows[i], read, text, &error);
    }
}
END_TEST

START_TEST(test_builds)
{
    static const struct row rows[] = {
        {"hut@0,0", TALUVA_NOTATION_OK, 0},
        {"tower@-1,20", TALUVA_NOTATION_OK, 0},
        {"temple@3,-4", TALUVA_NOTATION_OK, 0},
        {"boat@3,4", TALUVA_NOTATION_OK, 0},
        {"expand@-32768,-32768=L", TALUVA_NOTATION_OK, 0},
        {"expand@0,0=V", TALUVA_NOTATION_SYNTAX, 11},
        {"expand@0,0", TALUVA_NOTATION_SYNTAX, 10},
        {"hut@0,0=J", TALUVA_NOTATION_TRAILING, 7},
        {"huts@0,0", TALUVA_NOTATION_SYNTAX, 0},
        {"hu@0,0", TALUVA_NOTATION_SYNTAX, 0},
        {"none", TALUVA_NOTATION_SYNTAX, 0},
        {"Hut@0,0", TALUVA_NOTATION_SYNTAX, 0},
        {"hut@0", TALUVA_NOTATION_SYNTAX, 5},
        {"@0,0", TALUVA_NOTATION_SYNTAX, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taluva_build build = {{0, 0}, 0, 0};
        struct taluva_notation_error error;
        char text[TALUVA_BUILD_TEXT];
        const bool read = taluva_build_parse(rows[i].text, strlen(rows[i].text), &build, &error);
        taluva_build_format(&build, text);
        hold(&rows[i], read, text, &error);
    }
}
END_TEST

START_TEST(test_cells)
{
    static const struct row rows[] = {
        {"1J", TALUVA_NOTATION_OK, 0},
        {"2V4", TALUVA_NOTATION_OK, 0},
        {"1v0", TALUVA_NOTATION_OK, 0},
        {"3R:0h3", TALUVA_NOTATION_OK, 0},
        {"12L:4h12", TALUVA_NOTATION_OK, 0},
        {"3R:2w", TALUVA_NOTATION_OK, 0},
        {"1S:1t", TALUVA_NOTATION_OK, 0},
        {"0J", TALUVA_NOTATION_RANGE, 0},
        {"61J", TALUVA_NOTATION_RANGE, 0},
        {"J", TALUVA_NOTATION_SYNTAX, 0},
        {"1V", TALUVA_NOTATION_SYNTAX, 2},
        {"1V6", TALUVA_NOTATION_RANGE, 2},
        {"1V0:0h1", TALUVA_NOTATION_TRAILING, 3},
        {"1J:5h1", TALUVA_NOTATION_RANGE, 3},
        {"1J:0b", TALUVA_NOTATION_SYNTAX, 4},
        {"1J:0h2", TALUVA_NOTATION_IMPOSSIBLE, 5},
        {"1J:0h", TALUVA_NOTATION_SYNTAX, 5},
        {"1J:", TALUVA_NOTATION_SYNTAX, 3},
        {"1J4", TALUVA_NOTATION_TRAILING, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taluva_cell cell = {.level = 1, .owner = TALUVA_NO_SEAT};
        struct taluva_notation_error error;
        char text[TALUVA_CELL_TEXT];
        const bool read = taluva_cell_parse(rows[i].text, strlen(rows[i].text), &cell, &error);
        taluva_cell_format(&cell, text);
        hold(&rows[i], read, text, &error);
    }
}
END_TEST

#define TWO  " h20w2t3/h20w2t3 "
#define TILE " 0,0=1V0/0,1=1C/1,0=1J"

START_TEST(test_positions)
{
    static const struct row rows[] = {
        {"2/0/48 -" TWO "- - 48 draw:0", TALUVA_NOTATION_OK, 0},
        {"2/1/48" TILE TWO "- - 47 draw:0", TALUVA_NOTATION_OK, 0},
        {"2/1/48" TILE TWO "- - 46 place:0:LL", TALUVA_NOTATION_OK, 0},
        {"2/1/48" TILE TWO "- - 47 build:0", TALUVA_NOTATION_OK, 0},
        {"2/1/1" TILE TWO "- - 0 over:exhausted", TALUVA_NOTATION_OK, 0},
        {"2/0/48 - h20w2t3/h20w2t3e1 - - 48 over:last-standing", TALUVA_NOTATION_OK, 0},
        {"3/0/48/anywhere/ranking/boats/expert/2JJ2VJ2VV - "
         "h20w2t3b2u0/h20w2t3b2u0/h20w2t3b2u0 - 2JJ2VJ2VV 48 draw:2",
         TALUVA_NOTATION_OK, 0},
        /* options */
        {"", TALUVA_NOTATION_SYNTAX, 0},
        {"6/0/48 -" TWO "- - 48 draw:0", TALUVA_NOTATION_RANGE, 0},
        {"1/0/48 -" TWO "- - 48 draw:0", TALUVA_NOTATION_RANGE, 0},
        {"2/0/61 -" TWO "- - 61 draw:0", TALUVA_NOTATION_RANGE, 4},
        {"2/0/048 -" TWO "- - 48 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 4},
        {"2/0/48/team -" TWO "- - 48 draw:0", TALUVA_NOTATION_SYNTAX, 7},
        {"2/0/48/teams -" TWO "- - 48 draw:0", TALUVA_NOTATION_RANGE, 0},
        {"2/0/48/ranking/anywhere -" TWO "- - 48 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 7},
        {"2/0/48/ranking/ranking -" TWO "- - 48 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 14},
        {"2/0/48/player/expert -" TWO "- - 48 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 7},
        {"2/0/48/2JJ - h20w2t3u0/h20w2t3u0 - 2JJ 48 draw:0", TALUVA_NOTATION_RANGE, 0},
        {"2/0/48/2VJ2JJ - h20w2t3u0/h20w2t3u0 - 2JJ2VJ 48 draw:0", TALUVA_NOTATION_NOT_CANONICAL,
         8},
        {"2/0/48/2JJ2VJCC -" TWO "- - 48 draw:0", TALUVA_NOTATION_SYNTAX, 13},
        /* island */
        {"2/0/48 0,1=1C/0,0=1V0/1,0=1J" TWO "- - 47 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 14},
        {"2/0/48 0,0=1V0/0,0=1C/1,0=1J" TWO "- - 47 draw:0", TALUVA_NOTATION_NOT_CANONICAL, 15},
        {"2/0/48 0,0=1V0/0,1=1C:2h1/1,0=1J" TWO "- - 47 draw:0", TALUVA_NOTATION_RANGE, 15},
        {"2/0/48 0,0=1V0/0,1=1C/131,0=1J" TWO "- - 47 draw:0", TALUVA_NOTATION_IMPOSSIBLE, 22},
        {"2/0/48 -99,0=1V0/0,0=1C/99,0=1J" TWO "- - 47 draw:0", TALUVA_NOTATION_IMPOSSIBLE, 7},
        {"2/0/48" TILE "/" TWO "- - 47 draw:0", TALUVA_NOTATION_SYNTAX, 29},
        /* seats */
        {"2/0/48 - h20w2t3 - - 48 draw:0", TALUVA_NOTATION_SYNTAX, 16},
        {"2/0/48 - h20w2t3/h20w2t3/h20w2t3 - - 48 draw:0", TALUVA_NOTATION_SYNTAX, 24},
        {"2/0/48 - h21w2t3/h20w2t3 - - 48 draw:0", TALUVA_NOTATION_RANGE, 10},
        {"2/0/48 - h20w3t3/h20w2t3 - - 48 draw:0", TALUVA_NOTATION_RANGE, 13},
        {"2/0/48 - h20t3w2/h20w2t3 - - 48 draw:0", TALUVA_NOTATION_SYNTAX, 12},
        {"2/0/48 - h20w2t3b2/h20w2t3 - - 48 draw:0", TALUVA_NOTATION_SYNTAX, 16},
        {"3/0/48 - h20w2t3e1/h20w2t3e1/h20w2t3 - - 48 draw:2", TALUVA_NOTATION_IMPOSSIBLE, 27},
        {"3/0/48 - h20w2t3e2/h20w2t3/h20w2t3 - - 48 draw:2", TALUVA_NOTATION_IMPOSSIBLE, 34},
        {"3/0/48 - h20w2t3e0/h20w2t3/h20w2t3 - - 48 draw:2", TALUVA_NOTATION_IMPOSSIBLE, 17},
        /* boats and offer */
        {"2/0/48" TILE TWO "0,2:0 - 47 draw:0", TALUVA_NOTATION_IMPOSSIBLE, 45},
        {"2/0/48" TILE TWO "0,2 - 47 draw:0", TALUVA_NOTATION_SYNTAX, 48},
        {"2/0/48 -" TWO "- 2JJ 48 draw:0", TALUVA_NOTATION_IMPOSSIBLE, 40},
        /* turn */
        {"2/0/48 -" TWO "- - 48 draw:2", TALUVA_NOTATION_RANGE, 37},
        {"2/0/48 -" TWO "- - 48 pass:0", TALUVA_NOTATION_SYNTAX, 32},
        {"2/0/48 -" TWO "- - 48 draw:0 ", TALUVA_NOTATION_TRAILING, 38},
        {"2/0/48 -" TWO "- - 47 place:0:2JJ", TALUVA_NOTATION_RANGE, 40},
        {"2/0/48 -" TWO "- - 48 over:none", TALUVA_NOTATION_SYNTAX, 37},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct taluva game;
        struct taluva_notation_error error;
        char text[TALUVA_POSITION_TEXT] = "";
        const bool read = taluva_position_parse(rows[i].text, strlen(rows[i].text), &game, &error);
        if (read)
            taluva_position_format(&game, text);
        hold(&rows[i], read, text, &error);
    }
}
END_TEST

/* Text is bytes and a length: no terminator, and nothing is read beyond. */
START_TEST(test_no_terminator)
{
    static const char text[] = "2/0/48" TILE TWO "- - 46 place:0:LL";
    struct taluva game;
    for (size_t len = 0; len < sizeof text; len++) {
        char exact[sizeof text];
        memcpy(exact, text, len);
        ck_assert(taluva_position_parse(exact, len, &game, NULL) == (len + 1 == sizeof text));
    }
}
END_TEST

/* Lines as long as they get. */
START_TEST(test_long_lines)
{
    struct taluva_placement placement = {{-32768, -32768}, 5, TALUVA_TILE_2VL};
    struct taluva_build build = {{-32768, -32768}, TALUVA_BUILD_EXPAND, TALUVA_LAKE};
    struct taluva_cell cell = {.level = 60, .terrain = TALUVA_LAKE, .owner = 4, .count = 60};
    char a[TALUVA_PLACEMENT_TEXT], b[TALUVA_BUILD_TEXT], c[TALUVA_CELL_TEXT], d[TALUVA_HEX_TEXT];
    ck_assert_uint_lt(taluva_placement_format(&placement, a), sizeof a);
    ck_assert_uint_lt(taluva_build_format(&build, b), sizeof b);
    ck_assert_uint_lt(taluva_cell_format(&cell, c), sizeof c);
    ck_assert_uint_lt(taluva_hex_format(build.at, d), sizeof d);
    ck_assert_str_eq(d, "-32768,-32768");
}
END_TEST

START_TEST(test_words)
{
    enum taluva_zone zone = TALUVA_ZONE_NONE;
    ck_assert(taluva_zone_find("expert", &zone) && zone == TALUVA_ZONE_EXPERT);
    ck_assert(!taluva_zone_find("experts", &zone) && !taluva_zone_find("", &zone));
    ck_assert_str_eq(taluva_zone_name(TALUVA_ZONE_PLAYER), "player");
    ck_assert_str_eq(taluva_end_name(TALUVA_END_NO_ROOM), "no-room");
    ck_assert_str_eq(taluva_step_name(TALUVA_STEP_BUILD), "build");
    ck_assert_str_eq(taluva_kind_name(TALUVA_TEMPLE), "temple");
    ck_assert_int_eq(taluva_terrain_letter(TALUVA_ROCK), 'R');
    ck_assert_ptr_null(taluva_step_name((enum taluva_step)TALUVA_STEPS));
    ck_assert_str_eq(taluva_notation_status_code(TALUVA_NOTATION_IMPOSSIBLE), "impossible");
}
END_TEST

Suite *notation_suite(void)
{
    Suite *suite = suite_create("notation");
    TCase *tests = tcase_create("notation");
    tcase_add_test(tests, test_tiles_round_trip);
    tcase_add_test(tests, test_placements);
    tcase_add_test(tests, test_builds);
    tcase_add_test(tests, test_cells);
    tcase_add_test(tests, test_positions);
    tcase_add_test(tests, test_no_terminator);
    tcase_add_test(tests, test_long_lines);
    tcase_add_test(tests, test_words);
    suite_add_tcase(suite, tests);
    return suite;
}
