#include "commands.h"
#include "suites.h"
#include <base/options.h>
#include <cli_taluva/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct game *const GAMES[] = {&game_taluva, NULL};

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
    ck_assert_int_eq(count, 47);
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

/* Within a command's section of the manual. */
static void check_manual(const char *section, const char *option)
{
    char name[64] = "\\fB\\-\\-";
    size_t len = strlen(name);
    for (; *option && len + 3 < sizeof name; option++) {
        if (*option == '-')
            name[len++] = '\\';
        name[len++] = *option;
    }
    snprintf(name + len, sizeof name - len, "\\fR");
    const char *at = strstr(section, name), *end = strstr(section, "\n.SS ");
    ck_assert_msg(at && (!end || at < end), "%s in %.60s", name, section);
}

static void check_options_in_manual(const struct command *command, const char *section)
{
    static const char *const of_seat[] = {"seat", "colour"};
    for (const struct option_row *row = command->rows; row && row->name; row++)
        check_manual(section, row->name);
    for (const struct option_row *row = game_taluva.create_rows; command->creates && row->name;
         row++)
        check_manual(section, row->name);
    for (size_t i = 0; command->takes_seat && i < sizeof of_seat / sizeof *of_seat; i++)
        check_manual(section, of_seat[i]);
}

/* Usage and manual name every command and option. */
START_TEST(generated)
{
    static char usage[4096], manual[65536];
    char line[128];
    games_set(GAMES);
    printed(usage_print, usage, sizeof usage);
    printed(manual_print, manual, sizeof manual);
    ck_assert_ptr_nonnull(strstr(manual, ".SH PLAYING\n"));
    ck_assert_ptr_nonnull(strstr(manual, "\\&. . . beyond the board"));
    const struct command *command;
    for (const char *at = ""; (command = command_next(&game_taluva, at)); at = command->name) {
        snprintf(line, sizeof line, "\n  %s ", command->name);
        ck_assert_ptr_nonnull(strstr(usage, line));
        snprintf(line, sizeof line, ".SS \"taluva %s [", command->name);
        const char *section = strstr(manual, line);
        ck_assert_ptr_nonnull(section);
        ck_assert_ptr_nonnull(strstr(section, command->summary));
        check_options_in_manual(command, section + 1);
    }
}
END_TEST

Suite *options_suite(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = tcase_create("options");
    tcase_add_test(tcase, tables);
    tcase_add_test(tcase, generated);
    suite_add_tcase(suite, tcase);
    return suite;
}
