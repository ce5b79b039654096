/*
 * Choosing a move by keys, in a terminal against a mock server: what is sent, and what is not. The
 * server takes nothing for a move but what the script wants, so whatever else is sent fails.
 */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
#include <string.h>

#define RIGHT "\033[C"
#define STATE                                                                                      \
    "{\"game\":\"sticks\",\"phase\":\"playing\",\"seats\":{\"0\":{\"name\":\"Ana\",\"ready\":"     \
    "true},\"1\":{\"name\":\"Bo\",\"ready\":true}},\"options\":{\"players\":2,\"sticks\":5},"      \
    "\"clock\":{\"kind\":\"none\"},\"acting\":[0],\"table\":{\"sticks\":5,\"taken\":{}}}"
#define VIEW                                                                                       \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":{\"seat\":0},\"online\":{},"        \
    "\"time\":1,\"state\":" STATE "}}"
#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define LEGAL(seq, moves)                                                                          \
    "{\"id\":$,\"ok\":{\"seq\":" seq ",\"moves\":[" moves "],\"eliminating\":[\"take-3\"]}}"
#define ALL "\"take-1\",\"take-2\",\"take-3\""
#define EVENT(kind, patch)                                                                         \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":4,\"at\":5,"                                \
    "\"event\":{\"kind\":\"" kind "\",\"seat\":1,\"what\":\"pause\"},\"patch\":" patch "}"
#define OVER  "{\"phase\":\"over\",\"acting\":null,\"result\":{\"why\":\"empty\",\"winner\":1}}"
#define REPLY "{\"id\":$,\"ok\":{\"seq\":5}}"
#define BEGIN                                                                                      \
    {"\"op\":\"hello\"", {HELLO}, NULL, NULL},                                                     \
    {                                                                                              \
        "\"op\":\"join\"", {VIEW}, NULL, NULL                                                      \
    }
#define QUIT "\025quit\r" /* Control-U takes away what is typed */
#define END                                                                                        \
    {                                                                                              \
        NULL, {NULL}, NULL, NULL                                                                   \
    }

static struct client_run run;

static void play(const struct client_step *script)
{
    static const char *const words[] = {"join", "k3m9x0aq", "--name=Ana", "--ascii", NULL};
    client_run_at_terminal(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}

START_TEST(enter_plays)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT RIGHT "\r", "known at 3"},
        {"\"op\":\"move\",\"room\":\"k3m9x0aq\",\"move\":\"take-2\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
    client_run_said(&run, "arrows choose");
    client_run_said(&run, "any arrow is one more");
    client_run_said(&run, "how many, seat 0: take 2>");
}
END_TEST

/* Nothing else does: not Escape, other letters, text that is pasted, unknown keys, one click. */
static const char *const HARMLESS[] = {
    RIGHT QUIT,
    RIGHT "\033[200~\r\033[201~" QUIT,
    RIGHT "\033[200~\r\r\033[201~\r" QUIT,
    "\033[200~" RIGHT "\r\033[201~" QUIT,
    "take" RIGHT "\r" QUIT,
    RIGHT "x\r" QUIT,
    RIGHT "tTt \r" QUIT, /* the blank is typed */
    RIGHT "\033[99~\033[<0;1M\033OP\033[<0;1;30M" QUIT,
    RIGHT "\033[<0;1;1M\033[<0;79;2M" QUIT,                  /* the title, the players */
    "\033[<0;2;2M\033[<0;2;2m\033[<0;2;2M\033[<0;2;2m" QUIT, /* a double click */
    "\033[<0;30;2M\r" QUIT, /* where nothing is: nothing is chosen by it */
    "\033[<0;2;2m\033[<3;2;2M\033[<32;2;2M" QUIT,
    "abc\033[<0;2;2M\033[<0;2;2M" RIGHT "\033[A\033[B" QUIT,
    "\r\r" QUIT,
    RIGHT RIGHT RIGHT "\r" QUIT, /* that one would put its player out */
    RIGHT RIGHT RIGHT "\r" RIGHT "y\r" QUIT,
    RIGHT "y\r" QUIT,
};

START_TEST(nothing_else_plays)
{
    const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, HARMLESS[_i], "known at 3"},
        END,
    };
    play(script);
}
END_TEST

#define TOTEM_VIEW                                                                                 \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":{\"seat\":0},\"online\":{},"        \
    "\"time\":1,\"state\":{\"game\":\"totem\",\"phase\":\"playing\",\"seats\":{\"0\":{\"name\":"   \
    "\"Ana\",\"ready\":true},\"1\":{\"name\":\"Bo\",\"ready\":true}},\"options\":{\"players\":2}," \
    "\"clock\":{\"kind\":\"none\"},\"acting\":[0],\"table\":{\"round\":1,\"step\":\"reveal4\","    \
    "\"acting\":[\"R\"],\"families\":{\"R\":{\"seat\":0,\"pieces\":1,\"birds\":6}},\"huts\":{}}}}" \
    "}"
#define TOTEM_LEGAL(spells, moves)                                                                 \
    "{\"id\":$,\"ok\":{\"seq\":3,\"moves\":[" moves "],\"asked\":{\"R\":{\"kind\":\"reveal\","     \
    "\"spells\":\"" spells "\"}}}}"

/* Where all are asked, as players have secrets, Enter does what alone can be done. */
START_TEST(enter_decides_nothing)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {TOTEM_VIEW}, NULL, NULL},
        {"\"op\":\"moves\"",
         {TOTEM_LEGAL("", "\"reveal@R=-\"")},
         "\r",
         "nothing to uncover: press Enter"},
        {"\"op\":\"move\",\"room\":\"k3m9x0aq\",\"move\":\"reveal@R=-\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
}
END_TEST

START_TEST(enter_does_not_choose)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {TOTEM_VIEW}, NULL, NULL},
        {"\"op\":\"moves\"",
         {TOTEM_LEGAL("A", "\"reveal@R=-\",\"reveal@R=A\"")},
         "\r" QUIT,
         "`reveal A`, or some of it, or none"},
        END,
    };
    play(script);
    client_run_said(&run, "Arrows choose a move, or type it");
}
END_TEST

START_TEST(says_that_nothing_turns)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", "\"take-1\"")}, RIGHT "t\033" QUIT, "known at 3"},
        END,
    };
    play(script);
    client_run_said(&run, "No other way is legal here.");
}
END_TEST

START_TEST(q_leaves_a_page)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "help\r", "known at 3"},
        {"", {NULL}, "qquit\r", "q or Enter leaves this page."},
        END,
    };
    play(script);
}
END_TEST

/* A page that is longer than the screen goes on, in rows of whole words. */
START_TEST(a_page_goes_on)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "help rules\r", "known at 3"},
        {"", {NULL}, "\033[B", "Fourteen."},
        {"", {NULL}, "\033[B", "whoever looks at"},
        {"", {NULL}, "\033[B", "  them longingly, until they are taken."},
        {"", {NULL}, "\033[5~", "That is all."},
        {"", {NULL}, "qquit\r", "Arrows show more; q or Enter leaves this page."},
        END,
    };
    play(script);
    ck_assert_ptr_null(strstr(run.text, "take 1>")); /* nothing was chosen by these arrows */
}
END_TEST

/* Of a name that it does not know `help` says so: it never shows another page. */
START_TEST(help_is_of_what_was_asked)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "help phases\r", "known at 3"},
        {"", {NULL}, "help rule\r", "There is no help on 'phases'; `help` alone lists"},
        {"", {NULL}, "help RULES\r", "There is no help on 'rule'; `help` alone lists"},
        {"", {NULL}, "help rules x\r", "There is no help on 'RULES'; `help` alone lists"},
        {"", {NULL}, "help say\r", "There is no help on 'rules x'; `help` alone lists"},
        {"", {NULL}, QUIT, "say TEXT: a line to everybody in the room."},
        END,
    };
    play(script);
    ck_assert_ptr_null(strstr(run.text, "Fourteen.")); /* of the rules */
    ck_assert_ptr_null(strstr(run.text, "leaves this page"));
}
END_TEST

/* What has gone out of sight below the picture is found again. */
static const char *const LOGS[] = {"nonsense\r\033[5~", "nonsense\rlog\r"};

START_TEST(the_log_is_a_page)
{
    const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, LOGS[_i], "known at 3"},
        {"", {NULL}, "qquit\r", "q or Enter leaves this page."},
        END,
    };
    play(script);
    const char *said = strstr(run.text, "I do not know 'nonsense'");
    ck_assert_ptr_nonnull(said);
    ck_assert_ptr_nonnull(strstr(said + 1, "I do not know 'nonsense'"));
}
END_TEST

START_TEST(escape_ends_it)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT, "known at 3"},
        {"", {NULL}, "\033", "take 1>"},
        {"", {NULL}, "\r" QUIT, "seat 0> "},
        END,
    };
    play(script);
}
END_TEST

START_TEST(who_would_be_out_says_so_again)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT "tt\ry", "known at 3"},
        {"\"move\":\"take-3\",\"confirm\":true", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
    client_run_said(&run, "That would put you out of the game; y plays it all the same.");
}
END_TEST

/* A click chooses, the wheel changes; a click on what is chosen by then plays. */
START_TEST(clicks_play)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT "\033[<65;1;2M\033[<0;2;2M", "known at 3"},
        {"\"move\":\"take-2\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
}
END_TEST

/* The first click is meant for the picture as it was, and what was clicked stays where it is,
 * though this picture follows what is chosen. */
START_TEST(a_click_is_meant_for_what_is_seen)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "stick >\r", "known at 3"},
        {"", {NULL}, "\033[<0;2;2M", ">>>>>"},
        {"", {NULL}, "\033[<0;1;2M", "take 2>"},
        {"", {NULL}, "\r", "take 1>"},
        {"\"move\":\"take-1\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
}
END_TEST

START_TEST(a_click_beside_says_so)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "\033[<0;30;2M", "known at 3"},
        {"", {NULL}, "\033[<0;2;2M", "Nothing can be chosen there."},
        {"", {NULL}, "\033[<0;30;2M", "take 2>"},
        {"", {NULL}, "\r", "Nothing can be chosen there."},
        {"\"move\":\"take-2\"", {REPLY}, QUIT, NULL}, /* what was chosen stays */
        END,
    };
    play(script);
    ck_assert_ptr_null(strstr(run.text, "take 1>"));
}
END_TEST

/* Something has happened: the choice rests until it is known that it is still possible. */
START_TEST(a_choice_lasts)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT RIGHT, "known at 3"},
        {"", {EVENT("offered", "{}")}, NULL, "take 2>"},
        {"\"op\":\"moves\"", {LEGAL("4", ALL)}, "\r", "known at 4"},
        {"\"move\":\"take-2\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
}
END_TEST

/* Enter before that is known plays nothing. */
START_TEST(a_choice_rests)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT RIGHT, "known at 3"},
        {"", {EVENT("offered", "{}")}, NULL, "take 2>"},
        {"\"op\":\"moves\"", {NULL}, RIGHT "t\r\033[<0;2;2M\033[<0;2;2M", "Bo offers: pause."},
        {"", {NULL}, QUIT, "Not known yet, try again."},
        END,
    };
    play(script);
}
END_TEST

START_TEST(a_choice_goes_with_its_move)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT RIGHT, "known at 3"},
        {"", {EVENT("offered", "{}")}, NULL, "take 2>"},
        {"\"op\":\"moves\"", {LEGAL("4", "\"take-1\"")}, "\r" QUIT, "no longer possible"},
        END,
    };
    play(script);
    client_run_said(&run, "What was being chosen is no longer possible: nothing was played.");
}
END_TEST

START_TEST(a_choice_goes_with_the_turn)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, RIGHT RIGHT, "known at 3"},
        {"", {EVENT("resigned", OVER)}, NULL, "take 2>"},
        {"", {NULL}, "\r" QUIT, "It is no longer your move: nothing was played."},
        END,
    };
    play(script);
}
END_TEST

/* ---- Tab */

/* As far as all go alike it types; nothing is listed that is not asked for by another Tab. */
START_TEST(tab_types)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "ta\t1\t\r", "known at 3"},
        {"\"move\":\"take-1\"", {REPLY}, QUIT, NULL},
        END,
    };
    play(script);
    client_run_said(&run, "take 1");
    ck_assert_ptr_null(strstr(run.text, "take 1  take 2"));
    ck_assert_ptr_null(strstr(run.text, "take 1\r\n"));
}
END_TEST

START_TEST(tab_lists)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"moves\"", {LEGAL("3", ALL)}, "take \t" QUIT, "known at 3"},
        END,
    };
    play(script);
    client_run_said(&run, "take 1  take 2  take 3");
}
END_TEST

Suite *choose_suite(void)
{
    Suite *suite = suite_create("choose");
    TCase *tcase = tcase_create("choose");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, enter_plays);
    tcase_add_loop_test(tcase, nothing_else_plays, 0, sizeof HARMLESS / sizeof HARMLESS[0]);
    tcase_add_test(tcase, enter_decides_nothing);
    tcase_add_test(tcase, enter_does_not_choose);
    tcase_add_test(tcase, says_that_nothing_turns);
    tcase_add_test(tcase, q_leaves_a_page);
    tcase_add_test(tcase, a_page_goes_on);
    tcase_add_test(tcase, help_is_of_what_was_asked);
    tcase_add_loop_test(tcase, the_log_is_a_page, 0, sizeof LOGS / sizeof LOGS[0]);
    tcase_add_test(tcase, escape_ends_it);
    tcase_add_test(tcase, who_would_be_out_says_so_again);
    tcase_add_test(tcase, clicks_play);
    tcase_add_test(tcase, a_click_is_meant_for_what_is_seen);
    tcase_add_test(tcase, a_click_beside_says_so);
    tcase_add_test(tcase, a_choice_lasts);
    tcase_add_test(tcase, a_choice_rests);
    tcase_add_test(tcase, a_choice_goes_with_its_move);
    tcase_add_test(tcase, a_choice_goes_with_the_turn);
    tcase_add_test(tcase, tab_types);
    tcase_add_test(tcase, tab_lists);
    suite_add_tcase(suite, tcase);
    return suite;
}
