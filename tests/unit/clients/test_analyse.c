/*
 * What an engine says to the questions of an analysis: what is taken from it, and what breaks it;
 * and the words of what a turn does.
 */
#include "analyse_engine.h"
#include "engine_asker.h"
#include "engine_text.h"
#include "explain_words.h"
#include "suites.h"
#include <string.h>

static const char BUILD[] =
    "2/0/48 0,0=1V0/0,1=1C/1,0=1J h20w2t3/h20w2t3 - - 47 build:0 unseen"
    " JJ JC JC JC JC JS JS JS JS JR JR JL CJ CJ CJ CJ CJ CJ CC CS CS CR CR CL"
    " SJ SJ SJ SJ SC SC SS SR SL RJ RJ RC RC RS RS RR RL LJ LJ LC LS LR LL";
static const char TAKE[] =
    "2/0/24/2JJ2VL - h20w2t3u0/h20w2t3u0 - 2JJ2VL 24 draw:0 unseen"
    " JJ JC JC JC JC JS JS JS JS JR JR JL CJ CJ CJ CJ CJ CJ CC CS CS CR CR CL";

/* ---- an engine that says what a test wants */

static struct {
    const char *const *lines; /* NULL at the end */
    const char *best, *why;
    unsigned asked;
    struct engine_go go;
} said;

static const char *say(void *user, const struct engine_go *go,
                       const struct engine_listener *listener)
{
    (void)user;
    said.asked++;
    said.go = *go;
    if (said.why)
        return said.why;
    for (const char *const *line = said.lines; *line; line++)
        listener->line(listener->user, *line);
    listener->best(listener->user, said.best);
    return NULL;
}

static const struct engine_asker sayer = {.ask = say};

static void think(struct analyse_engine *engine, const char *text, uint32_t simulations,
                  struct engine_position *position, struct computer_answer *answer)
{
    const char *why = "";
    ck_assert_msg(engine_position_parse(text, position, &why), "%s", why);
    struct computer_question question = {.game = &position->game, .simulations = simulations};
    memcpy(question.unseen, position->unseen, sizeof question.unseen);
    analyse_engine_think(engine, &question, answer);
}

/* ---- what it says */

static const struct {
    const char *position;
    const char *lines[4];
    const char *best;
    const char *why; /* what is said of it, in part; NULL: its answer is taken */
    unsigned n;
    int32_t chance; /* of seat 0, with the best turn */
} SAID[] = {
    {BUILD,
     {"1 visits 3 chances 600/400 turn hut@0,1", "2 chances 500/500 turn hut@1,0"},
     "hut@0,1",
     NULL,
     2,
     39322},
    {BUILD,
     {"1 chances 600/400 turn hut@0,1", "2 chances 500/500 turn hut@1,0"},
     "hut@1,0",
     NULL,
     2,
     32768},
    {BUILD,
     {"1 turn hut@0,1", "2 depth 3 chances 1000/0 mood good turn hut@1,0"},
     "hut@1,0",
     NULL,
     1,
     65536},
    {TAKE, {NULL}, "draw", NULL, 1, 0},
    {TAKE, {"1 chances 300/700 turn draw"}, "draw", NULL, 1, 19661},
    {TAKE, {"1 turn draw"}, "draw", NULL, 1, 0},
    {BUILD, {NULL}, "hut@0,1", "it says no chances", 1, -1},
    {BUILD, {"1 turn hut@0,1"}, "hut@0,1", "it says no chances", 1, -1},
    {BUILD, {"1 chances 600/400 turn hut@1,0"}, "hut@0,1", "it says no chances", 1, -1},
    {BUILD, {"1 chances 600/400 turn hut@0,1"}, "hut@9,9", "not legal: `hut@9,9`", 1, -1},
    {BUILD, {"1 chances 600/400 turn hut@9,9"}, "hut@0,1", "a line is wrong", 1, -1},
    {BUILD, {"2 chances 600/400 turn hut@0,1"}, "hut@0,1", "another number", 1, -1},
    {BUILD, {"0 chances 600/400 turn hut@0,1"}, "hut@0,1", "another number", 1, -1},
    {BUILD, {"41 chances 600/400 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 600 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 600/400/0 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 1001/0 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances /400 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 060/940 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 visits -1 turn hut@0,1"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 600/400"}, "hut@0,1", "written as a line", 1, -1},
    {BUILD, {"1 chances 600/400 turn"}, "hut@0,1", "written as a build", 1, -1},
    {BUILD, {""}, "hut@0,1", "written as a line", 1, -1},
};

/* What cannot be taken is answered by a turn that is legal, and said to be no answer. */
START_TEST(an_answer_is_taken_or_breaks_it)
{
    struct analyse_engine engine = {.asker = &sayer, .simulations = 10, .ms = -1};
    struct engine_position position;
    struct computer_answer answer;
    char turn[ENGINE_TURN_TEXT];
    const char *why;
    said.lines = SAID[_i].lines;
    said.best = SAID[_i].best;
    think(&engine, SAID[_i].position, 10, &position, &answer);
    ck_assert_int_eq(answer.cancelled, SAID[_i].why != NULL);
    engine_turn_format(&answer.turns[0], &position.game, turn);
    ck_assert_msg(engine_turn_parse(turn, &position.game, &answer.turns[1], &why), "%s", turn);
    ck_assert_uint_ge(answer.n, SAID[_i].n);
    if (SAID[_i].why) {
        ck_assert_msg(strstr(engine.why, SAID[_i].why), "%s", engine.why);
        return;
    }
    ck_assert_str_eq(engine.why, "");
    ck_assert_uint_eq(answer.n, SAID[_i].n);
    ck_assert_str_eq(turn, SAID[_i].best);
    ck_assert_int_eq(answer.turns[0].chances[0], SAID[_i].chance);
    ck_assert_uint_eq(answer.turns[0].visits, _i == 0 ? 3 : 0);
}
END_TEST

/* The best turn is put before all that were listed; the last of a full list gives way to it. */
START_TEST(a_full_list_has_room_for_the_best)
{
    static char lines[ENGINE_LINES_MAX][48];
    static const char *list[ENGINE_LINES_MAX + 1];
    struct analyse_engine engine = {.asker = &sayer, .simulations = 10, .ms = -1};
    struct engine_position position;
    struct computer_answer answer;
    for (unsigned i = 0; i < ENGINE_LINES_MAX; i++) {
        (void)snprintf(lines[i], sizeof lines[i], "%u chances 400/600 turn 2JJ@0,0:0 hut@1,0",
                       i + 1);
        list[i] = lines[i];
    }
    said.lines = list;
    said.best = "draw";
    think(&engine, TAKE, 10, &position, &answer);
    ck_assert_str_eq(engine.why, "");
    ck_assert_uint_eq(answer.n, ENGINE_LINES_MAX);
    ck_assert_uint_eq(answer.turns[0].parts, COMPUTER_PART_DRAW);
    ck_assert_uint_ne(answer.turns[answer.n - 1].parts, COMPUTER_PART_DRAW);
}
END_TEST

/* ---- what it is asked */

static const struct {
    int64_t ms;
    uint32_t simulations; /* of 400 */
    struct engine_limits limits;
} SHARES[] = {
    {-1, 40, {40, -1}}, {1000, 400, {400, 1000}}, {1000, 40, {40, 100}},
    {10, 4, {4, 1}},    {1000, 0, {0, 1}},
};

START_TEST(it_is_given_its_share)
{
    static const char *const none[] = {NULL};
    struct analyse_engine engine = {.asker = &sayer, .simulations = 400, .ms = SHARES[_i].ms};
    struct engine_position position;
    struct computer_answer answer;
    said.lines = none;
    said.best = "draw";
    think(&engine, TAKE, SHARES[_i].simulations, &position, &answer);
    ck_assert_int_eq(said.go.limits.simulations, SHARES[_i].limits.simulations);
    ck_assert_int_eq(said.go.limits.ms, SHARES[_i].limits.ms);
    ck_assert_uint_eq(said.go.lines, ENGINE_LINES_MAX);
}
END_TEST

START_TEST(it_is_asked_nothing_once_it_is_broken)
{
    struct analyse_engine engine = {.asker = &sayer, .simulations = 10, .ms = -1};
    struct engine_position position;
    struct computer_answer answer;
    said.asked = 0;
    said.why = "it has gone";
    for (unsigned i = 0; i < 2; i++) {
        think(&engine, BUILD, 10, &position, &answer);
        ck_assert(answer.cancelled);
        ck_assert_str_eq(engine.why, "it has gone");
        said.why = NULL;
    }
    ck_assert_uint_eq(said.asked, 1);
}
END_TEST

/* ---- a process that is waited for */

static char heard[256];

static void hear_line(void *user, const char *text)
{
    (void)user;
    (void)snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s;", text);
}

static void hear_best(void *user, const char *text)
{
    hear_line(user, text);
}

#define ONCE                                                                                       \
    "while read -r word rest && [ \"$word\" != go ]; do :; done; echo line 1 turn x; echo best "   \
    "$rest; "

/* Two answers, and then it has ended; which is told, again and again. */
START_TEST(a_process_is_asked_until_it_ends)
{
    static const struct engine_go go = {
        .position = "here", .limits = {5, 7}, .lines = 3, .seed = 9};
    static const struct engine_listener listener = {.line = hear_line, .best = hear_best};
    struct engine_asking asking;
    struct engine_asker asker;
    heard[0] = '\0';
    ck_assert(engine_asking_open(&asking, "echo line 0; echo ready; " ONCE ONCE, &asker));
    for (unsigned i = 0; i < 2; i++)
        ck_assert_ptr_null(asker.ask(asker.user, &go, &listener));
    for (unsigned i = 0; i < 2; i++)
        ck_assert_str_eq(asker.ask(asker.user, &go, &listener),
                         "it has ended, or closed its input or output");
    ck_assert_str_eq(heard, "1 turn x;simulations 5 ms 7 lines 3 seed 9;"
                            "1 turn x;simulations 5 ms 7 lines 3 seed 9;");
    engine_asking_close(&asking);
}
END_TEST

/* ---- words */

#define AT(verb)                                                                                   \
    {                                                                                              \
        {2, 1}, verb, 0                                                                            \
    }

static const struct {
    struct explain explain;
    const char *words; /* of a turn of seat 0 */
} WORDS[] = {
    {{.n = 0}, ""},
    {{1, {{EXPLAIN_DOES, EXPLAIN_WIN, 0, 0, AT(0)}}}, "wins"},
    {{1, {{EXPLAIN_DOES, EXPLAIN_OUT, 0, 0, AT(0)}}}, "puts its own player out"},
    {{1, {{EXPLAIN_DOES, EXPLAIN_HUTS, 0, 2, AT(0)}}}, "covers 2 huts of its own"},
    {{2, {{EXPLAIN_DOES, EXPLAIN_HUTS, 1, 1, AT(0)}, {EXPLAIN_DOES, EXPLAIN_LAST, 0, 2, AT(0)}}},
     "covers 1 hut of <1>; builds the last temple"},
    {{1, {{EXPLAIN_DOES, EXPLAIN_LAST, 0, 0, AT(0)}}}, "builds the last hut"},
    {{1, {{EXPLAIN_THREATENS, EXPLAIN_WIN, 0, 0, AT(TALUVA_BUILD_TEMPLE)}}},
     "threatens to win by temple@2,1"},
    {{1, {{EXPLAIN_THREATENS, EXPLAIN_TOWER, 0, 0, AT(TALUVA_BUILD_TOWER)}}},
     "threatens tower@2,1"},
    {{1, {{EXPLAIN_PREVENTS, EXPLAIN_WIN, 2, 0, AT(TALUVA_BUILD_TEMPLE)}}},
     "keeps <2> from winning by temple@2,1"},
    {{1, {{EXPLAIN_PREVENTS, EXPLAIN_TEMPLE, 1, 0, AT(TALUVA_BUILD_TEMPLE)}}},
     "keeps <1> from temple@2,1"},
    {{1, {{EXPLAIN_ALLOWS, EXPLAIN_WIN, 1, 0, AT(TALUVA_BUILD_HUT)}}}, "lets <1> win by hut@2,1"},
    {{1, {{EXPLAIN_ALLOWS, EXPLAIN_TEMPLE, 1, 0, AT(TALUVA_BUILD_TEMPLE)}}},
     "lets <1> build temple@2,1"},
    {{1, {{EXPLAIN_LEAVES, EXPLAIN_WIN, 1, 0, AT(TALUVA_BUILD_TEMPLE)}}},
     "does not keep <1> from winning by temple@2,1"},
    {{5,
      {{EXPLAIN_DOES, EXPLAIN_HUTS, 1, 1, AT(0)},
       {EXPLAIN_DOES, EXPLAIN_HUTS, 2, 1, AT(0)},
       {EXPLAIN_DOES, EXPLAIN_HUTS, 3, 1, AT(0)},
       {EXPLAIN_DOES, EXPLAIN_HUTS, 4, 1, AT(0)},
       {EXPLAIN_DOES, EXPLAIN_LAST, 0, 0, AT(0)}}},
     "covers 1 hut of <1>; covers 1 hut of <2>; covers 1 hut of <3>; covers 1 hut of <4>"},
};

static void add_seat(struct text *out, unsigned seat, const void *user)
{
    text_add(out, "<%u%s", seat, (const char *)user);
}

START_TEST(what_a_turn_does_has_words)
{
    const struct explain_names names = {.add = add_seat, .user = ">"};
    char bytes[512] = "";
    struct text text = {.bytes = bytes, .size = sizeof bytes};
    explain_words(&WORDS[_i].explain, 0, &names, &text);
    ck_assert_str_eq(bytes, WORDS[_i].words);
    ck_assert(!text.failed);
}
END_TEST

Suite *analyse_suite(void)
{
    Suite *suite = suite_create("analyse");
    TCase *tcase = tcase_create("analyse");
    tcase_add_loop_test(tcase, an_answer_is_taken_or_breaks_it, 0, sizeof SAID / sizeof SAID[0]);
    tcase_add_test(tcase, a_full_list_has_room_for_the_best);
    tcase_add_loop_test(tcase, it_is_given_its_share, 0, sizeof SHARES / sizeof SHARES[0]);
    tcase_add_test(tcase, it_is_asked_nothing_once_it_is_broken);
    tcase_add_test(tcase, a_process_is_asked_until_it_ends);
    tcase_add_loop_test(tcase, what_a_turn_does_has_words, 0, sizeof WORDS / sizeof WORDS[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
