/* An analysis as JSON: each figure is in its place. The analyses are written by hand. */
#include "../../support/run_suites.h"
#include <string.h>
#include <taluva_report/report.h>

/* ---- words and moves */

START_TEST(test_words_of_marks)
{
    static const char *const words[] = {
        [ANALYSIS_PLAIN] = "",
        [ANALYSIS_IS_GOOD] = "good",
        [ANALYSIS_IS_MISTAKE] = "mistake",
        [ANALYSIS_IS_BLUNDER] = "blunder",
    };
    for (unsigned mark = 0; mark < sizeof words / sizeof *words; mark++)
        ck_assert_str_eq(report_mark_word((enum analysis_mark)mark), words[mark]);
}
END_TEST

static struct analysis_text text_of(unsigned parts)
{
    return (struct analysis_text){
        .parts = (uint8_t)parts,
        .placement = {.at = {2, -1}, .k = 4, .tile = 5 * TALUVA_JUNGLE + TALUVA_CLEARING},
        .build = {.at = {0, 1}, .verb = TALUVA_BUILD_EXPAND, .terrain = TALUVA_LAKE},
    };
}

static const struct {
    unsigned parts, n;
    const char *moves[REPORT_MOVES];
} turns[] = {
    {0, 0, {NULL}},
    {COMPUTER_PART_DRAW, 1, {"draw"}},
    {COMPUTER_PART_PLACE, 1, {"JC@2,-1:4"}},
    {COMPUTER_PART_BUILD, 1, {"expand@0,1=L"}},
    {COMPUTER_PART_PLACE | COMPUTER_PART_BUILD, 2, {"JC@2,-1:4", "expand@0,1=L"}},
};

START_TEST(test_moves_of_a_turn)
{
    char moves[REPORT_MOVES][REPORT_MOVE_BYTES];
    const struct analysis_text turn = text_of(turns[_i].parts);
    ck_assert_uint_eq(report_moves(&turn, moves), turns[_i].n);
    for (unsigned i = 0; i < turns[_i].n; i++)
        ck_assert_str_eq(moves[i], turns[_i].moves[i]);
}
END_TEST

/* ---- the whole */

static void expect(const struct analysis *analysis, unsigned rules, const char *want)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 8192);
    writer_init(&writer, &buffer);
    report_write(analysis, rules, &writer);
    ck_assert(writer_done(&writer));
    buffer_append_byte(&buffer, '\0');
    ck_assert_str_eq(buffer_payload(&buffer), want);
    buffer_release(&buffer);
}

START_TEST(test_match_of_two)
{
    static const struct analysis analysis = {
        .game.options.seats = 2,
        .effort.simulations = 400,
        .n = 2,
        .n_points = 2,
        .points = {3, 5, 9},
        .seats = {{-31, 4, 1, 2, 3}, {32, 5, 6, 7, 8}, {99, 99, 99, 99, 99}},
    };
    static struct analysis whole;
    whole = analysis;
    whole.turns[0] = (struct analysis_turn){
        .number = 3,
        .seat = 1,
        .mark = ANALYSIS_IS_BLUNDER,
        .start = {500, 501, 9},
        .best = {300, 701, 9},
        .played = {450, 551, 9},
        .luck = 200,
        .loss = 150,
        .turn = text_of(COMPUTER_PART_PLACE | COMPUTER_PART_BUILD),
        .better = text_of(COMPUTER_PART_DRAW),
    };
    whole.turns[1] = (struct analysis_turn){
        .number = 5,
        .mark = ANALYSIS_PLAIN,
        .start = {10, 990},
        .best = {20, 980},
        .played = {0, 1000},
        .luck = -30,
        .turn = text_of(COMPUTER_PART_PLACE),
    };
    expect(&whole, 7,
           "{\"game\":\"taluva\",\"rules\":7,\"simulations\":400,\"turns\":["
           "{\"turn\":3,\"seat\":1,\"moves\":[\"JC@2,-1:4\",\"expand@0,1=L\"],"
           "\"start\":[500,501],\"best\":[300,701],\"played\":[450,551],"
           "\"luck\":200,\"loss\":150,\"mark\":\"blunder\",\"better\":[\"draw\"]},"
           "{\"turn\":5,\"seat\":0,\"moves\":[\"JC@2,-1:4\"],"
           "\"start\":[10,990],\"best\":[20,980],\"played\":[0,1000],"
           "\"luck\":-30,\"loss\":0,\"mark\":\"\"}],"
           "\"turning_points\":[3,5],\"seats\":["
           "{\"luck\":-31,\"loss\":4,\"good\":1,\"mistakes\":2,\"blunders\":3},"
           "{\"luck\":32,\"loss\":5,\"good\":6,\"mistakes\":7,\"blunders\":8}]}");
}
END_TEST

START_TEST(test_match_without_a_turn)
{
    static const struct analysis analysis = {.game.options.seats = 1};
    expect(&analysis, 1,
           "{\"game\":\"taluva\",\"rules\":1,\"simulations\":0,\"turns\":[],"
           "\"turning_points\":[],\"seats\":["
           "{\"luck\":0,\"loss\":0,\"good\":0,\"mistakes\":0,\"blunders\":0}]}");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report of Taluva");
    TCase *tests = tcase_create("report");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, test_words_of_marks);
    tcase_add_loop_test(tests, test_moves_of_a_turn, 0, sizeof turns / sizeof *turns);
    tcase_add_test(tests, test_match_of_two);
    tcase_add_test(tests, test_match_without_a_turn);
    return run_suites(srunner_create(suite));
}
