/* What the command line comes to: a request, or what is wrong with it. */
#include "command_line.h"
#include "suites.h"
#include <string.h>

enum { WORDS = 6 };

static char problem[COMMAND_PROBLEM_BYTES];

static enum command_line_outcome parse(struct command_line *line, const char *const words[WORDS])
{
    static char copies[WORDS + 1][64];
    char *argv[WORDS + 2] = {copies[0]};
    int argc = 1;
    strcpy(copies[0], "taluva-admin");
    for (; argc <= WORDS && words[argc - 1]; argc++) {
        strncpy(copies[argc], words[argc - 1], sizeof copies[0] - 1);
        argv[argc] = copies[argc];
    }
    return command_line_read(line, argc, argv, problem);
}

static const struct {
    const char *words[WORDS], *request;
} good[] = {
    {{"status"}, "{\"op\":\"status\"}"},
    {{"rooms"}, "{\"op\":\"rooms\"}"},
    {{"--json", "rooms"}, "{\"op\":\"rooms\"}"},
    {{"--socket", "status", "rooms", "Ana"}, "{\"op\":\"rooms\"}"},
    {{"--json", "--socket=/x", "room", "k3m9x0aq"}, "{\"op\":\"room\",\"room\":\"k3m9x0aq\"}"},
    {{"--all", "rooms", "--json"}, "{\"all\":true,\"op\":\"rooms\"}"},
    {{"rooms", "--all", "Ana"}, "{\"all\":true,\"op\":\"rooms\"}"},
    {{"room", "k3m9x0aq"}, "{\"op\":\"room\",\"room\":\"k3m9x0aq\"}"},
    {{"sessions", "--json"}, "{\"op\":\"sessions\"}"},
    {{"addresses", "--all"}, "{\"all\":true,\"op\":\"addresses\"}"},
    {{"drain"}, "{\"op\":\"drain\"}"},
    {{"close", "k3m9x0aq"}, "{\"op\":\"close\",\"room\":\"k3m9x0aq\"}"},
    {{"close", "k3m9x0aq", "--reason", "spam"},
     "{\"op\":\"close\",\"reason\":\"spam\",\"room\":\"k3m9x0aq\"}"},
    {{"ban", "1.2.3.4", "--for", "90s"}, "{\"for_s\":90,\"op\":\"ban\",\"target\":\"1.2.3.4\"}"},
    {{"ban", "1.2.3.4", "--for=15m", "--force"},
     "{\"for_s\":900,\"force\":true,\"op\":\"ban\",\"target\":\"1.2.3.4\"}"},
    {{"silence", "1.2.3.4", "--for", "2h", "--reason", "spam"},
     "{\"for_s\":7200,\"op\":\"silence\",\"reason\":\"spam\",\"target\":\"1.2.3.4\"}"},
    {{"ban", "1.2.3.4", "--for", "3650d"},
     "{\"for_s\":315360000,\"op\":\"ban\",\"target\":\"1.2.3.4\"}"},
    {{"ban", "1.2.3.4", "--for", "1w"}, "{\"for_s\":604800,\"op\":\"ban\",\"target\":\"1.2.3.4\"}"},
    {{"reports"}, "{\"op\":\"reports\"}"},
    {{"report", "12"}, "{\"op\":\"report\",\"report\":12}"},
    {{"judge", "12", "warn", "--why=talk", "--text=Be kind."},
     "{\"op\":\"judge\",\"report\":12,\"text\":\"Be "
     "kind.\",\"verdict\":\"warn\",\"why\":\"talk\"}"},
    {{"judge", "12", "silence", "--why=talk", "--for=7d"},
     "{\"for_s\":604800,\"op\":\"judge\",\"report\":12,\"verdict\":\"silence\",\"why\":\"talk\"}"},
    {{"moderators"}, "{\"op\":\"moderators\"}"},
    {{"moderator", "ana-1", "--reason=asked"},
     "{\"handle\":\"ana-1\",\"op\":\"moderator\",\"reason\":\"asked\"}"},
    {{"moderator", "ana-1", "--cancel"},
     "{\"cancel\":true,\"handle\":\"ana-1\",\"op\":\"moderator\"}"},
    {{"annul", "12", "--reason=one person"},
     "{\"match\":12,\"op\":\"annul\",\"reason\":\"one person\"}"},
    {{"lobby"}, "{\"op\":\"lobby\"}"},
    {{"say", "Be kind.", "--lang=fr"}, "{\"lang\":\"fr\",\"op\":\"say\",\"text\":\"Be kind.\"}"},
    {{"unsay", "1790000061042", "--reason=spam"},
     "{\"line\":1790000061042,\"op\":\"unsay\",\"reason\":\"spam\"}"},
    {{"invite", "--for=7d"}, "{\"for_s\":604800,\"op\":\"invite\"}"},
    {{"account", "Ana-1"}, "{\"handle\":\"Ana-1\",\"op\":\"account\"}"},
    {{"rename", "Ana-1", "--to=Hanna", "--reason", "asked"},
     "{\"handle\":\"Ana-1\",\"op\":\"rename\",\"reason\":\"asked\",\"to\":\"Hanna\"}"},
    {{"link", "Ana-1"}, "{\"handle\":\"Ana-1\",\"op\":\"link\"}"},
    {{"lift", "1.2.3.4"}, "{\"op\":\"lift\",\"target\":\"1.2.3.4\"}"},
    {{"bans", "spam"}, "{\"op\":\"bans\"}"},
    {{"letters", "--all", "ratings"}, "{\"all\":true,\"op\":\"letters\"}"},
    {{"retry", "00ff"}, "{\"letter\":\"00ff\",\"op\":\"retry\"}"},
    {{"discard", "00ff"}, "{\"letter\":\"00ff\",\"op\":\"discard\"}"},
    {{"announce", "Pause"}, "{\"op\":\"announce\",\"text\":\"Pause\"}"},
    {{"drain", "--cancel"}, "{\"cancel\":true,\"op\":\"drain\"}"},
};

START_TEST(test_good)
{
    struct command_line line;
    ck_assert_msg(parse(&line, good[_i].words) == LINE_OK, "%s", problem);
    json_t *request = command_line_request(&line);
    char *text = json_dumps(request, JSON_COMPACT | JSON_SORT_KEYS);
    ck_assert_str_eq(text, good[_i].request);
    free(text);
    json_decref(request);
}
END_TEST

static const struct {
    const char *words[WORDS], *says;
} bad[] = {
    {{NULL}, "which command?"},
    {{"rename", "Ana-1"}, "--to"},
    {{"--all"}, "--all"},
    {{"--json"}, "which command?"},
    {{"--socket", "status"}, "which command?"},
    {{"--socket"}, "--socket"},
    {{"--all", "rooms", "a", "b"}, "b: not understood"},
    {{"--nonsense", "rooms"}, "--nonsense"},
    {{"--json", "nonsense"}, "nonsense: no such command"},
    {{"room"}, "room: something is missing"},
    {{"room", "a", "b"}, "b: not understood"},
    {{"rooms", "a", "b"}, "b: not understood"},
    {{"status", "a"}, "a: not understood"},
    {{"status", "--cancel"}, "--cancel"},
    {{"room", "a", "--all"}, "--all"},
    {{"status", "--socket="}, "--socket"},
    {{"announce", "Jos\xe9"}, "announce: a text has to be UTF-8"},
    {{"close", "a", "--reason", "Jos\xe9"}, "close: a text has to be UTF-8"},
    {{"status", "--patience", "0"}, "--patience"},
    {{"announce"}, "announce: something is missing"},
    {{"announce", "a", "--reason", "b"}, "--reason"},
    {{"close", "a", "--reason="}, "--reason"},
    {{"ban", "1.2.3.4"}, "ban needs --for"},
    {{"ban", "1.2.3.4", "--for", "0s"}, "not 0s"},
    {{"ban", "1.2.3.4", "--for", "1"}, "not 1"},
    {{"ban", "1.2.3.4", "--for", "h"}, "not h"},
    {{"ban", "1.2.3.4", "--for", "1hh"}, "not 1hh"},
    {{"ban", "1.2.3.4", "--for", "-1h"}, "not -1h"},
    {{"ban", "1.2.3.4", "--for", "3651d"}, "not 3651d"},
    {{"ban", "1.2.3.4", "--for", "9999999999s"}, "not 9999999999s"},
    {{"ban", "--for", "1h"}, "something is missing"},
    {{"retry"}, "retry: something is missing"},
    {{"report", "x"}, "x: no number of a report"},
    {{"report", "0"}, "0: no number of a report"},
    {{"report", "1234567890123456"}, "no number of a report"},
    {{"report", "1", "2"}, "2: not understood"},
    {{"judge", "1", "--why=talk"}, "judge needs a number, a verdict"},
    {{"judge", "1", "warn"}, "judge needs a number, a verdict"},
    {{"judge", "1", "warn", "now", "--why=talk"}, "now: not understood"},
    {{"judge", "1", "silence", "--why=talk", "--for=1"}, "not 1"},
    {{"judge", "1", "warn", "--why=talk", "--text=Jos\xe9"}, "a text has to be UTF-8"},
    {{"annul", "12"}, "annul needs --reason"},
    {{"annul", "x", "--reason=a"}, "x: no number of a line of the book"},
    {{"unsay", "x"}, "x: no number of a line of the lobby"},
    {{"say", "Hallo", "--lang=nl"}, "nl"},
    {{"discard", "--all"}, "--all"},
    {{"ROOMS"}, "ROOMS: no such command"},
};

START_TEST(test_bad)
{
    struct command_line line;
    ck_assert_int_eq(parse(&line, bad[_i].words), LINE_BAD);
    ck_assert_msg(strstr(problem, bad[_i].says), "%s", problem);
}
END_TEST

START_TEST(test_help)
{
    struct command_line line;
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"--help"}), LINE_HELP);
    ck_assert_ptr_null(line.command);
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"rooms", "--help"}), LINE_HELP);
    ck_assert_str_eq(line.command->name, "rooms");
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"--help", "rooms"}), LINE_HELP);
    ck_assert_str_eq(line.command->name, "rooms");
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"--version"}), LINE_VERSION);
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"-V"}), LINE_VERSION);
    ck_assert_int_eq(parse(&line, (const char *[WORDS]){"help"}), LINE_HELP);
    ck_assert_ptr_null(line.command);
}
END_TEST

/* What a command cannot do without stands in the line that says how it is used. */
static const struct {
    const char *words[WORDS], *usage;
} wanting[] = {
    {{NULL}, "usage: taluva-admin COMMAND [OPTION]...\n"},
    {{"nonsense"}, "usage: taluva-admin COMMAND [OPTION]...\n"},
    {{"room"}, "usage: taluva-admin room ROOM [OPTION]...\n"},
    {{"rename", "Ana", "Bo"}, "usage: taluva-admin rename HANDLE --to HANDLE [OPTION]...\n"},
    {{"ban", "1.2.3.4"}, "usage: taluva-admin ban WHOM --for TIME [OPTION]...\n"},
    {{"silence", "1.2.3.4"}, "usage: taluva-admin silence WHOM --for TIME [OPTION]...\n"},
    {{"invite"}, "usage: taluva-admin invite --for TIME [OPTION]...\n"},
    {{"judge", "1", "warn"}, "usage: taluva-admin judge N VERDICT --why WORD [OPTION]...\n"},
};

START_TEST(test_usage)
{
    struct command_line line;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(parse(&line, wanting[_i].words), LINE_BAD);
    command_line_usage(line.command, out);
    (void)fclose(out);
    ck_assert_str_eq(text, wanting[_i].usage);
    free(text);
}
END_TEST

Suite *command_line_suite(void)
{
    Suite *suite = suite_create("command line");
    TCase *tests = tcase_create("command line");
    tcase_add_loop_test(tests, test_good, 0, sizeof good / sizeof good[0]);
    tcase_add_loop_test(tests, test_bad, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, test_help);
    tcase_add_loop_test(tests, test_usage, 0, sizeof wanting / sizeof wanting[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
