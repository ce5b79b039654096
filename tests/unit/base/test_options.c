/* Options from the command line and the environment: what they come to, and the complaints. */
#include "suites.h"
#include <base/options.h>
#include <stdio.h>
#include <string.h>

struct values {
    bool flag;
    const char *text;
    int64_t number;
    const char *word, *name;
    struct option_list list;
    int64_t limit_ms;
    unsigned count;
    double real;
    int64_t any;
};

#define LETTERS_10 "abcdefghij"
#define LETTERS_50 LETTERS_10 LETTERS_10 LETTERS_10 LETTERS_10 LETTERS_10
#define LETTERS_60 LETTERS_50 LETTERS_10
#define LETTERS_70 LETTERS_60 LETTERS_10

static const char *const long_words[] = {LETTERS_50, LETTERS_60, LETTERS_70, "end", NULL};
static const char *const colors[] = {"red", "green", "blue", NULL};

#define AT(field) offsetof(struct values, field)

static const struct option_row rows[] = {
    {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .help = "", .offset = AT(flag)},
    {.name = "text",
     .letter = 't',
     .kind = OPTION_TEXT,
     .value = "T",
     .help = "",
     .offset = AT(text)},
    {.name = "number",
     .letter = 'n',
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "",
     .offset = AT(number),
     .min = -9,
     .max = 10,
     .initial = 4},
    {.name = "word",
     .kind = OPTION_WORD,
     .value = "W",
     .help = "",
     .offset = AT(word),
     .words = colors},
    {.name = "name", .kind = OPTION_NAME, .value = "NAME", .help = "", .offset = AT(name)},
    {.name = "a-list", .kind = OPTION_LIST, .value = "X", .help = "", .offset = AT(list)},
    {.name = "limit_ms",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "a limit",
     .offset = AT(limit_ms),
     .max = 9},
    {.name = "count",
     .kind = OPTION_COUNT,
     .value = "N",
     .help = "",
     .offset = AT(count),
     .max = 9},
    {.name = "real", .kind = OPTION_REAL, .value = "X", .help = "", .offset = AT(real)},
    {.name = "any",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "",
     .offset = AT(any),
     .min = INT64_MIN,
     .max = INT64_MAX},
    {.name = "long-word",
     .kind = OPTION_WORD,
     .value = "W",
     .help = "",
     .offset = AT(word),
     .words = long_words},
    {.name = LETTERS_70, .kind = OPTION_TEXT, .value = "T", .help = "", .offset = AT(text)},
    {.name = NULL},
};

/* As much of a long name as fits in what the user is told. */
#define CAPITALS_10 "ABCDEFGHIJ"
#define VARIABLE_63 "T_" CAPITALS_10 CAPITALS_10 CAPITALS_10 CAPITALS_10 CAPITALS_10 CAPITALS_10 "A"

/*
 * Variables and arguments, and the first values and the operands after them in one line, and then
 * the other options where they are set; or the problem.
 */
static const struct {
    const char *in, *out;
    enum option_outcome outcome;
    const char *const variables[5]; /* name, value, name, value, NULL */
} cases[] = {
    {"", "0 - 4 - |", OPTIONS_OK, {0}},
    {"a b", "0 - 4 - |a b", OPTIONS_OK, {0}},
    {"a --flag b", "1 - 4 - |a b", OPTIONS_OK, {0}},
    {"-f --text x --number 10 --word green", "1 x 10 green |", OPTIONS_OK, {0}},
    {"--text=x=y --number=-5", "0 x=y -5 - |", OPTIONS_OK, {0}},
    {"-tx -n7 a", "0 x 7 - |a", OPTIONS_OK, {0}},
    {"-t -n", "0 -n 4 - |", OPTIONS_OK, {0}},
    {"--text= a", "0  4 - |a", OPTIONS_OK, {0}},
    {"-- --flag", "0 - 4 - |--flag", OPTIONS_OK, {0}},
    {"-", "0 - 4 - |-", OPTIONS_OK, {0}},
    {"-1,0=1J -f", "1 - 4 - |-1,0=1J", OPTIONS_OK, {0}},
    {"-n0 --limit-ms=9", "0 - 0 - | --limit-ms 9", OPTIONS_OK, {0}},
    {"-n -0 --any=-0", "0 - 0 - |", OPTIONS_OK, {0}},
    {"-n -9", "0 - -9 - |", OPTIONS_OK, {0}},
    {"-0 -9", "0 - 4 - |-0 -9", OPTIONS_OK, {0}},
    {"--any=9223372036854775807", "0 - 4 - | --any 9223372036854775807", OPTIONS_OK, {0}},
    {"--any -9223372036854775808", "0 - 4 - | --any -9223372036854775808", OPTIONS_OK, {0}},
    {"--long-word end", "0 - 4 end |", OPTIONS_OK, {0}},
    {"--" LETTERS_70 " x", "0 x 4 - |", OPTIONS_OK, {0}},
    {"--limit-ms 7 --name x", "0 - 4 - | --name x --limit-ms 7", OPTIONS_OK, {0}},
    {"--a-list a --a-list=b,c", "0 - 4 - | --a-list a --a-list b,c", OPTIONS_OK, {0}},
    {"--count=9 --real=0.5", "0 - 4 - | --count 9 --real 0.5", OPTIONS_OK, {0}},
    {"a --help", "", OPTIONS_HELP, {0}},
    {"-h", "", OPTIONS_HELP, {0}},
    {"--version --bogus", "", OPTIONS_VERSION, {0}},
    {"-V", "", OPTIONS_VERSION, {0}},
    {"--limit_ms 7", "--limit_ms: there is no such option", OPTIONS_BAD, {0}},
    {"--limit 7", "--limit: there is no such option", OPTIONS_BAD, {0}},
    {"--limit-ms=10", "--limit-ms is a number from 0 to 9, not 10", OPTIONS_BAD, {0}},
    {"-n11", "-n is a number from -9 to 10, not 11", OPTIONS_BAD, {0}},
    {"--count=10", "--count is a number from 0 to 9, not 10", OPTIONS_BAD, {0}},
    {"--real=", "--real is a number above 0, not ", OPTIONS_BAD, {0}},
    {"--real=1x", "--real is a number above 0, not 1x", OPTIONS_BAD, {0}},
    {"--real=0", "--real is a number above 0, not 0", OPTIONS_BAD, {0}},
    {"--real=-1", "--real is a number above 0, not -1", OPTIONS_BAD, {0}},
    {"--real=inf", "--real is a number above 0, not inf", OPTIONS_BAD, {0}},
    {"--name=", "--name must not be empty", OPTIONS_BAD, {0}},
    {"-/", "-/: there is no such option", OPTIONS_BAD, {0}},
    {"-:", "-:: there is no such option", OPTIONS_BAD, {0}},
    {"-fx", "-f takes no value", OPTIONS_BAD, {0}},
    {"-t", "-t needs a value", OPTIONS_BAD, {0}},
    {"-n+1", "-n is a number from -9 to 10, not +1", OPTIONS_BAD, {0}},
    {"-n/", "-n is a number from -9 to 10, not /", OPTIONS_BAD, {0}},
    {"-n-", "-n is a number from -9 to 10, not -", OPTIONS_BAD, {0}},
    {"-n--1", "-n is a number from -9 to 10, not --1", OPTIONS_BAD, {0}},
    {"-n-/", "-n is a number from -9 to 10, not -/", OPTIONS_BAD, {0}},
    {"--any=9223372036854775808",
     "--any is a number from -9223372036854775808 to 9223372036854775807, not 9223372036854775808",
     OPTIONS_BAD,
     {0}},
    {"--long-word=x",
     "--long-word is " LETTERS_50 ", " LETTERS_60 ", " LETTERS_10 "abc, not x",
     OPTIONS_BAD,
     {0}},
    {"--nothing", "--nothing: there is no such option", OPTIONS_BAD, {0}},
    {"-x", "-x: there is no such option", OPTIONS_BAD, {0}},
    {"--xlag", "--xlag: there is no such option", OPTIONS_BAD, {0}},
    {"--fla", "--fla: there is no such option", OPTIONS_BAD, {0}},
    {"--flag=1", "--flag takes no value", OPTIONS_BAD, {0}},
    {"--text", "--text needs a value", OPTIONS_BAD, {0}},
    {"--number 11", "--number is a number from -9 to 10, not 11", OPTIONS_BAD, {0}},
    {"--number -10", "--number is a number from -9 to 10, not -10", OPTIONS_BAD, {0}},
    {"--number 1x", "--number is a number from -9 to 10, not 1x", OPTIONS_BAD, {0}},
    {"--number=", "--number is a number from -9 to 10, not ", OPTIONS_BAD, {0}},
    {"--number 99999999999999999999",
     "--number is a number from -9 to 10, not 99999999999999999999",
     OPTIONS_BAD,
     {0}},
    {"--word grey", "--word is red, green or blue, not grey", OPTIONS_BAD, {0}},
    {"a", "1 - 7 - |a", OPTIONS_OK, {"T_FLAG", "1", "T_NUMBER", "7"}},
    {"-f", "1 - 4 - |", OPTIONS_OK, {"T_FLAG", "0"}},
    {"-n8 --word red", "0 - 8 red |", OPTIONS_OK, {"T_NUMBER", "7", "T_WORD", "blue"}},
    {"", "0  4 - | --limit-ms 3", OPTIONS_OK, {"T_TEXT", "", "T_LIMIT_MS", "3"}},
    {"", "0 - 4 - | --a-list a --a-list b --a-list c", OPTIONS_OK, {"T_A_LIST", " a,b \tc,"}},
    {"--a-list d --a-list e", "0 - 4 - | --a-list d --a-list e", OPTIONS_OK, {"T_A_LIST", "a,b"}},
    {"--a-list d", "0 - 4 - | --a-list d", OPTIONS_OK, {"T_A_LIST", "a,b"}},
    {"", "0 - 4 - |", OPTIONS_OK, {"T_A_LIST", ""}},
    {"", "0 - 4 - |", OPTIONS_OK, {"T_VERSION", "2", "T_HELP", "1"}},
    {"", "0 x 4 - |", OPTIONS_OK, {VARIABLE_63, "x"}},
    {"", "T_NUMBER is a number from -9 to 10, not  1", OPTIONS_BAD, {"T_NUMBER", " 1"}},
    {"", "T_FLAG is 1 or 0, not yes", OPTIONS_BAD, {"T_FLAG", "yes"}},
    {"", "T_LIMIT_MS is a number from 0 to 9, not x", OPTIONS_BAD, {"T_LIMIT_MS", "x"}},
    {"", "T_NAME must not be empty", OPTIONS_BAD, {"T_NAME", ""}},
    {"", "T_WORD is red, green or blue, not grey", OPTIONS_BAD, {"T_WORD", "grey"}},
};

static const char *const *variables;

static const char *variable(const char *name)
{
    for (const char *const *at = variables; *at; at += 2) {
        if (strcmp(at[0], name) == 0)
            return at[1];
    }
    return NULL;
}

static const struct option_environment environment = {"T_", variable};
static const char *const no_variables[] = {NULL};

static int split(char *line, char **argv)
{
    int argc = 0;
    for (char *at = strtok(line, " "); at; at = strtok(NULL, " "))
        argv[argc++] = at;
    return argc;
}

static void describe(const struct values *values, const struct options_parsed *parsed, char *text,
                     size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "%d %s %lld %s |", values->flag, values->text ? values->text : "-",
            (long long)values->number, values->word ? values->word : "-");
    for (int i = 0; i < parsed->operand_count; i++)
        fprintf(out, "%s%s", i ? " " : "", parsed->operands[i]);
    if (values->name)
        fprintf(out, " --name %s", values->name);
    if (values->limit_ms)
        fprintf(out, " --limit-ms %lld", (long long)values->limit_ms);
    if (values->count)
        fprintf(out, " --count %u", values->count);
    if (values->real != 0)
        fprintf(out, " --real %g", values->real);
    if (values->any)
        fprintf(out, " --any %lld", (long long)values->any);
    for (size_t i = 0; i < values->list.count; i++)
        fprintf(out, " --a-list %s", values->list.items[i]);
    fclose(out);
    ck_assert_ptr_null(values->list.items[values->list.count]);
}

static enum option_outcome parse(const char *words, struct values *values,
                                 struct options_parsed *parsed)
{
    static char line[1024];
    static char *argv[128];
    const struct option_table table = {rows, values};
    snprintf(line, sizeof line, "%s", words);
    memset(values, 0, sizeof *values);
    return options_parse(&table, 1, &environment, split(line, argv), argv, parsed);
}

START_TEST(test_parse)
{
    char got[256];
    struct values values;
    struct options_parsed parsed;
    variables = cases[_i].variables;
    enum option_outcome outcome = parse(cases[_i].in, &values, &parsed);
    ck_assert_msg(outcome == cases[_i].outcome, "%s", cases[_i].in);
    if (outcome == OPTIONS_BAD)
        ck_assert_str_eq(parsed.problem, cases[_i].out);
    if (outcome != OPTIONS_OK)
        return;
    describe(&values, &parsed, got, sizeof got);
    ck_assert_str_eq(got, cases[_i].out);
}
END_TEST

/* As many as fit, and one more is refused, wherever they are given. */
START_TEST(test_list_is_bounded)
{
    char words[1024] = "", listed[256] = "";
    const char *const given[] = {"T_A_LIST", listed, NULL};
    struct values values;
    struct options_parsed parsed;
    for (int i = 0; i < OPTION_LIST_MAX; i++) {
        strcat(words, "--a-list=a ");
        strcat(listed, "a,");
    }
    variables = no_variables;
    ck_assert_int_eq(parse(words, &values, &parsed), OPTIONS_OK);
    ck_assert_uint_eq(values.list.count, OPTION_LIST_MAX);
    strcat(words, "--a-list=a");
    ck_assert_int_eq(parse(words, &values, &parsed), OPTIONS_BAD);
    ck_assert_str_eq(parsed.problem, "--a-list: more than 32 of them");
    variables = given;
    ck_assert_int_eq(parse("", &values, &parsed), OPTIONS_OK);
    ck_assert_uint_eq(values.list.count, OPTION_LIST_MAX);
    strcat(listed, "a");
    ck_assert_int_eq(parse("", &values, &parsed), OPTIONS_BAD);
    ck_assert_str_eq(parsed.problem, "T_A_LIST: more than 32 of them");
}
END_TEST

START_TEST(test_long_variable)
{
    static char text[sizeof((struct option_list *)NULL)->text + 1];
    const char *const given[] = {"T_A_LIST", text, NULL};
    struct values values;
    struct options_parsed parsed;
    variables = given;
    memset(text, 'a', sizeof text - 2);
    ck_assert_int_eq(parse("", &values, &parsed), OPTIONS_OK);
    ck_assert_str_eq(values.list.items[0], text);
    memset(text, 'a', sizeof text - 1);
    ck_assert_int_eq(parse("", &values, &parsed), OPTIONS_BAD);
    ck_assert_str_eq(parsed.problem, "T_A_LIST is longer than 1023 bytes");
}
END_TEST

START_TEST(test_help)
{
    static const struct option_row some[] = {
        {.name = "all", .letter = 'a', .kind = OPTION_FLAG, .help = "everything"},
        {.name = "time_ms", .kind = OPTION_NUMBER, .value = "N", .help = "how long"},
        {.name = "word", .kind = OPTION_WORD, .value = "MY_W", .help = "one", .words = colors},
        {.name = "exactly_twenty_chars", .kind = OPTION_NAME, .value = "N", .help = "fits"},
        {.name = "a_name_of_24_letters_", .kind = OPTION_NAME, .value = "N", .help = "long"},
        {.name = LETTERS_60 "k",
         .letter = 'k',
         .kind = OPTION_NAME,
         .value = "NAME",
         .help = "cut"},
        {.name = LETTERS_60, .kind = OPTION_NAME, .value = "NAME", .help = "cut"},
        {.name = NULL},
    };
    char text[1024];
    FILE *out = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(out);
    option_rows_print(some, out);
    fclose(out);
    ck_assert_str_eq(text, "  -a, --all                everything\n"
                           "  --time-ms N              how long\n"
                           "  --word MY_W              one: red, green, blue\n"
                           "  --exactly-twenty-chars N fits\n"
                           "  --a-name-of-24-letters- N\n"
                           "                           long\n"
                           "  -k, --" LETTERS_50 "abcdefg\n"
                           "                           cut\n"
                           "  --" LETTERS_60 " \n"
                           "                           cut\n");
    option_rows_print(NULL, NULL);
}
END_TEST

/* Only the first `table_count` tables are looked at, and one of them may be empty. */
START_TEST(test_several_tables)
{
    static const struct option_row others[] = {
        {.name = "other", .kind = OPTION_COUNT, .offset = AT(count), .max = 9, .initial = 3},
        {.name = "others", .kind = OPTION_TEXT, .offset = AT(text)},
        {.name = NULL}};
    static const struct option_row beyond[] = {
        {.name = "beyond", .kind = OPTION_COUNT, .offset = AT(count), .max = 9, .initial = 3},
        {.name = NULL}};
    static const char *const given[] = {"T_OTHERS", "x", "T_BEYOND", "4", NULL};
    struct values values[3], expected[3];
    const struct option_table tables[] = {
        {rows, &values[0]}, {NULL, NULL}, {others, &values[1]}, {beyond, &values[2]}};
    struct options_parsed parsed;
    char word[] = "--other=5", unknown[] = "--beyond=5";
    char *argv[] = {word, unknown, NULL};
    memset(values, 0x5a, sizeof values);
    memset(expected, 0x5a, sizeof expected);
    /* What a program has set before stays, but for numbers and counts. */
    expected[0].number = 4;
    expected[0].limit_ms = expected[0].any = 0;
    expected[0].count = 0;
    expected[1].count = 3;
    ck_assert_int_eq(options_parse(tables, 3, NULL, 0, argv, &parsed), OPTIONS_OK);
    ck_assert_mem_eq(values, expected, sizeof values);
    variables = given;
    expected[1].count = 5;
    expected[1].text = "x";
    ck_assert_int_eq(options_parse(tables, 3, &environment, 1, argv, &parsed), OPTIONS_OK);
    ck_assert_mem_eq(values, expected, sizeof values);
    ck_assert_int_eq(options_parse(tables, 3, NULL, 2, argv, &parsed), OPTIONS_BAD);
    ck_assert_str_eq(parsed.problem, "--beyond=5: there is no such option");
}
END_TEST

Suite *options_suite(void)
{
    Suite *suite = suite_create("options");
    TCase *tests = tcase_create("options");
    tcase_add_loop_test(tests, test_parse, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tests, test_list_is_bounded);
    tcase_add_test(tests, test_long_variable);
    tcase_add_test(tests, test_help);
    tcase_add_test(tests, test_several_tables);
    suite_add_tcase(suite, tests);
    return suite;
}
