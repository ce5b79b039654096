/*
 * Positions and turns of protocol/engine.md, as they are written and read, and what is refused; and
 * an engine as a process.
 */
#include "engine_process.h"
#include "engine_text.h"
#include "parts.h"
#include "suites.h"
#include "thinker.h"
#include <string.h>
#include <unistd.h>

static const char BOX[] =
    " JJ JC JC JC JC JC JS JS JS JS JR JR JL CJ CJ CJ CJ CJ CJ CC CS CS CR CR CL"
    " SJ SJ SJ SJ SC SC SS SR SL RJ RJ RC RC RS RS RR RL LJ LJ LC LS LR LL";

static const char FIRST[] = "2/0/48 - h20w2t3/h20w2t3 - - 48 draw:0";
static const char PLACE[] = "2/0/48 0,0=1V0/0,1=1C/1,0=1J:0h1 h19w2t3/h20w2t3 - - 46 place:1:RS";
static const char BUILD[] = "2/0/48 0,0=1V0/0,1=1C/1,0=1J h20w2t3/h20w2t3 - - 47 build:0";
static const char TAKE[] = "2/0/48/2JJ2VL - h20w2t3u0/h20w2t3u0 - 2JJ2VL 48 draw:0";

/* The box without one of each of these tiles. */
static const char *box_without(const char *tiles)
{
    static char text[sizeof BOX];
    memcpy(text, BOX, sizeof BOX);
    for (; *tiles; tiles += 3) {
        const char word[] = {' ', tiles[0], tiles[1], '\0'};
        char *const at = strstr(text, word);
        memmove(at, at + 3, strlen(at + 3) + 1);
    }
    return text;
}

static bool read_position(struct engine_position *out, const char *position, const char *unseen,
                          const char **why)
{
    char line[ENGINE_POSITION_TEXT + 64];
    (void)snprintf(line, sizeof line, "%s unseen%s", position, unseen);
    return engine_position_parse(line, out, why);
}

static void position_of(struct engine_position *out, const char *position, const char *seen)
{
    const char *why = "";
    ck_assert_msg(read_position(out, position, box_without(seen), &why), "%s: %s", position, why);
}

START_TEST(positions_are_written_as_they_are_read)
{
    static const struct {
        const char *position, *seen;
    } cases[] = {{FIRST, ""}, {PLACE, "JC CS "}, {BUILD, "JC "}, {TAKE, ""}};
    struct engine_position position;
    char expected[ENGINE_POSITION_TEXT + 64], text[ENGINE_POSITION_TEXT];
    const char *seen = strcmp(cases[_i].position, PLACE) == 0 ? "JC RS " : cases[_i].seen;
    position_of(&position, cases[_i].position, seen);
    (void)snprintf(expected, sizeof expected, "%s unseen%s", cases[_i].position, box_without(seen));
    engine_position_format(&position, text);
    ck_assert_str_eq(text, expected);
}
END_TEST

static const struct {
    const char *line, *why;
} BAD[] = {
    {"", "`unseen` and the tiles are missing"},
    {"2/0/48 - h20w2t3/h20w2t3 - - 48 draw:0", "`unseen` and the tiles are missing"},
    {" unseen JC", NULL},
    {"2/0/48 - h20w2t3/h20w2t3 - - 48 draw:9 unseen JC", NULL},
    {"2/0/24 - h20w2t3/h20w2t3 - - 24 draw:0 unseen JC", "fewer tiles"},
    {"2/0/24 - h20w2t3/h20w2t3 - - 24 draw:0 unseen jc", "what stands behind"},
    {"2/0/24 - h20w2t3/h20w2t3 - - 24 draw:0 unseen 2VL", "what stands behind"},
    {"2/0/24 - h20w2t3/h20w2t3 - - 24 draw:0 unseen JC  JC", "what stands behind"},
    {"2/0/24 - h20w2t3/h20w2t3 - - 24 draw:0 unseenJC", "fewer tiles"},
};

START_TEST(what_is_no_position_is_refused)
{
    struct engine_position position;
    const char *why = NULL;
    ck_assert(!engine_position_parse(BAD[_i].line, &position, &why));
    ck_assert_ptr_nonnull(why);
    if (BAD[_i].why)
        ck_assert_msg(strncmp(why, BAD[_i].why, strlen(BAD[_i].why)) == 0, "%s", why);
}
END_TEST

START_TEST(no_more_is_unseen_than_the_box_has)
{
    struct engine_position position;
    char unseen[sizeof BOX + 8];
    const char *why;
    ck_assert(read_position(&position, FIRST, BOX, &why));
    (void)snprintf(unseen, sizeof unseen, "%s JJ", BOX);
    ck_assert(!read_position(&position, FIRST, unseen, &why));
    ck_assert_str_eq(why, "more tiles are unseen than the box has");
    /* The one in hand has been seen. */
    ck_assert(!read_position(&position, PLACE, box_without("JC JJ "), &why));
    ck_assert(read_position(&position, PLACE, box_without("JC RS "), &why));
    /* More than any box. */
    char many[3 * (TALUVA_TILES_MAX + 1) + 1] = "";
    for (unsigned i = 0; i <= TALUVA_TILES_MAX; i++)
        memcpy(many + strlen(many), " JC", 4);
    ck_assert(!read_position(&position, FIRST, many, &why));
}
END_TEST

static const struct {
    const char *position, *seen, *turn;
    bool legal;
} TURNS[] = {
    {FIRST, "", "draw", true},
    {FIRST, "", "JC@0,0:0 hut@1,0", false},
    {FIRST, "", "", false},
    {TAKE, "", "draw", true},
    {TAKE, "", "2VL@0,0:0 hut@1,0", true},
    {TAKE, "", "2VS@0,0:0 hut@1,0", false},
    {PLACE, "JC RS ", "draw", false},
    {PLACE, "JC RS ", "RS@1,1:0 hut@0,1", true},
    {PLACE, "JC RS ", "RS@1,1:0 none", false},
    {PLACE, "JC RS ", "RS@1,1:0", false},
    {PLACE, "JC RS ", "RS@1,1:0 ", false},
    {PLACE, "JC RS ", "RS@1,1:0 hut@1,0", false}, /* somebody lives there */
    {PLACE, "JC RS ", "RS@1,1:0  hut@0,1", false},
    {PLACE, "JC RS ", "RS@1,1:0 hut@0,1 ", false},
    {PLACE, "JC RS ", "JC@1,1:0 hut@0,1", false}, /* not the tile in hand */
    {PLACE, "JC RS ", "hut@0,1", false},
    {BUILD, "JC ", "hut@1,0", true},
    {BUILD, "JC ", "none", false},
    {BUILD, "JC ", "RS@1,1:0 hut@0,1", false},
    {BUILD, "JC ", "draw", false},
};

START_TEST(turns_are_legal_or_refused)
{
    struct engine_position position;
    struct computer_turn turn;
    char text[ENGINE_TURN_TEXT];
    const char *why = NULL;
    position_of(&position, TURNS[_i].position, TURNS[_i].seen);
    const bool legal = engine_turn_parse(TURNS[_i].turn, &position.game, &turn, &why);
    ck_assert_msg(legal == TURNS[_i].legal, "%s: %s", TURNS[_i].turn, why);
    if (!legal) {
        ck_assert_ptr_nonnull(why);
        return;
    }
    engine_turn_format(&turn, &position.game, text);
    ck_assert_str_eq(text, TURNS[_i].turn);
}
END_TEST

/* A seat without huts, whose tower and temples find no place after this one. */
START_TEST(a_placement_that_puts_its_player_out_says_none)
{
    static const char last[] =
        "3/0/36 -5,1=1C:0h1/-5,2=2V5/-4,0=1V5/-4,1=2C:0h2/-4,2=2R:0h2/-4,3=1J:0t/-4,4=1C/"
        "-3,-1=2C/-3,0=3C:2h3/-3,1=3V4/-3,2=2R/-3,3=2V4/-2,-2=1S:1h1/-2,-1=2V2/"
        "-2,0=3J:2w/-2,1=2J:2h2/-2,2=3C:2t/-2,3=1J:2t/-1,-3=2J:1h2/-1,-2=2V4/"
        "-1,-1=1J:1h1/-1,0=2S:2h2/-1,1=3J/-1,2=3V3/-1,3=2R:2h2/0,-3=2J:1h2/0,-2=1C:1t/"
        "0,-1=1S:1h1/0,0=3V5/0,1=1J:0h1/0,2=2R:0h2/0,3=1R:2h1/1,-4=1S:1h1/1,-3=2J:1h2/"
        "1,-2=1V2/1,-1=3R:1w/1,0=3C:0w/1,1=1J:0t/1,2=1S:0h1/2,-4=2V1/2,-3=2S:1h2/"
        "2,-2=1J:1h1/2,-1=2S:1h2/2,0=2L:1h2/2,1=2S:1h2/3,-4=1C/3,-3=1S/3,-2=1R/3,-1=1J/"
        "3,0=2V2/4,-3=1V2/4,-2=1J/4,-1=1L/5,-2=1V2 h8w1t1/h0w1t2/h5w1t1 - - 4 place:1:RS";
    struct engine_position position;
    struct computer_turn turn;
    struct game_plan plan;
    char text[ENGINE_TURN_TEXT];
    const char *why = "";
    ck_assert_msg(read_position(&position, last, " JJ JC CJ SJ", &why), "%s", why);
    ck_assert(!engine_turn_parse("RS@4,-3:1 hut@3,-2", &position.game, &turn, &why));
    ck_assert_str_eq(why, "this placement leaves nothing to build");
    ck_assert_msg(engine_turn_parse("RS@4,-3:1 none", &position.game, &turn, &why), "%s", why);
    engine_turn_format(&turn, &position.game, text);
    ck_assert_str_eq(text, "RS@4,-3:1 none");
    ck_assert(taluva_engine.plan_read(&position, text, &plan, &why));
    ck_assert_uint_eq(plan.count, 1);
    ck_assert_str_eq(plan.moves[0].text, "RS@4,-3:1");
    ck_assert(plan.moves[0].confirm);
}
END_TEST

START_TEST(a_turn_is_one_move_after_the_other)
{
    struct engine_position position;
    struct game_plan plan;
    const char *why = NULL;
    position_of(&position, PLACE, "JC RS ");
    ck_assert(taluva_engine.plan_read(&position, "RS@1,1:0 hut@0,1", &plan, &why));
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_str_eq(plan.moves[0].text, "RS@1,1:0");
    ck_assert(!plan.moves[0].confirm);
    ck_assert_str_eq(plan.moves[1].text, "hut@0,1");
    ck_assert(!taluva_engine.plan_read(&position, "RS@1,1:0 hut@9,9", &plan, &why));
    ck_assert_uint_eq(plan.count, 0);
}
END_TEST

/* Each level, and the search, say a whole turn that is legal. */
START_TEST(it_says_a_turn_at_every_level)
{
    const atomic_bool never = false;
    const struct engine_question question = {
        .level = (unsigned)_i, .simulations = 10, .lines = 3, .seed = 1, .cancel = &never};
    struct engine_position position;
    struct computer_turn turn;
    char bytes[ENGINE_ANSWER_BYTES];
    struct text answer = {.bytes = bytes, .size = sizeof bytes};
    const char *why = NULL;
    position_of(&position, PLACE, "JC RS ");
    taluva_engine.think(&position, &question, &answer);
    ck_assert(!answer.failed);
    char *const best = strstr(bytes, "best ");
    ck_assert_ptr_nonnull(best);
    *strchr(best, '\n') = '\0';
    ck_assert_msg(engine_turn_parse(best + 5, &position.game, &turn, &why), "%s: %s", best, why);
    ck_assert_uint_eq(turn.parts, COMPUTER_PART_PLACE | COMPUTER_PART_BUILD);
    ck_assert_int_eq(strstr(bytes, "line 3 ") != NULL, _i == 0); /* a level says one turn */
}
END_TEST

/* ---- an engine as a process */

/* What it has said to one question. */
static struct {
    struct engine_process *process;
    bool goes_on; /* beyond its answer */
    unsigned count;
    char best[80], why[80];
} said;

static void on_best(void *user, const char *turn)
{
    (void)user;
    said.count++;
    (void)snprintf(said.best, sizeof said.best, "%s", turn);
    if (!said.goes_on)
        engine_process_end(said.process);
}

static void on_failed(void *user, const char *why)
{
    (void)user;
    (void)snprintf(said.why, sizeof said.why, "%s", why);
    engine_process_end(said.process);
}

/* Asks it, before it can be ready, until it has answered or, if that `goes_on`, has failed. */
static void ask_process(const char *command, bool goes_on)
{
    static const struct engine_events events = {.best = on_best, .failed = on_failed};
    const struct engine_go go = {.position = FIRST, .limits = {-1, -1}, .seed = 1};
    uv_loop_t loop;
    memset(&said, 0, sizeof said);
    said.goes_on = goes_on;
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    said.process = engine_process_start(&loop, command, &events, NULL);
    ck_assert_ptr_nonnull(said.process);
    engine_process_ask(said.process, &go);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
}

#define UNTIL_GO "while read -r word rest && [ \"$word\" != go ]; do :; done; "

static const char *const READIES[] = {
    "echo best early; echo ready; " UNTIL_GO "echo best late",
    "echo ready when you are; " UNTIL_GO "echo best late",
};

/* Only what it says behind `ready` answers a question; words behind that one are passed over. */
START_TEST(an_engine_answers_once_it_is_ready)
{
    ask_process(READIES[_i], false);
    ck_assert_str_eq(said.why, "");
    ck_assert_uint_eq(said.count, 1);
    ck_assert_str_eq(said.best, "late");
}
END_TEST

/* What it has started holds a pipe open until it is killed. */
START_TEST(what_an_engine_has_started_ends_with_it)
{
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    ask_process("sleep 100000 <&- >&- 2>&- & echo ready; " UNTIL_GO "echo best sleeping", true);
    ck_assert_str_eq(said.best, "sleeping");
    ck_assert_str_ne(said.why, "");
    (void)close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 0);
    (void)close(ends[0]);
}
END_TEST

Suite *engine_suite(void)
{
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    tcase_add_loop_test(tcase, positions_are_written_as_they_are_read, 0, 4);
    tcase_add_loop_test(tcase, what_is_no_position_is_refused, 0, sizeof BAD / sizeof BAD[0]);
    tcase_add_test(tcase, no_more_is_unseen_than_the_box_has);
    tcase_add_loop_test(tcase, turns_are_legal_or_refused, 0, sizeof TURNS / sizeof TURNS[0]);
    tcase_add_test(tcase, a_placement_that_puts_its_player_out_says_none);
    tcase_add_test(tcase, a_turn_is_one_move_after_the_other);
    tcase_add_loop_test(tcase, it_says_a_turn_at_every_level, 0, 7);
    tcase_add_loop_test(tcase, an_engine_answers_once_it_is_ready, 0,
                        sizeof READIES / sizeof READIES[0]);
    tcase_add_test(tcase, what_an_engine_has_started_ends_with_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
