/* What `games` prints of finished matches, those of a second game (game_sticks.c). */
#include "client_run.h"
#include "suites.h"
#include <cli/program.h>
#include <stdio.h>

#define HELLO_AT(time) "{\"id\":$,\"ok\":{\"name\":\"Ana\",\"limits\":{},\"time\":" time "}}"
#define ENDED(room, seats, result, more)                                                           \
    "{\"room\":\"" room "\",\"game\":\"sticks\",\"size\":3,\"seats\":{" seats                      \
    "},\"result\":{" result "},\"at\":1000000,\"seat\":0" more "}"
#define SEAT(number, name) "\"" number "\":{\"name\":\"" name "\"}"
#define TRIO               SEAT("0", "Ana") "," SEAT("1", "Bo") "," SEAT("2", "Chi")
#define PAGE(more, lines)  "{\"id\":$,\"ok\":{\"more\":" more ",\"games\":[" lines "]}}"
#define LONG_NAME          "An island far in the sea"

/* How a match ended for who asks, in a line of 80 columns whatever its names are. */
static const struct {
    const char *line, *says;
} ENDS[] = {
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\",\"winners\":{\"0\":true}", ""),
     "3 minutes ago   sticks    Bo, Chi                         won           aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\",\"winners\":{\"0\":true,\"2\":true}", ""),
     "  shared win    aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\",\"winners\":{\"1\":true},\"ranks\":{\"0\":2}", ""),
     "  place 2 of 3  aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\",\"winners\":{\"1\":true}", ""),
     "  lost          aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\"", ""), "  nobody won    aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"called-off\"", ""), "  called off    aaaaaaaa\n"},
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"abandoned\"", ""), "  abandoned     aaaaaaaa\n"},
    /* Winners of a team game are teams: 0 is of seats 0 and 2. */
    {ENDED("aaaaaaaa", TRIO, "\"why\":\"x\",\"winners\":{\"1\":true},\"ranks\":{\"0\":2}",
           ",\"options\":{\"teams\":true}"),
     "  lost          aaaaaaaa\n"},
    {"{\"room\":\"aaaaaaaa\",\"game\":\"sticks\",\"seats\":{" TRIO "},\"at\":1000000,\"seat\":2,"
     "\"options\":{\"teams\":true},\"result\":{\"winners\":{\"0\":true}}}",
     "  Ana, Bo                         won           aaaaaaaa\n"},
    {ENDED("aaaaaaaa", SEAT("1", LONG_NAME) "," SEAT("2", "Chi"), "\"why\":\"closed\"", ""),
     "  " LONG_NAME ", Chi   closed"},
    {ENDED("aaaaaaaa", SEAT("1", LONG_NAME) "," SEAT("2", "Chi Chi"), "\"why\":\"closed\"", ""),
     "  " LONG_NAME ", C...  closed"},
    {ENDED("aaaaaaaa", SEAT("1", "\xe5\xb2\x9b\\u001b"), "\"why\":\"closed\"", ""),
     "  \xe5\xb2\x9b?                             closed"},
    {"{}", "20 minutes ago  "},
};

START_TEST(has_ended)
{
    char page[1024];
    static const char *const words[] = {"games", "--name=Ana", NULL};
    static struct client_run run;
    (void)snprintf(page, sizeof page, PAGE("false", "%s"), ENDS[_i].line);
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO_AT("1200000")}, NULL, NULL},
        {"\"op\":\"games\"", {page}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "Ended           Game      Against                         Result        "
                          "Room\n");
    client_run_said(&run, ENDS[_i].says);
}
END_TEST

#define CALLED_OFF(room) ENDED(room, TRIO, "\"why\":\"called-off\"", "")

/* One page without --all; with it the next ones too, until there are no more or one is empty. */
START_TEST(has_ended_in_pages)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO_AT("1")}, NULL, NULL},
        {"\"op\":\"games\"",
         {PAGE("true", CALLED_OFF("aaaaaaaa") "," CALLED_OFF("bbbbbbbb"))},
         NULL,
         NULL},
        {"\"after\":\"bbbbbbbb\"", {PAGE("true", CALLED_OFF("cccccccc"))}, NULL, NULL},
        {"\"after\":\"cccccccc\"", {PAGE("true", "")}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const struct client_step first[] = {
        {"\"op\":\"hello\"", {HELLO_AT("1")}, NULL, NULL},
        {"\"op\":\"games\"", {PAGE("true", CALLED_OFF("aaaaaaaa"))}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const all[] = {"games", "--name=Ana", "--all", NULL};
    static const char *const words[] = {"games", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, all);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "aaaaaaaa\n");
    client_run_said(&run, "cccccccc\n");
    client_run_with(&run, first, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "aaaaaaaa\n");
}
END_TEST

START_TEST(has_ended_and_is_refused)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO_AT("1")}, NULL, NULL},
        {"\"op\":\"games\"",
         {"{\"id\":$,\"error\":{\"code\":\"store_failing\",\"message\":\"!\"}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"games", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_REFUSED);
    ck_assert_str_eq(run.text, "");
}
END_TEST

Suite *ended_suite(void)
{
    Suite *suite = suite_create("finished matches");
    TCase *tcase = tcase_create("finished matches");
    tcase_add_loop_test(tcase, has_ended, 0, sizeof ENDS / sizeof ENDS[0]);
    tcase_add_test(tcase, has_ended_in_pages);
    tcase_add_test(tcase, has_ended_and_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
