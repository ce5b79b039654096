#include "parts.h"
#include "position.h"
#include <cli/command.h>
#include <cli/crc32.h>
#include <stdlib.h>
#include <string.h>
#include <totem_rules/notation.h>

enum { LISTED_MOST = 1 << 18 };

struct legal_options {
    bool count;
};

static const struct option_row rows[] = {
    {.name = "count",
     .kind = OPTION_FLAG,
     .help = "only how many there are and their checksum (sorted, CRC-32)",
     .offset = offsetof(struct legal_options, count)},
    {.name = NULL},
};

/* ---- one family's commands, sorted */

struct command_lines {
    size_t count;
    char (*lines)[TOTEM_COMMAND_TEXT];
};

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool write_lines(struct command_lines *list, const struct totem_command *commands)
{
    list->lines = calloc(list->count, sizeof *list->lines);
    if (!list->lines)
        return false;
    for (size_t i = 0; i < list->count; i++)
        totem_command_format(&commands[i], list->lines[i]);
    qsort(list->lines, list->count, sizeof *list->lines, compare_lines);
    return true;
}

/* False if there are too many, or memory ran out. The caller frees the lines. */
static bool list_commands(struct command_lines *list, const struct totem *game, unsigned family)
{
    *list = (struct command_lines){0};
    for (size_t most = 2048; most <= LISTED_MOST; most *= 2) {
        struct totem_command *commands = calloc(most, sizeof *commands);
        if (!commands)
            return false;
        list->count = totem_list(game, family, commands, most);
        bool all = list->count <= most;
        bool done = all && (list->count == 0 || write_lines(list, commands));
        free(commands);
        if (all)
            return done;
    }
    return false;
}

/* ---- printing */

static void print_count(const struct command_lines *list, char family)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            crc = crc32_add(crc, "\n", 1);
        crc = crc32_add(crc, list->lines[i], strlen(list->lines[i]));
    }
    printf("%c %zu %08x\n", family, list->count, crc);
}

/* `settle` and `write` are not listed. */
static bool is_listed(const struct totem *game)
{
    return game->step != TOTEM_STEP_SETTLE && game->step != TOTEM_STEP_WRITE;
}

static bool print_family(const struct totem *game, unsigned family, bool count)
{
    struct command_lines list;
    if (!list_commands(&list, game, family))
        return false;
    if (count)
        print_count(&list, totem_family_letters[family]);
    for (size_t i = 0; i < list.count && !count; i++)
        puts(list.lines[i]);
    free(list.lines);
    return true;
}

static int run_command(const struct invocation *invocation)
{
    const struct legal_options *options = invocation->options;
    struct totem game;
    bool done = true;
    int status = totem_line_read(&game, invocation->operand_count, invocation->operands);
    if (status != EXIT_OK)
        return status;
    if (!is_listed(&game)) {
        fprintf(stderr, "taluva legal: the commands of `%s` are too many to list\n",
                totem_step_name((enum totem_step)game.step));
        return EXIT_USAGE;
    }
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_acting(&game) >> family & 1)
            done = print_family(&game, family, options->count) && done;
    }
    if (!done)
        fprintf(stderr, "taluva legal: there are too many commands for the memory\n");
    return done ? EXIT_OK : EXIT_MEMORY;
}

const struct command totem_command_legal = {
    .name = "legal",
    .operands = "POSITION",
    .summary = "List the legal commands of a position",
    .details = "The position is one line in the notation of protocol/totem.md as the server sees "
               "it, in one\n"
               "argument, or `-` to read it from the standard input. Commands of every family that "
               "may act\n"
               "are listed, but not where it settles or writes: there are too many.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct legal_options),
    .run = run_command,
};
