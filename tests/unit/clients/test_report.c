/* Who is reported from a table of the terminal, and what is said there of what was decided. */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
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

Suite *report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *tcase = tcase_create("report");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_report_is_sent);
    tcase_add_test(tcase, nobody_reports_oneself);
    tcase_add_test(tcase, tab_knows_reports);
    suite_add_tcase(suite, tcase);
    return suite;
}
