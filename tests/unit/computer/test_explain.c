/* What is said of a turn: in positions made for it, and what holds for every turn of any game. */
#include "suites.h"
#include "table.h"
#include <computer/explain.h>
#include <rules/notation.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 512 };

static void write_fact(const struct explain_fact *fact, char *out, size_t size)
{
    static const char *const verbs[] = {"does", "threatens", "prevents", "allows", "leaves"};
    static const char *const whats[] = {"win", "temple", "tower", "out", "huts", "last"};
    char build[TALUVA_BUILD_TEXT] = "";
    if (fact->verb != EXPLAIN_DOES)
        taluva_build_format(&fact->build, build);
    (void)snprintf(out, size, "%s %s %u%s%s", verbs[fact->verb], whats[fact->what], fact->seat,
                   *build ? " " : "", build);
    if (fact->what == EXPLAIN_HUTS || fact->what == EXPLAIN_LAST)
        (void)snprintf(out + strlen(out), size - strlen(out), " n%u", fact->n);
}

static void write_facts(const struct explain *explain, char out[TEXT])
{
    out[0] = '\0';
    for (unsigned i = 0; i < explain->n; i++) {
        char one[80];
        write_fact(&explain->facts[i], one, sizeof one);
        (void)snprintf(out + strlen(out), TEXT - strlen(out), "%s%s", i > 0 ? "; " : "", one);
    }
}

/* A row of fields 0,0 to 5,0 above three volcanoes; below them two temples, of either seat. */
#define ROW(a, b, c)                                                                               \
    "0,0=1J" a "/0,1=1V0/1,0=1J" b "/1,1=1V0/2,0=1J" c "/2,1=1V0/3,0=1C/4,0=1S/5,0=1J"
#define BELOW(a, b, c, t)                                                                          \
    "0,0=1J" a "/0,1=1V0/0,2=1V0/0,3=1J/1,0=1J" b "/1,1=1V0/1,2=1J" t "/2,0=1J" c                  \
    "/2,1=1V0/2,2=1V0/3,0=1C/3,2=1J" t "/4,0=1S/4,2=1J/5,0=1J"
#define HUTS(seat) ROW(":" seat "h1", ":" seat "h1", ":" seat "h1")

#define GROWS "2/0/48 " ROW(":0h1", ":0h1", "") " h18w2t3/h20w2t3 - - "
#define RIVAL "2/0/48 " HUTS("1") " h20w2t3/h17w2t3 - - "
#define RIVAL_WINS                                                                                 \
    "2/0/48 " BELOW(":1h1", ":1h1", ":1h1", ":1t") " h20w2t3/h0w2t1 - - 42 place:0:JC"
#define NEARLY "2/0/48 " BELOW(":0h1", ":0h1", "", ":0t") " h1w2t1/h20w2t3 - - 42 place:0:JC"
#define WINS   " " BELOW(":0h1", ":0h1", ":0h1", ":0t") " h0w2t1/h20w2t3"
#define MISSED                                                                                     \
    "2/0/48 0,0=1J:0h1/0,1=1V0/0,2=1V0/0,3=1J/1,0=1J:0h1/1,1=1V0/1,2=1J:0t/2,0=1J:0h1/2,1=1V0/"    \
    "2,2=1V0/3,0=3C/3,2=1J:0t/4,0=2S/4,2=1J/5,0=1J h0w2t1/h20w2t3 - - 41 place:0:JC"
/* The other one has a place for a tower. */
#define ENDS                                                                                       \
    "2/0/48 0,0=1J:0h1/0,1=1V0/0,2=1V0/0,3=1J/1,0=1J:0h1/1,1=1V0/1,2=1J:0t/2,0=1J:0h1/2,1=1V0/"    \
    "2,2=1V0/3,0=2C/3,2=1J:0t/4,0=3S/4,2=1J/5,0=1J:1h1 h0w2t1/h19w2t3 - - 41 place:0:JC"
#define CLOSED                                                                                     \
    "2/0/48 0,0=1J:1h1/0,1=1V0/0,2=1J/1,0=1J:1h1/1,1=1V0/2,0=1J:1h1 h20w2t3/h17w2t3 - - 45 "       \
    "place:0:JC"
#define HIGH                                                                                       \
    "2/0/48 -1,0=1S/0,0=1J:0h1/0,1=1V0/1,0=1J/1,1=1V0/2,0=3C/2,1=1V0 h19w2t3/h20w2t3 - - 44 "      \
    "place:0:JC"

static const struct {
    const char *position, *placement, *build;
    const char *facts; /* NULL: it is refused */
} TURNS[] = {
    {GROWS "44 place:0:JC", "JC@6,-2:0", "expand@0,0=J", "threatens temple 0 temple@3,0"},
    {GROWS "45 build:0", NULL, "expand@0,0=J", "threatens temple 0 temple@3,0"},
    {GROWS "44 place:0:JC", "JC@6,-2:0", "hut@3,0", ""},
    {RIVAL "44 place:0:JC", "JC@2,1:4", "hut@4,0", "does huts 1 n1; prevents temple 1 temple@3,0"},
    {RIVAL "45 draw:0", "JC@2,1:4", "hut@4,0", "does huts 1 n1; prevents temple 1 temple@3,0"},
    {RIVAL "44 place:0:JC", "JC@6,-2:0", "hut@3,0", "prevents temple 1 temple@3,0"},
    {RIVAL "44 place:0:JC", "JC@6,-2:0", "hut@5,0", ""},
    {RIVAL_WINS, "JC@2,1:4", "hut@0,3",
     "prevents win 1 temple@3,0; does huts 1 n1; prevents temple 1 temple@3,0"},
    {RIVAL_WINS, "JC@6,-2:0", "hut@0,3", "leaves win 1 temple@3,0"},
    {NEARLY, "JC@6,-2:0", "expand@0,0=J",
     "threatens win 0 temple@3,0; does last 0 n0; threatens temple 0 temple@3,0"},
    {"2/0/48" WINS " - - 42 place:0:JC", "JC@6,-2:0", "temple@3,0", "does win 0; does last 0 n2"},
    {MISSED, "JC@6,-2:0", "tower@3,0", "threatens win 0 temple@4,0"},
    {ENDS, "JC@6,-2:0", "temple@3,0", "does win 0; does last 0 n2"},
    {"3/0/48/ranking " BELOW(":0h1", ":0h1", "", ":0t") " h1w2t1/h20w2t3/h20w2t3 - - 42 place:0:JC",
     "JC@6,-2:0", "expand@0,0=J",
     "threatens win 0 temple@3,0; does last 0 n0; threatens temple 0 temple@3,0"},
    {"3/0/48/ranking" WINS "/h20w2t3 - - 42 place:0:JC", "JC@6,-2:0", "temple@3,0",
     "does win 0; does last 0 n2"},
    {CLOSED, "JC@4,0:3", "hut@0,2", "allows temple 1 temple@3,0"},
    {CLOSED, "JC@4,0:3", "hut@3,0", ""},
    {HIGH, "JC@-2,0:2", "expand@0,0=J", "threatens tower 0 tower@2,0"},
    {HIGH, "JC@-2,0:2", "expand@0,0=S", ""},
    {"4/0/48/teams " HUTS("2") " h20w2t3/h20w2t3/h17w2t3/h20w2t3 - - 44 place:0:JC", "JC@2,1:4",
     "hut@4,0", "does huts 2 n1"},
    {"4/0/48/teams " HUTS("3") " h20w2t3/h20w2t3/h20w2t3/h17w2t3 - - 44 place:0:JC", "JC@2,1:4",
     "hut@4,0", "does huts 3 n1; prevents temple 3 temple@3,0"},
    {RIVAL "44 place:0:JC", "JC@2,1:4", "hut@9,9", NULL},
    {RIVAL "44 place:0:JC", "JC@9,9:4", "hut@4,0", NULL},
    {RIVAL "44 place:0:JC", NULL, "hut@4,0", NULL},
};

static void read_game(struct taluva *game, const char *text)
{
    struct taluva_notation_error error;
    ck_assert_msg(taluva_position_parse(text, strlen(text), game, &error), "%s", text);
}

static bool explain_written(const struct taluva *game, const char *placement, const char *build,
                            struct explain *out)
{
    struct taluva_placement place;
    struct taluva_build built;
    ck_assert(!placement || taluva_placement_parse(placement, strlen(placement), &place, NULL));
    ck_assert(!build || taluva_build_parse(build, strlen(build), &built, NULL));
    return explain_turn(game, placement ? &place : NULL, build ? &built : NULL, out);
}

START_TEST(test_what_a_turn_does)
{
    struct taluva game;
    struct explain explain;
    char text[TEXT];
    read_game(&game, TURNS[_i].position);
    const bool legal = explain_written(&game, TURNS[_i].placement, TURNS[_i].build, &explain);
    ck_assert(legal == (TURNS[_i].facts != NULL));
    write_facts(&explain, text);
    ck_assert_str_eq(text, legal ? TURNS[_i].facts : "");
}
END_TEST

/* A seat without huts, whose tower and temples find no place after this. */
START_TEST(test_who_puts_itself_out)
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
    struct taluva game;
    struct explain explain;
    char text[TEXT];
    read_game(&game, last);
    ck_assert(explain_written(&game, "RS@4,-3:1", NULL, &explain));
    write_facts(&explain, text);
    ck_assert_msg(strstr(text, "does out 1"), "%s", text);
    ck_assert_msg(!strstr(text, "threatens"), "%s", text);
}
END_TEST

/* ---- turns of which one says less than the other */

START_TEST(test_what_is_true_of_both_is_left_out)
{
    struct taluva game;
    struct explain one, other;
    char text[TEXT];
    read_game(&game, RIVAL_WINS);
    ck_assert(explain_written(&game, "JC@2,1:4", "hut@0,3", &one));
    ck_assert(explain_written(&game, "JC@6,-2:0", "hut@3,0", &other));
    explain_without(&one, &other);
    write_facts(&one, text);
    ck_assert_str_eq(text, "does huts 1 n1");
    explain_without(&one, &one);
    ck_assert_uint_eq(one.n, 0);
}
END_TEST

START_TEST(test_other_huts_are_not_left_out)
{
    struct explain_fact covers = {.verb = EXPLAIN_DOES, .what = EXPLAIN_HUTS, .seat = 1, .n = 2};
    const struct explain other = {.n = 1, .facts = {covers}};
    struct explain one = {.n = 3, .facts = {covers, covers, covers}};
    one.facts[0].n = 1;
    one.facts[2].seat = 2;
    explain_without(&one, &other);
    ck_assert_uint_eq(one.n, 2);
    ck_assert_uint_eq(one.facts[0].n, 1);
    ck_assert_uint_eq(one.facts[1].seat, 2);
}
END_TEST

/* ---- any game */

/* What is said that a seat can do it may do, if it were to build. */
static void check_fact(const struct taluva *after, const struct explain_fact *fact)
{
    struct taluva building;
    if (fact->verb == EXPLAIN_DOES || fact->verb == EXPLAIN_PREVENTS)
        return;
    ck_assert(taluva_let_build(after, fact->seat, &building));
    ck_assert_int_eq(taluva_build(&building, fact->seat, &fact->build, NULL), TALUVA_OK);
    if (fact->what == EXPLAIN_WIN)
        ck_assert(building.end == TALUVA_END_TWO_KINDS ||
                  building.state[fact->seat] == TALUVA_SEAT_FINISHED);
}

START_TEST(test_what_is_said_can_be_done)
{
    struct table table;
    unsigned said = 0;
    table_deal_any(&table, 700 + (uint64_t)_i);
    while (table.game.step != TALUVA_STEP_OVER) {
        const struct computer_turn turn = table_look(&table);
        const struct taluva before = table.game;
        struct explain explain;
        table_play_turn(&table, &turn);
        if ((turn.parts & COMPUTER_PART_PLACE) == 0)
            continue;
        ck_assert(explain_turn(&before, &turn.placement,
                               turn.parts & COMPUTER_PART_BUILD ? &turn.build : NULL, &explain));
        ck_assert_uint_le(explain.n, EXPLAIN_FACTS);
        said += explain.n;
        for (unsigned i = 0; i < explain.n; i++)
            check_fact(&table.game, &explain.facts[i]);
    }
    ck_assert_uint_gt(said, 0);
}
END_TEST

Suite *explain_suite(void)
{
    Suite *const suite = suite_create("explain");
    TCase *const tcase = tcase_create("explain");
    tcase_add_loop_test(tcase, test_what_a_turn_does, 0, sizeof TURNS / sizeof TURNS[0]);
    tcase_add_test(tcase, test_who_puts_itself_out);
    tcase_add_test(tcase, test_what_is_true_of_both_is_left_out);
    tcase_add_test(tcase, test_other_huts_are_not_left_out);
    tcase_add_loop_test(tcase, test_what_is_said_can_be_done, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite;
}
