#include "suites.h"

#include "commands.h"
#include <cli_taluva/game.h>

#include <base/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool flag;
    const char *text;
    int64_t number;
    const char *word;
};

static const char *const words[] = {"red", "green", NULL};

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
     .min = -5,
     .max = 10,
     .initial = 4},
    {.name = "word",
     .kind = OPTION_WORD,
     .value = "W",
     .help = "",
     .offset = AT(word),
     .words = words},
    {.name = NULL},
};

/* The arguments, and the values and operands after them in one line; or the problem. */
static const struct {
    const char *in, *out;
    enum option_outcome outcome;
} CASES[] = {
    {"", "0 - 4 - |", OPTIONS_OK},
    {"a b", "0 - 4 - |a b", OPTIONS_OK},
    {"a --flag b", "1 - 4 - |a b", OPTIONS_OK},
    {"-f --text x --number 10 --word green", "1 x 10 green |", OPTIONS_OK},
    {"--text=x=y --number=-5", "0 x=y -5 - |", OPTIONS_OK},
    {"-tx -n7 a", "0 x 7 - |a", OPTIONS_OK},
    {"-t -n", "0 -n 4 - |", OPTIONS_OK},
    {"--text= a", "0  4 - |a", OPTIONS_OK},
    {"-- --flag", "0 - 4 - |--flag", OPTIONS_OK},
    {"-", "0 - 4 - |-", OPTIONS_OK},
    {"-1,0=1J -f", "1 - 4 - |-1,0=1J", OPTIONS_OK},
    {"a --help", "", OPTIONS_HELP},
    {"-h", "", OPTIONS_HELP},
    {"--nothing", "there is no option --nothing", OPTIONS_BAD},
    {"-x", "there is no option -x", OPTIONS_BAD},
    {"--fla", "there is no option --fla", OPTIONS_BAD},
    {"--flag=1", "option flag takes no value", OPTIONS_BAD},
    {"--text", "option text wants a value", OPTIONS_BAD},
    {"--number 11", "option number wants a number from -5 to 10", OPTIONS_BAD},
    {"--number -6", "option number wants a number from -5 to 10", OPTIONS_BAD},
    {"--number 1x", "option number wants a number from -5 to 10", OPTIONS_BAD},
    {"--number=", "option number wants a number from -5 to 10", OPTIONS_BAD},
    {"--number 99999999999999999999", "option number wants a number from -5 to 10", OPTIONS_BAD},
    {"--word blue", "option word wants one of red green", OPTIONS_BAD},
};

static int split(char *line, char **argv)
{
    int argc = 0;
    for (char *at = strtok(line, " "); at; at = strtok(NULL, " "))
        argv[argc++] = at;
    return argc;
}

static const struct game *const GAMES[] = {&game_taluva, NULL};

START_TEST(parse)
{
    char line[128], got[256], *argv[16];
    struct values values = {0};
    struct options_parsed parsed;
    struct option_table table = {rows, &values};
    snprintf(line, sizeof(line), "%s", CASES[_i].in);
    enum option_outcome outcome = options_parse(&table, 1, split(line, argv), argv, &parsed);
    ck_assert_msg(outcome == CASES[_i].outcome, "%s", CASES[_i].in);
    if (outcome == OPTIONS_BAD)
        ck_assert_str_eq(parsed.problem, CASES[_i].out);
    if (outcome != OPTIONS_OK)
        return;
    int len =
        snprintf(got, sizeof(got), "%d %s %lld %s |", values.flag, values.text ? values.text : "-",
                 (long long)values.number, values.word ? values.word : "-");
    for (int i = 0; i < parsed.operand_count; i++)
        len += snprintf(got + len, sizeof(got) - (size_t)len, "%s%s", i ? " " : "",
                        parsed.operands[i]);
    ck_assert_str_eq(got, CASES[_i].out);
}
END_TEST

static bool same_row(const struct option_row *a, const struct option_row *b)
{
    return strcmp(a->name, b->name) == 0 || (a->letter && a->letter == b->letter);
}

static void check_rows(const char *name, const struct option_row *table, size_t size)
{
    for (const struct option_row *row = table; row && row->name; row++) {
        ck_assert_uint_lt(row->offset, size);
        ck_assert_ptr_nonnull(row->help);
        ck_assert((row->value != NULL) == (row->kind != OPTION_FLAG));
        ck_assert((row->words != NULL) == (row->kind == OPTION_WORD));
        ck_assert(row->kind != OPTION_NUMBER || row->min < row->max);
        for (const struct option_row *other = table; other < row; other++)
            ck_assert_msg(!same_row(row, other), "%s --%s", name, row->name);
    }
}

/* No option twice in a command, every field within the command's struct, every text there. */
START_TEST(tables)
{
    const struct command *command;
    int count = 0;
    games_set(GAMES);
    for (const char *at = ""; (command = command_next(&game_taluva, at)); at = command->name) {
        count++;
        ck_assert_int_gt(strcmp(command->name, at), 0);
        ck_assert_uint_le(command->options_size, COMMAND_OPTIONS_MAX);
        ck_assert(command == command_find(&game_taluva, command->name));
        check_rows(command->name, command->rows, command->options_size);
    }
    ck_assert_int_eq(count, 11);
    ck_assert_uint_le(game_taluva.create_size, GAME_OPTIONS_MAX);
    check_rows("create", game_taluva.create_rows, game_taluva.create_size);
}
END_TEST

static void printed(void (*print)(FILE *), char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    ck_assert_ptr_nonnull(out);
    print(out);
    ck_assert_int_lt(ftell(out), (long)size - 1);
    fclose(out);
}

/* Usage and manual name every command and option. */
START_TEST(generated)
{
    static char usage[4096], manual[65536];
    char line[128];
    games_set(GAMES);
    printed(usage_print, usage, sizeof(usage));
    printed(manual_print, manual, sizeof(manual));
    const struct command *command;
    for (const char *at = ""; (command = command_next(&game_taluva, at)); at = command->name) {
        snprintf(line, sizeof(line), "\n  %s ", command->name);
        ck_assert_ptr_nonnull(strstr(usage, line));
        snprintf(line, sizeof(line), ".SS \"taluva %s [", command->name);
        const char *section = strstr(manual, line);
        ck_assert_ptr_nonnull(section);
        ck_assert_ptr_nonnull(strstr(section, command->summary));
    }
}
END_TEST

Suite *options_suite(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, parse, 0, sizeof(CASES) / sizeof(CASES[0]));
    tcase_add_test(tcase, tables);
    tcase_add_test(tcase, generated);
    suite_add_tcase(suite, tcase);
    return suite;
}
