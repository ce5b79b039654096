/* What the command line and the environment come to. */
#include "options.h"
#include "suites.h"
#include <string.h>

static struct options options;
static char message[OPTIONS_MESSAGE_MAX];
static const char *const *variables; /* name, value, name, value ... NULL */

static const char *environment(const char *name)
{
    for (const char *const *at = variables; at && *at; at += 2) {
        if (strcmp(at[0], name) == 0)
            return at[1];
    }
    return NULL;
}

enum { WORDS = 10 };

/* The options point into the words, which are the program's own, and live as long as it. */
static bool parse(const char *const *words, const char *const *named)
{
    static char copies[WORDS + 1][256];
    char *argv[WORDS + 2] = {copies[0]};
    int argc = 1;
    strcpy(copies[0], "taluvad");
    for (int at = 0; at < WORDS && words[at]; at++) {
        strncpy(copies[argc], words[at], sizeof copies[0] - 1);
        copies[argc][sizeof copies[0] - 1] = 0;
        argv[argc] = copies[argc];
        argc++;
    }
    static const char *const home[] = {"HOME", "/home/ana", NULL};
    variables = named[0] ? named : home;
    message[0] = 0;
    return options_read(&options, argc, argv, environment, message);
}

/* ---- what it cannot be told, and the words for it */

static const struct {
    const char *words[WORDS], *named[6], *says;
} bad[] = {
    {{"--bogus"}, {0}, "no such option"},
    {{"-x"}, {0}, "no such option"},
    {{"surprise"}, {0}, "not understood"},
    {{"--listen"}, {0}, "needs a value"},
    {{"--rooms"}, {0}, "needs a value"},
    {{"--rooms", "0"}, {0}, "from 1 to"},
    {{"--rooms", "1000001"}, {0}, "from 1 to 1000000, not 1000001"},
    {{"--rooms", "-1"}, {0}, "from 1 to"},
    {{"--rooms", ""}, {0}, "from 1 to"},
    {{"--rooms", "10x"}, {0}, "not 10x"},
    {{"--rooms", "99999999999999999999"}, {0}, "from 1 to"},
    {{"--rooms-per"}, {0}, "no such option"},
    {{"--log-level", "loud"}, {0}, "error, warn, info or debug"},
    {{"--accounts", "closed"}, {0}, "off, open, invite or external"},
    {{"--accounts", "external"}, {0}, "needs an --identity-header or an --oidc-issuer"},
    {{"--visitors", "no"}, {0}, "on or off"},
    {{"--lobby-chat", "on"}, {0}, "off, accounts or everybody"},
    {{"--lobby-chat", "accounts"}, {0}, "nobody could speak, as there are no --accounts"},
    {{"--visitors", "off"}, {0}, "nobody could play, as there are no --accounts"},
    {{"--visitors", "off", "--accounts", "off"}, {0}, "nobody could play"},
    {{"--metrics-everywhere=1"}, {0}, "takes no value"},
    {{"--data", ""}, {0}, "must not be empty"},
    {{"--web="}, {0}, "must not be empty"},
    {{"--node", "-a"}, {0}, "--node: a name has 1 to 63"},
    {{"--node", "a."}, {0}, "--node: a name has 1 to 63"},
    {{"--node", "a b"}, {0}, "--node: a name has 1 to 63"},
    {{"--node", "a_b"}, {0}, "--node: a name has 1 to 63"},
    {{"--node", "aaaaaaaabbbbbbbbaaaaaaaabbbbbbbbaaaaaaaabbbbbbbbaaaaaaaabbbbbbbb"},
     {0},
     "--node: a name has 1 to 63"},
    {{"--node", "a", "--standby"}, {0}, "--node excludes --standby and --alone"},
    {{"--node", "a", "--alone"}, {0}, "--node excludes --standby and --alone"},
    {{"--relay", "192.0.2.1:7410"}, {0}, "--relay: for nodes only"},
    {{"--node", "a", "--relay", "192.0.2.1"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", "192.0.2.1:"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", "192.0.2.1:0"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", "192.0.2.1:7x"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", ":7410"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", "0.0.0.0:7410"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay", "[::]:7410"}, {0}, "--relay: ADDRESS:PORT"},
    {{"--node", "a", "--relay-key", "k"}, {0}, "of no use without --relay"},
    {{"backup"}, {0}, "needs the name"},
    {{"restore"}, {0}, "needs the name"},
    {{"backup", "a", "b"}, {0}, "b: not understood"},
    {{"check", "--force", "a"}, {0}, "--force: of no use but with `backup`"},
    {{"check", "a", "b"}, {0}, "b: not understood"},
    {{"rotate-key", "a"}, {0}, "a: not understood"},
    {{"ratings"}, {0}, "needs to be told what to do: rebuild"},
    {{"ratings", "burn"}, {0}, "can be told to rebuild"},
    {{"ratings", "annul", "2"}, {0}, "needs the number of an entry, and a --reason"},
    {{"ratings", "annul", "--reason", "r"}, {0}, "needs the number of an entry, and a --reason"},
    {{"ratings", "rebuild", "--reason", "r"}, {0}, "--reason: of no use but"},
    {{"ratings", "rebuild", "a"}, {0}, "a: not understood"},
    {{"check", "--write", "a"}, {0}, "--write: of no use but with `ratings rebuild`"},
    {{NULL}, {"HOME", "relative"}, "no default folder is known for the store"},
    {{NULL}, {"NOTHING", "x"}, "no default folder is known for the store"},
    {{NULL}, {"HOME", "/h", "TALUVA_ROOMS", "many"}, "TALUVA_ROOMS is a number"},
    {{NULL}, {"HOME", "/h", "TALUVA_METRICS_EVERYWHERE", "yes"}, "is 1 or 0"},
    {{NULL}, {"HOME", "/h", "TALUVA_LOG_LEVEL", "loud"}, "error, warn"},
};

START_TEST(test_bad)
{
    ck_assert(!parse(bad[_i].words, bad[_i].named));
    ck_assert_msg(strstr(message, bad[_i].says), "%s", message);
}
END_TEST

/* ---- where the store is */

static const struct {
    const char *words[WORDS], *named[8], *data;
} folders[] = {
    {{NULL}, {"HOME", "/h"}, "/h/.local/state/taluva"},
    {{NULL}, {"HOME", "/h", "XDG_STATE_HOME", "/s"}, "/s/taluva"},
    {{NULL}, {"HOME", "/h", "XDG_STATE_HOME", "relative"}, "/h/.local/state/taluva"},
    {{NULL}, {"HOME", "/h", "XDG_STATE_HOME", "/s", "STATE_DIRECTORY", "/var/lib/t"}, "/var/lib/t"},
    {{NULL}, {"STATE_DIRECTORY", "/var/lib/t:/var/lib/u"}, "/var/lib/t"},
    {{NULL}, {"STATE_DIRECTORY", "/var/lib/t", "TALUVA_DATA", "/d"}, "/d"},
    {{"--data", "/e"}, {"TALUVA_DATA", "/d"}, "/e"},
    {{"--data=/e"}, {"TALUVA_DATA", "/d"}, "/e"},
    {{"--data", "/e", "--data", "/f"}, {0}, "/f"},
};

START_TEST(test_folder)
{
    ck_assert_msg(parse(folders[_i].words, folders[_i].named), "%s", message);
    ck_assert_str_eq(options.data, folders[_i].data);
}
END_TEST

/* What only asks a database needs none, and a service may have no home. */
START_TEST(test_no_folder)
{
    static const char *const commands[][4] = {
        {"status"}, {"migrate"}, {"parts", "2"}, {"forget", "a"}, {"ratings", "rebuild"}};
    const char *words[WORDS] = {"--store-file", "f"}, *named[] = {"NOTHING", "x", NULL};
    for (size_t at = 0; at < 2 && commands[_i][at]; at++)
        words[2 + at] = commands[_i][at];
    ck_assert_msg(parse(words, named), "%s", message);
    ck_assert_ptr_null(options.data);
    words[2] = words[3] = NULL;
    ck_assert(!parse(words, named));
}
END_TEST

/* ---- lists: what the command line says replaces the environment's */

static const struct {
    const char *words[WORDS], *named[6], *items[4];
} lists[] = {
    {{NULL}, {0}, {"127.0.0.1:7400"}},
    {{"--listen", "a:1", "--listen=b:2"}, {0}, {"a:1", "b:2"}},
    {{NULL}, {"HOME", "/h", "TALUVA_LISTEN", "a:1,b:2 \tc:3"}, {"a:1", "b:2", "c:3"}},
    {{"--listen", "d:4"}, {"HOME", "/h", "TALUVA_LISTEN", "a:1,b:2"}, {"d:4"}},
};

START_TEST(test_list)
{
    ck_assert_msg(parse(lists[_i].words, lists[_i].named), "%s", message);
    size_t count = 0;
    for (; count < 4 && lists[_i].items[count]; count++)
        ck_assert_str_eq(options.listen.items[count], lists[_i].items[count]);
    ck_assert_uint_eq(options.listen.count, count);
    ck_assert_ptr_null(options.listen.items[count]);
}
END_TEST

START_TEST(test_list_is_bounded)
{
    char many[256] = "";
    for (int at = 0; at <= OPTION_LIST_MAX; at++)
        strcat(many, "a:1,");
    const char *words[WORDS] = {NULL}, *named[] = {"HOME", "/h", "TALUVA_LISTEN", many, NULL};
    ck_assert(!parse(words, named));
    ck_assert_ptr_nonnull(strstr(message, "more than 32"));
}
END_TEST

/* ---- limits */

START_TEST(test_limits)
{
    const char *words[WORDS] = {"--rooms", "7", "--http-timeout-ms=123"};
    const char *named[] = {"HOME", "/h", "TALUVA_ROOMS", "5", "TALUVA_SAYS_BURST", "3", NULL};
    ck_assert_msg(parse(words, named), "%s", message);
    ck_assert_int_eq(options.hub.rooms, 7);
    ck_assert_int_eq(options.hub.says_burst, 3);
    ck_assert_int_eq(options.hub.sessions, 200000);
    ck_assert_int_eq(options.net.http_timeout_ms, 123);
}
END_TEST

/* ---- what is logged */

static const struct {
    const char *words[WORDS], *named[6];
    enum log_level level;
} levels[] = {
    {{NULL}, {0}, LOG_INFO},
    {{"--log-level", "debug"}, {0}, LOG_DEBUG},
    {{NULL}, {"HOME", "/h", "TALUVA_LOG_LEVEL", "error"}, LOG_ERROR},
    {{"--log-level=warn"}, {"HOME", "/h", "TALUVA_LOG_LEVEL", "error"}, LOG_WARN},
};

START_TEST(test_accounts)
{
    static const char *const none[] = {NULL};
    ck_assert(parse((const char *const[WORDS]){NULL}, none));
    ck_assert_int_eq(options.accounts, HUB_ACCOUNTS_OFF);
    ck_assert(!options.accounts_only);
    ck_assert(parse((const char *const[WORDS]){"--accounts", "open"}, none));
    ck_assert_int_eq(options.accounts, HUB_ACCOUNTS_OPEN);
    ck_assert(!options.accounts_only);
    ck_assert(parse((const char *const[WORDS]){"--accounts", "invite"}, none));
    ck_assert_int_eq(options.accounts, HUB_ACCOUNTS_INVITE);
    ck_assert(parse((const char *const[WORDS]){"--accounts", "open", "--visitors", "off"}, none));
    ck_assert(options.accounts_only);
    ck_assert(parse((const char *const[WORDS]){"--accounts", "open", "--visitors", "on"}, none));
    ck_assert(!options.accounts_only);
    ck_assert_int_eq(options.chat, HUB_CHAT_OFF);
    ck_assert(
        parse((const char *const[WORDS]){"--accounts", "open", "--lobby-chat", "everybody"}, none));
    ck_assert_int_eq(options.chat, HUB_CHAT_EVERYBODY);
}
END_TEST

START_TEST(test_level)
{
    ck_assert_msg(parse(levels[_i].words, levels[_i].named), "%s", message);
    ck_assert_int_eq(options.log_level, levels[_i].level);
}
END_TEST

/* ---- nodes */

static const char *const nodes[][WORDS] = {
    {"--node", "a", NULL},
    {"--node", "node-1.example", "--relay", "192.0.2.1:7410", NULL},
    {"--node", "1", "--relay=[2001:db8::1]:7410", "--relay-cert=c", "--relay-key=k", NULL},
    {"--node=aaaaaaaabbbbbbbbaaaaaaaabbbbbbbbaaaaaaaabbbbbbbbaaaaaaaabbbbbbb", NULL},
};

START_TEST(test_node)
{
    const char *named[] = {NULL};
    ck_assert_msg(parse(nodes[_i], named), "%s", message);
    ck_assert_ptr_nonnull(options.node);
}
END_TEST

/* ---- commands */

static const struct {
    const char *words[WORDS];
    enum options_command command;
} commands[] = {
    {{NULL}, COMMAND_SERVE},
    {{"--help"}, COMMAND_HELP},
    {{"-h", "--bogus"}, COMMAND_HELP},
    {{"--version"}, COMMAND_VERSION},
    {{"-V"}, COMMAND_VERSION},
    {{"help"}, COMMAND_HELP},
    {{"backup", "copy.db"}, COMMAND_BACKUP},
    {{"--data", "/d", "backup", "copy.db"}, COMMAND_BACKUP},
    {{"backup", "--data", "/d", "copy.db"}, COMMAND_BACKUP},
    {{"backup", "--force", "copy.db"}, COMMAND_BACKUP},
    {{"restore", "copy.db"}, COMMAND_RESTORE},
    {{"--new-store"}, COMMAND_SERVE},
    {{"check", "copy.db"}, COMMAND_CHECK},
    {{"check", "--data", "/d"}, COMMAND_CHECK},
    {{"--data", "/d", "rotate-key"}, COMMAND_ROTATE_KEY},
    {{"--data", "/d", "ratings", "rebuild"}, COMMAND_RATINGS},
    {{"ratings", "--write", "rebuild", "--data", "/d"}, COMMAND_RATINGS},
    {{"ratings", "annul", "2", "--reason", "one person", "--data", "/d"}, COMMAND_RATINGS},
    {{"--data", "/d", "parts"}, COMMAND_PARTS},
    {{"parts", "--data", "/d", "4"}, COMMAND_PARTS},
    {{"--data", "/d", "status"}, COMMAND_STATUS},
    {{"status", "--data", "/d", "--json"}, COMMAND_STATUS},
    {{"--data", "/d", "forget", "node3"}, COMMAND_FORGET},
};

START_TEST(test_command)
{
    const char *named[] = {NULL};
    ck_assert_msg(parse(commands[_i].words, named), "%s", message);
    ck_assert_int_eq(options.command, commands[_i].command);
    if (options.command == COMMAND_BACKUP)
        ck_assert_str_eq(options.file, "copy.db");
}
END_TEST

#define ADD_EACH(tests, test, table)                                                               \
    tcase_add_loop_test(tests, test, 0, sizeof table / sizeof table[0])

Suite *options_suite(void)
{
    Suite *suite = suite_create("options");
    TCase *tests = tcase_create("options");
    ADD_EACH(tests, test_bad, bad);
    ADD_EACH(tests, test_folder, folders);
    tcase_add_loop_test(tests, test_no_folder, 0, 4);
    ADD_EACH(tests, test_list, lists);
    tcase_add_test(tests, test_list_is_bounded);
    tcase_add_test(tests, test_limits);
    tcase_add_test(tests, test_accounts);
    ADD_EACH(tests, test_level, levels);
    ADD_EACH(tests, test_node, nodes);
    ADD_EACH(tests, test_command, commands);
    suite_add_tcase(suite, tests);
    return suite;
}
