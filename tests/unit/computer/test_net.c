/* What the net is told of cuts is what the rules make of them, and its memory changes nothing. */
#include "net.h"
#include "suites.h"
#include "table.h"
#include "turns.h"
#include <check.h>
#include <string.h>

/* What a settlement comes to when a tile has covered some of it. */
struct pieces {
    unsigned largest;
    bool large_without_temple, high_without_tower;
};

static bool has_high_field(const struct board *board, const struct survey *survey, unsigned number,
                           const struct board_covered *covered)
{
    for (unsigned i = 0; i < covered->n; i++) {
        for (unsigned d = 0; d < 6; d++) {
            const unsigned cell = covered->cells[i];
            if (survey->of[board->near[cell][d]] == number && board_is_free(board, cell) &&
                board->level[cell] >= SURVEY_HIGH)
                return true;
        }
    }
    return false;
}

static struct pieces find_pieces(const struct board *board, const struct survey *before,
                                 unsigned number, const struct board_covered *covered)
{
    struct survey after;
    struct pieces pieces = {0, false, false};
    survey_init(&after, board);
    for (unsigned cell = 0; cell < board->n_cells; cell++) {
        if (after.of[cell] == 0 || before->of[cell] != number)
            continue;
        const struct settlement *const piece = &after.settlements[after.of[cell]];
        pieces.largest = piece->size > pieces.largest ? piece->size : pieces.largest;
        pieces.large_without_temple |= piece->temples == 0 && piece->size >= SURVEY_LARGE;
        pieces.high_without_tower |=
            piece->towers == 0 && has_high_field(board, &after, after.of[cell], covered);
    }
    return pieces;
}

static void count_cut(struct settlement *expected, const struct pieces *pieces)
{
    if (pieces->largest < expected->after_cut)
        expected->after_cut = (uint8_t)pieces->largest;
    expected->frees_large += pieces->large_without_temple;
    expected->frees_tower += pieces->high_without_tower;
}

/* One eruption, as the rules list it. */
static void add_cuts(struct board *board, const struct survey *survey,
                     const struct taluva_placement *placement, struct settlement *expected)
{
    struct board_covered covered;
    bool done[SURVEY_SETTLEMENTS] = {true};
    board_lay(board, placement, &covered);
    for (unsigned i = 0; i < covered.n && !covered.on_table; i++) {
        const unsigned number = survey->of[covered.cells[i]];
        if (!done[number]) {
            const struct pieces pieces = find_pieces(board, survey, number, &covered);
            count_cut(&expected[number], &pieces);
        }
        done[number] = true;
    }
    board_lift(board, &covered);
}

/* Those that the survey cuts: a large one, or one that is large beside its temple and the tile. */
static bool is_cut(const struct settlement *settlement)
{
    return settlement->size >= SURVEY_LARGE + (settlement->temples > 0 ? 2 : 0);
}

/* How many settlements something could be cut off from. */
static unsigned check_cuts(const struct taluva *game)
{
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    struct settlement expected[SURVEY_SETTLEMENTS];
    struct board board;
    struct survey survey;
    unsigned found = 0;
    const size_t n = taluva_list_placements(game, game->tile, list, NULL);
    board_init(&board, game);
    survey_init(&survey, &board);
    memset(expected, 0, sizeof expected);
    for (unsigned i = 1; i <= survey.n; i++)
        expected[i].after_cut = survey.settlements[i].size;
    for (size_t i = 0; i < n; i++)
        add_cuts(&board, &survey, &list[i], expected);
    for (unsigned i = 1; i <= survey.n; i++) {
        if (!is_cut(&survey.settlements[i]))
            continue;
        ck_assert_uint_eq(survey.settlements[i].after_cut, expected[i].after_cut);
        ck_assert_uint_eq(survey.settlements[i].frees_large, expected[i].frees_large);
        ck_assert_uint_eq(survey.settlements[i].frees_tower, expected[i].frees_tower);
        found += expected[i].frees_large > 0;
    }
    return found;
}

START_TEST(test_cuts_are_those_of_the_rules)
{
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct table table;
        table_deal(&table, seed);
        while (table.game.step != TALUVA_STEP_OVER) {
            if (table.game.step == TALUVA_STEP_PLACE)
                found += check_cuts(&table.game);
            const struct computer_turn best = table_look(&table);
            table_play_turn(&table, &best);
        }
    }
    ck_assert_uint_gt(found, 10);
}
END_TEST

/* Any weights: a trained net might not need those of the rivals. */
static void net_at_random(struct net *net, uint64_t seed)
{
    struct rng rng = {seed};
    memset(net, 0, sizeof *net);
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        net->direct[i] = (int16_t)((int)rng_below(&rng, 400) - 200);
        for (unsigned j = 0; j < NET_INPUTS; j++)
            net->input[i][j] = (int16_t)((int)rng_below(&rng, 400) - 200);
    }
    for (unsigned j = 0; j < NET_HIDDEN; j++)
        net->output[j] = (int16_t)((int)rng_below(&rng, 1000) - 500);
}

static void check_memory(const struct net *net, struct net_memory *memory,
                         const struct taluva *game)
{
    struct board board;
    struct survey survey;
    struct net_memory fresh;
    int32_t chances[TALUVA_SEATS_MAX], expected[TALUVA_SEATS_MAX];
    board_init(&board, game);
    survey_init(&survey, &board);
    net_memory_init(&fresh);
    net_chances(net, &fresh, &board, &survey, expected);
    net_chances(net, memory, &board, &survey, chances);
    ck_assert_mem_eq(chances, expected, sizeof expected);
}

START_TEST(test_the_memory_changes_no_chance)
{
    struct net net;
    struct net_memory memory;
    struct table table;
    net_at_random(&net, (uint64_t)_i);
    net_memory_init(&memory);
    table_deal_any(&table, (uint64_t)_i);
    while (table.game.step != TALUVA_STEP_OVER) {
        check_memory(&net, &memory, &table.game);
        table_play_random(&table);
    }
}
END_TEST

/* With weights for what the rivals have alone, a seat's chance falls as the other one builds. */
START_TEST(test_what_rivals_have_counts)
{
    static struct net net;
    struct table table;
    unsigned differ = 0;
    memset(&net, 0, sizeof net);
    for (unsigned i = 0; i < 3; i++)
        net.input[TRAIT_TEMPLES + i][NET_HIDDEN] = (int16_t)(NET_WEIGHT_ONE * (3 - i));
    net.output[0] = -NET_WEIGHT_ONE;
    for (table_deal(&table, 3); table.game.step != TALUVA_STEP_OVER;) {
        const int mine = table.game.reserve[0][TALUVA_TEMPLE];
        const int theirs = table.game.reserve[1][TALUVA_TEMPLE];
        int32_t chances[TALUVA_SEATS_MAX];
        turns_rate_now(&net, &table.game, chances, NULL);
        ck_assert_int_eq(chances[0] > chances[1], mine < theirs);
        ck_assert_int_eq(chances[0]<chances[1], mine> theirs);
        differ += mine != theirs;
        const struct computer_turn best = table_look(&table);
        table_play_turn(&table, &best);
    }
    ck_assert_uint_gt(differ, 0);
}
END_TEST

Suite *net_suite(void)
{
    Suite *suite = suite_create("net");
    TCase *tests = tcase_create("net");
    tcase_add_test(tests, test_cuts_are_those_of_the_rules);
    tcase_add_loop_test(tests, test_the_memory_changes_no_chance, 0, 20);
    tcase_add_test(tests, test_what_rivals_have_counts);
    suite_add_tcase(suite, tests);
    return suite;
}
