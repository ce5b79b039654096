/* Who is reported from a table of the terminal, and what is said there of what was decided. */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define VIEW(you)                                                                                  \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3," you "\"online\":{},\"time\":1,"           \
    "\"state\":{\"game\":\"sticks\",\"phase\":\"playing\",\"seats\":{"                             \
    "\"0\":{\"name\":\"Ana\"},\"1\":{\"name\":\"Bo\"},\"2\":{\"name\":\"Mango\",\"bot\":true}},"   \
    "\"options\":{\"players\":3,\"sticks\":5},\"clock\":{\"kind\":\"none\"},\"acting\":[1],"       \
    "\"table\":{\"sticks\":5,\"taken\":{}}}}}"
#define WATCHED  VIEW("")
#define SEATED   VIEW("\"you\":{\"seat\":0},")
#define DONE     "{\"id\":$,\"ok\":{}}"
#define REPORT   "\"op\":\"report\",\"room\":\"k3m9x0aq\",\"seat\":1,"
#define ANSWERED "Those who look after this server will look at it"

static const char *const WATCH[] = {"watch", "k3m9x0aq", "--name=Ana", NULL};
static const char *const JOIN[] = {"join", "k3m9x0aq", "--name=Ana", "--ascii", NULL};

static struct client_run run;

/* ---- who is reported */

/* What is missing is asked for, and nothing sent; who only watches may report too. */
START_TEST(a_report_is_sent)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"",
         {WATCHED},
         "report\nreport B rude\nreport Z talk\nreport B\n"
         "report b stalling\n",
         "|||||"},
        {REPORT "\"why\":\"stalling\",\"id\"", {DONE}, "report 1 talk  Is rude.\n", ANSWERED},
        {REPORT "\"why\":\"talk\",\"text\":\"Is rude.\",\"id\"",
         {"{\"id\":$,\"error\":{\"code\":\"account_needed\",\"message\":\"Claim a handle.\"}}"},
         "help report\nquit\n",
         "Claim a handle."},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, WATCH);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "Whom? `report B talk`");
    const char *why = strstr(run.text, "Why? For talk, name, cheating, stalling or other.\n");
    ck_assert_ptr_nonnull(why);
    client_run_said(&run, "report SEAT WHY [TEXT]: ");
    client_run_said(&run, "nobody is told who has reported. WHY is talk, name, ");
}
END_TEST

START_TEST(nobody_reports_oneself)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {SEATED}, "report a talk\nquit\n", "|||||"},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, JOIN);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "Seat A is yours.");
}
END_TEST

/* Neither oneself nor a computer is offered: one is left, and typed. */
START_TEST(tab_knows_reports)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {SEATED}, "rep\t\t\tch\t\r", "Room k3m9x0aq."},
        {REPORT "\"why\":\"cheating\",\"id\"", {DONE}, "\025quit\r", ANSWERED},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_at_terminal(&run, script, JOIN);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "report B talk  report B name  report B cheating");
}
END_TEST

/* ---- what was decided */

#define JUDGED(more)                                                                               \
    "\"judgement\":12,\"verdict\":\"silence\",\"why\":\"talk\",\"at\":1790000000000,"              \
    "\"until\":1790604800000" more
#define JUDGED_HELLO                                                                               \
    "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{},\"judgements\":["              \
    "{\"judgement\":11,\"verdict\":\"warn\",\"why\":\"name\",\"at\":1,\"read\":true},"             \
    "{" JUDGED(",\"text\":\"No insults\\u001b[1m\\u202e here.\"") "}]}}"
#define SILENCED                                                                                   \
    "Those who look after this server have decided that you may not say anything at tables until " \
    "2026-09-28 14:13: what you say.\n"

static void run_here(const struct client_step *script, const char *const *words)
{
    ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
    client_run_with(&run, script, words);
    ck_assert_int_eq(unsetenv("TZ"), 0);
    ck_assert_int_eq(run.status, EXIT_OK);
}

/* Once, before anything else; what was read is not said again. */
START_TEST(judgements_are_said_and_heeded)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {JUDGED_HELLO}, NULL, NULL},
        {"\"op\":\"heed\",\"id\"", {DONE}, NULL, NULL},
        {"\"op\":\"watch\"", {WATCHED}, "quit\n", "|||||"},
        {NULL, {NULL}, NULL, NULL},
    };
    run_here(script, WATCH);
    client_run_said(&run, SILENCED "They say: No insults?[1m? here.\n");
    ck_assert_ptr_null(strstr(run.text, "your name"));
}
END_TEST

/* 280 characters of four bytes: each is shown, none is cut. */
START_TEST(a_long_judgement_is_whole)
{
    enum { CHARS = 280 };
    char push[2048], text[4 * CHARS + 1];
    for (size_t i = 0; i < CHARS; i++)
        memcpy(text + 4 * i, "\360\237\214\264", 5);
    (void)snprintf(push, sizeof push, "{\"push\":\"judged\"," JUDGED(",\"text\":\"a%s\"") "}",
                   text + 4);
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"", {WATCHED, push}, NULL, NULL},
        {"\"op\":\"heed\",\"id\"", {DONE}, "quit\n", NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    size_t palms = 0;
    run_here(script, WATCH);
    client_run_said(&run, SILENCED "They say: a\360\237\214\264");
    for (const char *at = run.text; (at = strstr(at, "\360\237\214\264")) != NULL; at += 4)
        palms++;
    ck_assert_uint_eq(palms, CHARS - 1);
    ck_assert_ptr_null(strchr(strstr(run.text, "They say"), '?'));
}
END_TEST

static const struct {
    const char *members, *said;
} VERDICTS[] = {
    {"\"verdict\":\"warn\",\"why\":\"name\",\"at\":1",
     "Those who look after this server ask you to change this: your name.\n"},
    {"\"verdict\":\"ban\",\"why\":\"stalling\",\"at\":1,\"until\":9223372036854775807",
     "Those who look after this server have decided that you may not enter until "
     "287396-10-12 08:59: stalling.\n"},
    {"\"verdict\":7", "have decided something that this program does not know: something else.\n"},
};

START_TEST(each_judgement_has_words)
{
    char push[512];
    (void)snprintf(push, sizeof push, "{\"push\":\"judged\",\"judgement\":1,%s}",
                   VERDICTS[_i].members);
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"", {WATCHED, push}, NULL, NULL},
        {"\"op\":\"heed\"", {DONE}, "quit\n", NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    run_here(script, WATCH);
    client_run_said(&run, VERDICTS[_i].said);
}
END_TEST

/* A command whose lines may be read by nobody goes on as ever. */
START_TEST(a_command_heeds_nothing)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {JUDGED_HELLO}, NULL, NULL},
        {"\"op\":\"block\"", {DONE}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"block", "bo-1", NULL};
    run_here(script, words);
    ck_assert_uint_eq(run.len, 0);
}
END_TEST

/* A program gets it as it came, and says itself that it was read, also if it only watches. */
START_TEST(a_program_heeds_for_itself)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {JUDGED_HELLO}, NULL, NULL},
        {"\"op\":\"watch\"",
         {WATCHED, "{\"push\":\"judged\"," JUDGED("") "}"},
         "{\"op\":\"heed\"}\n",
         "{\"push\":\"judged\"," JUDGED("") "}\n"},
        {"\"op\":\"heed\"", {DONE}, "{\"local\":\"quit\"}\n", NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"watch", "k3m9x0aq", "--json", "--name=Ana", NULL};
    run_here(script, words);
    client_run_said(&run, "\"judgements\":[{\"judgement\":11,");
    ck_assert_ptr_null(strstr(run.text, "Those who"));
}
END_TEST

/* ---- what others want */

START_TEST(a_challenge_is_said)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"",
         {WATCHED, "{\"push\":\"challenged\",\"handle\":\"Bo-7\",\"game\":\"totem\",\"clocks\":["
                   "\"fast\"],\"until\":1}"},
         "quit\n",
         "--with Bo-7"},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, WATCH);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run,
                    "@Bo-7 wants to play totem with you: `taluva seek --game totem --with Bo-7`.");
}
END_TEST

START_TEST(who_looks_for_a_partner_is_said)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"",
         {WATCHED, "{\"push\":\"challenged\",\"handle\":\"Bo-7\",\"game\":\"taluva\",\"clocks\":["
                   "\"fast\"],\"teams\":true,\"until\":1}"},
         "quit\n",
         "--with Bo-7"},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, WATCH);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "as a partner: `taluva seek --game taluva --teams --with Bo-7`.");
}
END_TEST

START_TEST(a_refund_is_said)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"watch\"",
         {WATCHED, "{\"push\":\"refunded\",\"class\":\"taluva.duel.live\",\"before\":1338,"
                   "\"after\":1488,\"reason\":\"one person\",\"of\":2,\"n\":3}"},
         "quit\n",
         "1488"},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, WATCH);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "does not count after all: one person. Your rating in taluva.duel.live: "
                          "1338 -> 1488.");
}
END_TEST

Suite *report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *tcase = tcase_create("report");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_report_is_sent);
    tcase_add_test(tcase, nobody_reports_oneself);
    tcase_add_test(tcase, tab_knows_reports);
    tcase_add_test(tcase, judgements_are_said_and_heeded);
    tcase_add_test(tcase, a_long_judgement_is_whole);
    tcase_add_loop_test(tcase, each_judgement_has_words, 0, sizeof VERDICTS / sizeof VERDICTS[0]);
    tcase_add_test(tcase, a_command_heeds_nothing);
    tcase_add_test(tcase, a_program_heeds_for_itself);
    tcase_add_test(tcase, a_challenge_is_said);
    tcase_add_test(tcase, a_refund_is_said);
    tcase_add_test(tcase, who_looks_for_a_partner_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
