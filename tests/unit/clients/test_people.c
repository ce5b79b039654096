/* What commands print of people, by the word of a server that may lie. */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
#include <profile.h>
#include <ratings_show.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELLO[] = "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}";
static const char DONE[] = "{\"id\":$,\"ok\":{}}";

static struct client_run run;

static const struct {
    const char *command, *wants;
} ASKED[] = {
    {"block", "\"op\":\"block\",\"handle\":\"bo-1\""},
    {"unblock", "\"op\":\"unblock\",\"handle\":\"bo-1\""},
    {"follow", "\"op\":\"follow\",\"handle\":\"bo-1\""},
    {"unfollow", "\"op\":\"unfollow\",\"handle\":\"bo-1\""},
};

START_TEST(a_block_is_asked_for)
{
    const char *const words[] = {ASKED[_i].command, "bo-1", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {ASKED[_i].wants, {DONE}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

/* Lines of JSON, and nothing beside them. */
static void printed_json_alone(void)
{
    ck_assert_uint_gt(run.len, 0);
    run.text[run.len] = '\0';
    for (char *line = strtok(run.text, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(*line == '{', "printed as JSON: %s", line);
}

static const char ACCESS[] = "taluva_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh83krq0en";

/* By the words of the command line; what is shown once is printed. */
START_TEST(a_token_is_made)
{
    char made[256];
    (void)snprintf(made, sizeof made, "{\"id\":$,\"ok\":{\"token\":\"%s\",\"tokens\":[]}}", ACCESS);
    const char *const words[] = {"token", "evening", "--scope", "play room", "--days",
                                 "7",     "--bot",   "ana-bot", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"token_add\",\"name\":\"evening\",\"scope\":\"play "
         "room\",\"days\":7,\"handle\":\"ana-bot\"",
         {made},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, ACCESS);
}
END_TEST

/* It goes before what is kept, and is not kept itself: the next run is who it was. */
START_TEST(a_token_is_made_for_programs_to_read)
{
    char made[256];
    (void)snprintf(made, sizeof made, "{\"id\":$,\"ok\":{\"token\":\"%s\",\"tokens\":[]}}", ACCESS);
    const char *const words[] = {"token", "evening", "--scope", "play", "--json", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"token_add\",\"name\":\"evening\"", {made}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, ACCESS);
    printed_json_alone();
}
END_TEST

START_TEST(a_program_is_let_in_by_its_token)
{
    const char *const words[] = {"bots", NULL};
    char hello[128];
    (void)snprintf(hello, sizeof hello, "\"token\":\"%s\"", ACCESS);
    const struct client_step script[] = {
        {hello, {HELLO}, NULL, NULL},
        {"\"op\":\"bots\"", {"{\"id\":$,\"ok\":{\"bots\":[]}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    ck_assert_int_eq(setenv("TALUVA_TOKEN", ACCESS, 1), 0);
    client_run_with(&run, script, words);
    ck_assert_int_eq(unsetenv("TALUVA_TOKEN"), 0);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

static const struct {
    const char *server;
    enum profile_given given;
} SERVERS[] = {
    {"ws://127.0.0.1:7400", PROFILE_TAKEN},
    {"wss://play.example.org", PROFILE_TAKEN},
    {"ws://play.example.org", PROFILE_PLAIN},
    {"127.example.org", PROFILE_PLAIN},
};

/* Whoever is on the way would have it. */
START_TEST(a_token_goes_nowhere_in_plain)
{
    struct profile profile = {0};
    struct wire_url url;
    ck_assert(wire_url_parse(&url, SERVERS[_i].server));
    ck_assert_int_eq(setenv("TALUVA_TOKEN", ACCESS, 1), 0);
    ck_assert_int_eq(profile_take_given(&profile, &url), SERVERS[_i].given);
    ck_assert_int_eq(unsetenv("TALUVA_TOKEN"), 0);
    ck_assert_str_eq(profile.token, SERVERS[_i].given == PROFILE_TAKEN ? ACCESS : "");
}
END_TEST

/* Which may be a made-up time. */
START_TEST(an_account_is_closed)
{
    static const char closing[] = "{\"id\":$,\"ok\":{\"account\":{\"handle\":\"ana-1\","
                                  "\"closing\":9223372036854775807}}}";
    const char *const words[] = {"close", "ana-1", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"close_account\",\"handle\":\"ana-1\"", {closing}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

static const struct {
    const char *handle, *wants;
} KEPT[] = {
    {NULL, "\"op\":\"keep_account\",\"id\""},
    {"ana-bot", "\"op\":\"keep_account\",\"handle\":\"ana-bot\""},
};

START_TEST(an_account_is_kept)
{
    static const char kept[] = "{\"id\":$,\"ok\":{\"account\":{\"handle\":\"ana-1\"}}}";
    const char *const words[] = {"keep", KEPT[_i].handle, NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {KEPT[_i].wants, {kept}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

START_TEST(what_is_no_handle_is_not_kept)
{
    const char *const words[] = {"keep", "a b", NULL};
    client_run_with(&run, NULL, words);
    ck_assert_int_eq(run.status, EXIT_USAGE);
}
END_TEST

/* An escape, one of a single character, and a mark that turns text around. */
START_TEST(blocks_are_printed_harmless)
{
    static const char evil[] =
        "{\"id\":$,\"ok\":{\"blocks\":[{\"handle\":\"a\\u001b[1m\\u009b\\u202eb\"},{}]}}";
    const char *const words[] = {"blocks", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"blocks\"", {evil}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    run.text[run.len] = '\0';
    ck_assert_str_eq(run.text, "@a?[1m??b\n@\n");
}
END_TEST

/* ---- friends */

#define FRIENDS(more)                                                                              \
    "{\"id\":$,\"ok\":{\"friends\":[{\"handle\":\"a\\u001bb\",\"online\":true},"                   \
    "{\"handle\":\"bo\"},{}]" more "}}"

static const struct {
    const char *option, *wants, *answer, *printed;
} FRIENDS_ASKED[] = {
    {NULL, "\"op\":\"friends\"", FRIENDS(""), "@a?b  is there\n@bo\n@\n"},
    {"--hide", "\"op\":\"presence\",\"hidden\":true", "{\"id\":$,\"ok\":{\"hidden\":true}}", ""},
    {"--show", "\"op\":\"presence\",\"hidden\":false", "{\"id\":$,\"ok\":{\"hidden\":false}}", ""},
};

START_TEST(friends_are_listed)
{
    const char *const words[] = {"friends", FRIENDS_ASKED[_i].option, NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {FRIENDS_ASKED[_i].wants, {FRIENDS_ASKED[_i].answer}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    run.text[run.len] = '\0';
    ck_assert_str_eq(run.text, FRIENDS_ASKED[_i].printed);
}
END_TEST

/* ---- talk in the lobby */

#define CHAT(more)                                                                                 \
    "{\"id\":$,\"ok\":{\"have\":7,\"lines\":[{\"line\":7,\"at\":0,\"handle\":\"bo-1\",\"name\":"   \
    "\"B\\u001b\",\"text\":\"hi\"}],\"gone\":[5]" more "}}"

/* Nobody else is shown so, whatever they are called. */
START_TEST(the_operator_is_heard_in_the_lobby)
{
    const char *const words[] = {"chat", "--once", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"chat\"",
         {"{\"id\":$,\"ok\":{\"have\":8,\"lines\":[{\"line\":7,\"at\":0,\"operator\":true,"
          "\"text\":\"hi\"}],\"gone\":[]}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "  the operator: hi\n");
}
END_TEST

START_TEST(the_lobby_is_heard)
{
    const char *const words[] = {"chat", NULL}, *const once[] = {"chat", "--once", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"chat\"", {CHAT("")}, NULL, NULL},
        {"\"op\":\"chat\",\"have\":7", {CHAT(",\"again_ms\":1")}, NULL, NULL},
        {"\"op\":\"chat\",\"have\":7",
         {"{\"id\":$,\"error\":{\"code\":\"quiet\",\"message\":\"It is quiet.\"}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    const struct client_step short_script[] = {script[0], script[1], script[4]};
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_REFUSED);
    client_run_said(&run, "  @bo-1 (B?): hi\n5  was taken away\n7  ");
    client_run_with(&run, short_script, once);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

static const struct {
    const char *words[6];
    const char *wants; /* NULL: it is no such command line */
} CHAT_ASKED[] = {
    {{"chat", "hi you", NULL}, "\"op\":\"chat_say\",\"text\":\"hi you\""},
    {{"chat", "--lang", "fr", "bonjour", NULL},
     "\"op\":\"chat_say\",\"lang\":\"fr\",\"text\":\"bonjour\""},
    {{"chat", "--lang", "fr", "--drop", "7", NULL}, NULL},
    {{"chat", "--drop", "7", NULL}, "\"op\":\"chat_drop\",\"line\":7"},
    {{"chat", "--report", "7", NULL}, "\"op\":\"chat_report\",\"line\":7,\"why\":\"talk\""},
    {{"chat", "--report", "7", "--why", "name", NULL},
     "\"op\":\"chat_report\",\"line\":7,\"why\":\"name\""},
    {{"chat", "--drop", "7", "hi", NULL}, NULL},
    {{"chat", "--why", "name", "hi", NULL}, NULL},
};
enum { CHATS_ASKED = sizeof CHAT_ASKED / sizeof CHAT_ASKED[0] };

START_TEST(something_is_done_in_the_lobby)
{
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {CHAT_ASKED[_i].wants, {DONE}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, CHAT_ASKED[_i].wants ? script : NULL, CHAT_ASKED[_i].words);
    ck_assert_int_eq(run.status, CHAT_ASKED[_i].wants ? EXIT_OK : EXIT_USAGE);
}
END_TEST

static const struct {
    const char *whether, *wants, *answer;
    int status;
} QUIET_ASKED[] = {
    {"on", "\"op\":\"quiet\",\"on\":true", "{\"id\":$,\"ok\":{\"account\":{\"quiet\":true}}}",
     EXIT_OK},
    {"off", "\"op\":\"quiet\",\"on\":false", "{\"id\":$,\"ok\":{\"account\":{}}}", EXIT_OK},
    {"off", "\"op\":\"quiet\",\"on\":false",
     "{\"id\":$,\"error\":{\"code\":\"proof_needed\",\"message\":\"Show it.\"}}", EXIT_REFUSED},
};

START_TEST(one_is_quiet_or_not)
{
    const char *const words[] = {"quiet", QUIET_ASKED[_i].whether, NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {QUIET_ASKED[_i].wants, {QUIET_ASKED[_i].answer}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, QUIET_ASKED[_i].status);
}
END_TEST

START_TEST(a_bit_quiet)
{
    const char *const words[] = {"quiet", "rather", NULL};
    client_run_with(&run, NULL, words);
    ck_assert_int_eq(run.status, EXIT_USAGE);
}
END_TEST

START_TEST(one_is_hidden_or_not)
{
    const char *const words[] = {"friends", "--hide", "--show", NULL};
    client_run_with(&run, NULL, words);
    ck_assert_int_eq(run.status, EXIT_USAGE);
}
END_TEST

/* Each account once, whom one has met last first; neither oneself nor who has no handle. */
START_TEST(people_are_listed)
{
    static const char page[] =
        "{\"id\":$,\"ok\":{\"games\":["
        "{\"room\":\"aaaaaaaa\",\"at\":0,\"seat\":1,\"seats\":{\"0\":{\"handle\":\"bo\"},"
        "\"1\":{\"handle\":\"ana\"},\"2\":{\"name\":\"Mango\",\"bot\":true}}},"
        "{\"room\":\"bbbbbbbb\",\"at\":0,\"seat\":0,\"seats\":{\"0\":{\"handle\":\"ana\"},"
        "\"1\":{\"handle\":\"c\\u001b\"},\"2\":{\"handle\":\"bo\"}}},{}]}}";
    const char *const words[] = {"games", "--people", NULL};
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"games\"", {page}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    run.text[run.len] = '\0';
    ck_assert_str_eq(run.text, "@bo                     2 matches  just now\n"
                               "@c?                     1 match    just now\n");
}
END_TEST

/* ---- ratings */

static const struct {
    const char *line, *printed;
} RATINGS[] = {
    {"{\"class\":\"taluva\",\"rating\":1662,\"deviation\":290,\"matches\":12}",
     "taluva                   1662 +- 580       12 matches\n"},
    {"{\"class\":\"a\\u009b\\u202e\",\"rating\":1,\"deviation\":9223372036854775807}",
     "a??                         1 +-   0        0 matches\n"},
    {"{\"class\":\"taluva\",\"rating\":-9223372036854775808,\"deviation\":2147483647,"
     "\"matches\":9223372036854775807,\"provisional\":true}",
     "taluva                      0 +- 4294967294 ?      0 matches\n"},
};

/* What ratings_print prints of a page; to be freed. */
static char *print_page(const char *page)
{
    struct pages pages = {.fetcher = NULL};
    char *text = calloc(1, 4096);
    FILE *out = tmpfile();
    ck_assert(text && out);
    buffer_init(&pages.body, 0, PAGES_BYTES);
    buffer_append_string(&pages.body, page);
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    ck_assert(kept >= 0 && dup2(fileno(out), STDOUT_FILENO) >= 0);
    const int result = ratings_print(&pages, "bo", false);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(kept, STDOUT_FILENO), 0);
    (void)close(kept);
    ck_assert_int_eq(result, EXIT_OK);
    rewind(out);
    ck_assert_uint_gt(fread(text, 1, 4095, out), 0);
    (void)fclose(out);
    buffer_release(&pages.body);
    return text;
}

START_TEST(ratings_are_printed_harmless)
{
    char *text = print_page(RATINGS[_i].line);
    ck_assert_str_eq(text, RATINGS[_i].printed);
    free(text);
}
END_TEST

Suite *people_suite(void)
{
    Suite *suite = suite_create("people");
    TCase *tcase = tcase_create("people");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_token_is_made);
    tcase_add_test(tcase, a_token_is_made_for_programs_to_read);
    tcase_add_test(tcase, a_program_is_let_in_by_its_token);
    tcase_add_loop_test(tcase, a_token_goes_nowhere_in_plain, 0,
                        sizeof SERVERS / sizeof SERVERS[0]);
    tcase_add_loop_test(tcase, a_block_is_asked_for, 0, sizeof ASKED / sizeof ASKED[0]);
    tcase_add_test(tcase, an_account_is_closed);
    tcase_add_loop_test(tcase, an_account_is_kept, 0, sizeof KEPT / sizeof KEPT[0]);
    tcase_add_test(tcase, what_is_no_handle_is_not_kept);
    tcase_add_test(tcase, blocks_are_printed_harmless);
    tcase_add_test(tcase, the_lobby_is_heard);
    tcase_add_test(tcase, the_operator_is_heard_in_the_lobby);
    tcase_add_loop_test(tcase, something_is_done_in_the_lobby, 0, CHATS_ASKED);
    tcase_add_loop_test(tcase, friends_are_listed, 0,
                        sizeof FRIENDS_ASKED / sizeof FRIENDS_ASKED[0]);
    tcase_add_test(tcase, one_is_hidden_or_not);
    tcase_add_loop_test(tcase, one_is_quiet_or_not, 0, sizeof QUIET_ASKED / sizeof *QUIET_ASKED);
    tcase_add_test(tcase, a_bit_quiet);
    tcase_add_test(tcase, people_are_listed);
    tcase_add_loop_test(tcase, ratings_are_printed_harmless, 0, sizeof RATINGS / sizeof RATINGS[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
