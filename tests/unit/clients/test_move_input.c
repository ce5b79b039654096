#include "choose.h"
#include "move_input.h"
#include "suites.h"
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
    for (size_t i = 0; i < sizeof hexes / sizeof hexes[0]; i++)
        map_bounds_add(&bounds, hexes[i].at);
    ck_assert(map_init(map, &bounds, 0));
    for (size_t i = 0; i < sizeof hexes / sizeof hexes[0]; i++)
        ck_assert(map_hex_parse(map_hex(map, hexes[i].at), hexes[i].token));
    ck_assert(map_finish(map));
    ck_assert(map_hex(map, (struct map_at){0, 1})->lagoon);
}

static const struct {
    const char *line, *tile;
    enum game_input outcome;
    const char *move; /* or the problem's beginning */
    bool confirm;
} CASES[] = {
    {"JC@2,-1:4", "LS", GAME_INPUT_MOVE, "JC@2,-1:4", false},
    {"jc 2,-1:4", "", GAME_INPUT_MOVE, "JC@2,-1:4", false},
    {"2,-1:4", "JC", GAME_INPUT_MOVE, "JC@2,-1:4", false},
    {"  -2,1:0  ", "JC", GAME_INPUT_MOVE, "JC@-2,1:0", false},
    {"2,-1", "JC", GAME_INPUT_MOVE, "JC@2,-1:3", false}, /* as the picture is turned */
    {"place 2,-1:4", "JC", GAME_INPUT_MOVE, "JC@2,-1:4", false},
    {"place here", "JC", GAME_INPUT_WRONG, "A place is", false},
    {"2,-1:4 !", "JC", GAME_INPUT_MOVE, "JC@2,-1:4", true},
    {"2,-1:4!", "JC", GAME_INPUT_MOVE, "JC@2,-1:4", true},
    {"2VL 0,3:2", "JC", GAME_INPUT_MOVE, "2VL@0,3:2", false},
    {"2vl@0,3:2", "", GAME_INPUT_MOVE, "2VL@0,3:2", false},
    {"draw", "", GAME_INPUT_MOVE, "draw", false},
    {"hut 1,0", "", GAME_INPUT_MOVE, "hut@1,0", false},
    {"hut@1,0", "", GAME_INPUT_MOVE, "hut@1,0", false},
    {"tower -1,0", "", GAME_INPUT_MOVE, "tower@-1,0", false},
    {"temple 1,0", "", GAME_INPUT_MOVE, "temple@1,0", false},
    {"expand 1,0 L", "", GAME_INPUT_MOVE, "expand@0,0=L", false}, /* named by its smallest hex */
    {"expand 1,0 l", "", GAME_INPUT_MOVE, "expand@0,0=L", false},
    {"expand@0,0=L", "", GAME_INPUT_MOVE, "expand@0,0=L", false},
    {"expand 2,0 L", "", GAME_INPUT_MOVE, "expand@2,0=L", false},
    {"expand 9,9 L", "", GAME_INPUT_MOVE, "expand@9,9=L",
     false}, /* the server says what is wrong */
    {"boat 0,1", "", GAME_INPUT_MOVE, "boat@0,1", false},
    {"boat 1,1", "", GAME_INPUT_MOVE, "boat@1,1", false},
    {"", "JC", GAME_INPUT_UNKNOWN, NULL, false},
    {"hello", "JC", GAME_INPUT_UNKNOWN, NULL, false},
    {"moves", "JC", GAME_INPUT_UNKNOWN, NULL, false},
    {"JC", "JC", GAME_INPUT_UNKNOWN, NULL, false},
    {"one two three four five", "JC", GAME_INPUT_UNKNOWN, NULL, false},
    {"2,-1:4", "", GAME_INPUT_WRONG, "You have no tile", false},
    {"2,-1:6", "JC", GAME_INPUT_WRONG, "A place is", false},
    {"2,-1:", "JC", GAME_INPUT_WRONG, "A place is", false},
    {"2", "JC", GAME_INPUT_WRONG, "A place is", false},
    {"2,-1:44", "JC", GAME_INPUT_WRONG, "A place is", false},
    {"hut", "", GAME_INPUT_WRONG, "Build like this", false},
    {"hut here", "", GAME_INPUT_WRONG, "Build like this", false},
    {"hut 1,0 2,0", "", GAME_INPUT_WRONG, "Build like this", false},
    {"expand 0,0", "", GAME_INPUT_WRONG, "Expand like this", false},
    {"expand 0,0 V", "", GAME_INPUT_WRONG, "A terrain is", false},
    {"expand 0,0 JJ", "", GAME_INPUT_WRONG, "A terrain is", false},
};

START_TEST(read)
{
    struct map map;
    struct game_move move;
    make_map(&map);
    struct move_input_place at = {&map, CASES[_i].tile, "", 3};
    enum game_input outcome = move_input_read(&move, CASES[_i].line, &at);
    ck_assert_msg(outcome == CASES[_i].outcome, "%s", CASES[_i].line);
    if (outcome == GAME_INPUT_MOVE) {
        ck_assert_str_eq(move.text, CASES[_i].move);
        ck_assert_int_eq(move.confirm, CASES[_i].confirm);
    } else if (outcome == GAME_INPUT_WRONG) {
        ck_assert_msg(strncmp(move.problem, CASES[_i].move, strlen(CASES[_i].move)) == 0, "%s",
                      move.problem);
    }
    map_release(&map);
}
END_TEST

static const struct {
    const char *step, *tile, *line, *problem; /* NULL: it is a move */
} TURNS[] = {
    {"build", "", "2,-1:4",
     "Your tile lies already: build now (hut, tower, temple, expand), or take it back with "
     "`undo`."},
    {"build", "", "JC 2,-1:4", "Your tile lies already: "},
    {"build", "", "hut 1,0", NULL},
    {"place", "SR", "JC@2,-1:4", "You have drawn SR, not JC: 2,-1:4 places it."},
    {"place", "SR", "sr 2,-1:4", NULL},
    {"place", "SR", "2VL 2,-1:4", NULL}, /* the server says why not */
    {"place", "SR", "hut 1,0", "First the tile in hand, SR, has to be placed."},
    {"place", "SR", "hut", "Build like this"},
    {"draw", "", "2,-1:4", "First `draw` a tile, or take one that is on offer: 2VL 2,-1:4"},
    {"draw", "", "2VL 2,-1:4", NULL},
    {"draw", "", "tower 1,0", "First a tile has to be drawn and placed: `draw`"},
    {"", "SR", "JC 2,-1:4", NULL}, /* it is not our turn: the server says so */
};

/* What the turn does not allow is said in words that help. */
START_TEST(moves_fit_the_turn)
{
    struct map map;
    struct game_move move;
    make_map(&map);
    struct move_input_place at = {&map, TURNS[_i].tile, TURNS[_i].step, 3};
    enum game_input outcome = move_input_read(&move, TURNS[_i].line, &at);
    ck_assert_int_eq(outcome, TURNS[_i].problem ? GAME_INPUT_WRONG : GAME_INPUT_MOVE);
    if (TURNS[_i].problem)
        ck_assert_msg(strncmp(move.problem, TURNS[_i].problem, strlen(TURNS[_i].problem)) == 0,
                      "%s", move.problem);
    map_release(&map);
}
END_TEST

START_TEST(written_moves_are_read)
{
    static const char *const moves[] = {"JC@2,-1:4",    "2VL@0,3:2", "hut@1,0",
                                        "expand@0,0=L", "boat@0,1",  "draw"};
    struct map map;
    make_map(&map);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        char text[64];
        struct game_move move;
        struct move_input_place at = {&map, "JC", "", 0};
        move_input_write(text, sizeof text, moves[i], "JC");
        ck_assert_ptr_null(strpbrk(text, i == 1 ? "" : "@="));
        ck_assert_int_eq(move_input_read(&move, text, &at), GAME_INPUT_MOVE);
        ck_assert_str_eq(move.text, moves[i]);
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
    struct rng one = {42}, two = {42};
    int temples = 0;
    for (int round = 0; round < 300; round++) {
        const char *there[MOVES], *back[MOVES];
        for (int i = 0; i < MOVES; i++) {
            there[i] = told[i];
            back[i] = told[MOVES - 1 - i];
        }
        const char *choice = choose_one(&one, there, MOVES);
        ck_assert_str_eq(choice, choose_one(&two, back, MOVES));
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
    struct rng dice = {7};
    int few = 0;
    for (int round = 0; round < 1000; round++) {
        const char *moves[] = {"aaaa", "b", "cccc", "dddd"};
        size_t limit = 3, left = choose_sort(&dice, moves, 4, is_short, &limit);
        ck_assert(left == 1 || left == 3);
        ck_assert_str_eq(moves[0], left == 1 ? "b" : "aaaa");
        few += left == 1;
        limit = 1;
        ck_assert_uint_eq(choose_sort(&dice, moves, left, is_short, &limit), left);
    }
    ck_assert_int_gt(few, 430);
    ck_assert_int_lt(few, 570);
}
END_TEST

START_TEST(dice_are_fair)
{
    struct rng dice = {1};
    int count[6] = {0};
    for (int i = 0; i < 60000; i++)
        count[rng_below(&dice, 6)]++;
    for (int i = 0; i < 6; i++)
        ck_assert_int_lt(abs(count[i] - 10000), 500);
    ck_assert_uint_eq(rng_below(&dice, 1), 0);
    struct rng known = {0}; /* SplitMix64's published first number, its upper half */
    ck_assert_uint_eq(rng_below(&known, 1U << 31), 0xe220a839 & 0x7fffffff);
}
END_TEST

Suite *move_input_suite(void)
{
    Suite *suite = suite_create("move input");
    TCase *tcase = tcase_create("move input");
    tcase_add_loop_test(tcase, read, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tcase, moves_fit_the_turn, 0, sizeof TURNS / sizeof TURNS[0]);
    tcase_add_test(tcase, written_moves_are_read);
    tcase_add_test(tcase, choice_can_be_had_again);
    tcase_add_test(tcase, choice_is_narrowed);
    tcase_add_test(tcase, dice_are_fair);
    suite_add_tcase(suite, tcase);
    return suite;
}
