/* A bot with a level, run as a program of its own against a mock server: how it keeps to its plan.
 */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>

#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define VIEW                                                                                       \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":{\"seat\":0},\"online\":{},"        \
    "\"time\":1,\"state\":{\"game\":\"sticks\",\"phase\":\"playing\",\"seats\":{\"0\":"            \
    "{\"name\":\"Ana\"}},\"options\":{\"players\":7,\"sticks\":9},\"clock\":{\"kind\":\"none\"},"  \
    "\"acting\":[0],\"table\":{\"sticks\":9,\"taken\":{}}}}}"
#define PAST "{\"id\":$,\"ok\":{\"events\":[{\"seq\":1},{\"seq\":2},{\"seq\":3}]}}"
#define EVENT(seq, patch)                                                                          \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":" seq                                       \
    ",\"at\":5,\"event\":{\"kind\":\"move\",\"seat\":0,\"move\":\"take-1\"},\"patch\":" patch "}"
#define OVER                                                                                       \
    "{\"phase\":\"over\",\"acting\":null,\"result\":{\"why\":\"empty\",\"winner\":0},"             \
    "\"table\":{\"sticks\":0}}"
#define BEGIN                                                                                      \
    {"\"op\":\"hello\"", {HELLO}, NULL, NULL},                                                     \
    {                                                                                              \
        "\"op\":\"join\"", {VIEW}, NULL, NULL                                                      \
    }

static void play(const struct client_step *script, const char *level)
{
    const char *const words[] = {"bot", "k3m9x0aq", "--name=Ana", level, NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}

/* The second move of a plan is not thought about once more. */
START_TEST(a_plan_is_kept)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"past\"", {PAST}, NULL, NULL},
        {"\"move\":\"take-1\"", {EVENT("4", "{}"), "{\"id\":$,\"ok\":{\"seq\":4}}"}, NULL, NULL},
        {"\"move\":\"take-2\"", {EVENT("5", OVER), "{\"id\":$,\"ok\":{\"seq\":5}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    play(script, "--level=weak");
}
END_TEST

/* Something happens while it thinks: that thought is given up, and then it thinks anew. */
START_TEST(one_thought_at_a_time)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"past\"", {PAST}, "\n", NULL},
        {"", {EVENT("4", "{}")}, NULL, "It thinks.\n"},
        {"\"move\":\"take-3\"", {EVENT("5", OVER), "{\"id\":$,\"ok\":{\"seq\":5}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    play(script, "--level=strong");
}
END_TEST

#define OFFER(seq, patch)                                                                          \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":" seq                                       \
    ",\"at\":5,\"event\":{\"kind\":\"offered\",\"seat\":1,\"what\":\"pause\"},\"patch\":" patch    \
    "}"

/* It agrees to what others offer, as the server's computers do, and once if that is refused. */
START_TEST(it_agrees_to_a_pause)
{
    static const struct client_step script[] = {
        BEGIN,
        {"\"op\":\"past\"", {PAST}, "\n", NULL},
        {"",
         {OFFER("4", "{\"acting\":[1],\"offers\":{\"pause\":{\"1\":true}}}")},
         NULL,
         "It thinks.\n"},
        {"\"what\":\"pause\"",
         {"{\"id\":$,\"error\":{\"code\":\"slow_down\",\"message\":\"No.\"}}",
          OFFER("5", "{\"offers\":{\"pause\":{\"2\":true}}}")},
         NULL,
         NULL},
        {"\"what\":\"pause\"", {EVENT("6", OVER), "{\"id\":$,\"ok\":{\"seq\":6}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    play(script, "--level=strong");
}
END_TEST

Suite *bot_suite(void)
{
    Suite *suite = suite_create("bot");
    TCase *tcase = tcase_create("bot");
    tcase_set_timeout(tcase, 90);
    tcase_add_test(tcase, a_plan_is_kept);
    tcase_add_test(tcase, one_thought_at_a_time);
    tcase_add_test(tcase, it_agrees_to_a_pause);
    suite_add_tcase(suite, tcase);
    return suite;
}
