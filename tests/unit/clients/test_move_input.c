#include "suites.h"

#include "choose.h"
#include "move_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 *      (0,0) (1,0) (2,0)        0,0 and 1,0 are a settlement of seat 0, 2,0 stands alone of seat 1;
 *   (-1,1) ~~~~~ (1,1)          0,1 is a lagoon
 *      (-1,2) (0,2)
 */
static void make_map(struct map *map)
{
    static const struct {
        struct map_at at;
        const char *token;
    } hexes[] = {{{0, 0}, "1J:0h1"}, {{1, 0}, "1C:0h1"}, {{2, 0}, "1S:1h1"}, {{-1, 1}, "1V0"},
                 {{1, 1}, "1L"},     {{-1, 2}, "1R"},    {{0, 2}, "1C"}};
    struct map_bounds bounds = {0};
    for (size_t i = 0; i < sizeof(hexes) / sizeof(hexes[0]); i++)
        map_bounds_add(&bounds, hexes[i].at);
    ck_assert(map_init(map, &bounds, 0));
    for (size_t i = 0; i < sizeof(hexes) / sizeof(hexes[0]); i++)
        ck_assert(map_hex_parse(map_hex(map, hexes[i].at), hexes[i].token));
    ck_assert(map_finish(map));
    ck_assert(map_hex(map, (struct map_at){0, 1})->lagoon);
}

static const struct {
    const char *line, *tile;
    enum move_input_outcome outcome;
    const char *move; /* or the problem's beginning */
    bool confirm;
} CASES[] = {
    {"JC@2,-1:4", "LS", MOVE_INPUT_OK, "JC@2,-1:4", false},
    {"jc 2,-1:4", "", MOVE_INPUT_OK, "JC@2,-1:4", false},
    {"2,-1:4", "JC", MOVE_INPUT_OK, "JC@2,-1:4", false},
    {"  -2,1:0  ", "JC", MOVE_INPUT_OK, "JC@-2,1:0", false},
    {"2,-1", "JC", MOVE_INPUT_OK, "JC@2,-1:3", false}, /* as the picture is turned */
    {"place 2,-1:4", "JC", MOVE_INPUT_OK, "JC@2,-1:4", false},
    {"place here", "JC", MOVE_INPUT_WRONG, "A place is", false},
    {"2,-1:4 !", "JC", MOVE_INPUT_OK, "JC@2,-1:4", true},
    {"2,-1:4!", "JC", MOVE_INPUT_OK, "JC@2,-1:4", true},
    {"2VL 0,3:2", "JC", MOVE_INPUT_OK, "2VL@0,3:2", false},
    {"2vl@0,3:2", "", MOVE_INPUT_OK, "2VL@0,3:2", false},
    {"draw", "", MOVE_INPUT_OK, "draw", false},
    {"hut 1,0", "", MOVE_INPUT_OK, "hut@1,0", false},
    {"hut@1,0", "", MOVE_INPUT_OK, "hut@1,0", false},
    {"tower -1,0", "", MOVE_INPUT_OK, "tower@-1,0", false},
    {"temple 1,0", "", MOVE_INPUT_OK, "temple@1,0", false},
    {"expand 1,0 L", "", MOVE_INPUT_OK, "expand@0,0=L", false}, /* named by its smallest hex */
    {"expand 1,0 l", "", MOVE_INPUT_OK, "expand@0,0=L", false},
    {"expand@0,0=L", "", MOVE_INPUT_OK, "expand@0,0=L", false},
    {"expand 2,0 L", "", MOVE_INPUT_OK, "expand@2,0=L", false},
    {"expand 9,9 L", "", MOVE_INPUT_OK, "expand@9,9=L", false}, /* the server says what is wrong */
    {"boat 0,1", "", MOVE_INPUT_OK, "boat@0,1", false},
    {"boat 1,1", "", MOVE_INPUT_OK, "boat@1,1", false},
    {"", "JC", MOVE_INPUT_UNKNOWN, NULL, false},
    {"hello", "JC", MOVE_INPUT_UNKNOWN, NULL, false},
    {"moves", "JC", MOVE_INPUT_UNKNOWN, NULL, false},
    {"JC", "JC", MOVE_INPUT_UNKNOWN, NULL, false},
    {"one two three four five", "JC", MOVE_INPUT_UNKNOWN, NULL, false},
    {"2,-1:4", "", MOVE_INPUT_WRONG, "You have no tile", false},
    {"2,-1:6", "JC", MOVE_INPUT_WRONG, "A place is", false},
    {"2,-1:", "JC", MOVE_INPUT_WRONG, "A place is", false},
    {"2", "JC", MOVE_INPUT_WRONG, "A place is", false},
    {"2,-1:44", "JC", MOVE_INPUT_WRONG, "A place is", false},
    {"hut", "", MOVE_INPUT_WRONG, "Build like this", false},
    {"hut here", "", MOVE_INPUT_WRONG, "Build like this", false},
    {"hut 1,0 2,0", "", MOVE_INPUT_WRONG, "Build like this", false},
    {"expand 0,0", "", MOVE_INPUT_WRONG, "Expand like this", false},
    {"expand 0,0 V", "", MOVE_INPUT_WRONG, "A terrain is", false},
    {"expand 0,0 JJ", "", MOVE_INPUT_WRONG, "A terrain is", false},
};

START_TEST(read)
{
    struct map map;
    struct typed typed;
    make_map(&map);
    struct typed_at at = {&map, CASES[_i].tile, 3};
    enum move_input_outcome outcome = typed_read(&typed, CASES[_i].line, &at);
    ck_assert_msg(outcome == CASES[_i].outcome, "%s", CASES[_i].line);
    if (outcome == MOVE_INPUT_OK) {
        ck_assert_str_eq(typed.move, CASES[_i].move);
        ck_assert_int_eq(typed.confirm, CASES[_i].confirm);
    } else if (outcome == MOVE_INPUT_WRONG) {
        ck_assert_msg(strncmp(typed.problem, CASES[_i].move, strlen(CASES[_i].move)) == 0, "%s",
                      typed.problem);
    }
    map_release(&map);
}
END_TEST

START_TEST(written_moves_are_read)
{
    static const char *const moves[] = {"JC@2,-1:4",    "2VL@0,3:2", "hut@1,0",
                                        "expand@0,0=L", "boat@0,1",  "draw"};
    struct map map;
    make_map(&map);
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        char text[64];
        struct typed typed;
        struct typed_at at = {&map, "JC", 0};
        typed_write(text, sizeof(text), moves[i], "JC");
        ck_assert_ptr_null(strpbrk(text, i == 1 ? "" : "@="));
        ck_assert_int_eq(typed_read(&typed, text, &at), MOVE_INPUT_OK);
        ck_assert_str_eq(typed.move, moves[i]);
    }
    map_release(&map);
}
END_TEST

/* The same dice choose the same, in whatever order the moves are told. */
START_TEST(choice_can_be_had_again)
{
    enum { MOVES = 6 };
    static const char *const told[MOVES] = {"hut@1,0", "hut@0,1", "temple@2,2",
                                            "hut@3,3", "hut@4,4", "expand@0,1=L"};
    struct dice one = {42}, two = {42};
    int temples = 0;
    for (int round = 0; round < 300; round++) {
        const char *there[MOVES], *back[MOVES];
        for (int i = 0; i < MOVES; i++) {
            there[i] = told[i];
            back[i] = told[MOVES - 1 - i];
        }
        const char *choice = choice_pick(&one, there, MOVES);
        ck_assert_str_eq(choice, choice_pick(&two, back, MOVES));
        temples += strcmp(choice, "temple@2,2") == 0;
    }
    ck_assert_int_gt(temples, 60); /* one kind of three */
    ck_assert_int_lt(temples, 140);
}
END_TEST

static bool is_short(const void *context, const char *move)
{
    return strlen(move) < *(const size_t *)context;
}

/* The few come up as often as the many; where there are none of one sort, all stay. */
START_TEST(choice_is_narrowed)
{
    struct dice dice = {7};
    int few = 0;
    for (int round = 0; round < 1000; round++) {
        const char *moves[] = {"aaaa", "b", "cccc", "dddd"};
        size_t limit = 3, left = choice_narrow(&dice, moves, 4, is_short, &limit);
        ck_assert(left == 1 || left == 3);
        ck_assert_str_eq(moves[0], left == 1 ? "b" : "aaaa");
        few += left == 1;
        limit = 1;
        ck_assert_uint_eq(choice_narrow(&dice, moves, left, is_short, &limit), left);
    }
    ck_assert_int_gt(few, 430);
    ck_assert_int_lt(few, 570);
}
END_TEST

START_TEST(dice_are_fair)
{
    struct dice dice = {1};
    int count[6] = {0};
    for (int i = 0; i < 60000; i++)
        count[dice_below(&dice, 6)]++;
    for (int i = 0; i < 6; i++)
        ck_assert_int_lt(abs(count[i] - 10000), 500);
    ck_assert_uint_eq(dice_below(&dice, 1), 0);
    struct dice known = {0}; /* SplitMix64's published first number, its upper half */
    ck_assert_uint_eq(dice_below(&known, 1U << 31), 0xe220a839 & 0x7fffffff);
}
END_TEST

Suite *move_input_suite(void)
{
    Suite *suite = suite_create("move input");
    TCase *tcase = tcase_create("move input");
    tcase_add_loop_test(tcase, read, 0, sizeof(CASES) / sizeof(CASES[0]));
    tcase_add_test(tcase, written_moves_are_read);
    tcase_add_test(tcase, choice_can_be_had_again);
    tcase_add_test(tcase, choice_is_narrowed);
    tcase_add_test(tcase, dice_are_fair);
    suite_add_tcase(suite, tcase);
    return suite;
}
