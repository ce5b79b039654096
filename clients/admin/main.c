/* taluva-admin: asks a running taluvad what its command line says, and shows the answer. */
#include "ask.h"
#include "command_line.h"
#include "show.h"
#include "table.h"
#include <base/program.h>
#include <locale.h>
#include <stdio.h>
#include <sysexits.h>

static int out_of_memory(void)
{
    (void)fprintf(stderr, "taluva-admin: out of memory\n");
    return EX_OSERR;
}

/* Everything but ASCII is escaped: no terminal can be moved by it. */
static void print_json(const json_t *value)
{
    (void)json_dumpf(value, stdout, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
    (void)putchar('\n');
}

static void take_page(const struct command_line *line, struct table *table, const json_t *page)
{
    size_t i;
    const json_t *entry;
    if (!line->json) {
        show_add(table, line->command->shape, page, line->operand);
        return;
    }
    json_array_foreach(page, i, entry) print_json(entry);
}

/* Page after page. */
static int show_pages(const struct command_line *line, struct asker *asker, struct table *table)
{
    json_t *request = command_line_request(line), *answer = NULL;
    int status = request ? 0 : out_of_memory();
    bool more = true;
    while (status == 0 && more) {
        status = ask(asker, request, &answer);
        const char *next = json_string_value(json_object_get(answer, "next"));
        take_page(line, table, json_object_get(answer, show_list_name(line->command->shape)));
        more = next != NULL;
        if (more)
            json_object_set_new(request, "after", json_string(next));
        json_decref(answer);
    }
    json_decref(request);
    return status;
}

static int show_all(const struct command_line *line, struct asker *asker)
{
    struct table table;
    show_begin(&table, line->command->shape);
    int status = show_pages(line, asker, &table);
    if (status == 0 && table.failed)
        status = out_of_memory();
    if (status == 0 && !line->json)
        table_print(&table, stdout);
    table_release(&table);
    return status;
}

static int show_one(const struct command_line *line, struct asker *asker)
{
    json_t *request = command_line_request(line), *answer = NULL;
    int status = request ? ask(asker, request, &answer) : out_of_memory();
    if (status == 0 && line->json)
        print_json(answer);
    else if (status == 0 && !show_answer(line->command->shape, answer, stdout))
        status = out_of_memory();
    json_decref(answer);
    json_decref(request);
    return status;
}

static int run_line(const struct command_line *line)
{
    struct asker asker;
    int status = ask_open(&asker, line->socket, (int)line->patience_s);
    if (status == 0)
        status =
            show_list_name(line->command->shape) ? show_all(line, &asker) : show_one(line, &asker);
    ask_close(&asker);
    return status;
}

static int run_words(int argc, char **argv)
{
    struct command_line line;
    char problem[COMMAND_PROBLEM_BYTES], shown[TABLE_CELL_BYTES];
    switch (command_line_read(&line, argc, argv, problem)) {
    case LINE_OK:
        return run_line(&line);
    case LINE_HELP:
        command_line_help(line.command, stdout);
        return EX_OK;
    case LINE_VERSION:
        (void)puts("taluva-admin " TALUVA_VERSION);
        return EX_OK;
    case LINE_BAD:
        (void)table_escape(shown, problem);
        (void)fprintf(stderr, "taluva-admin: %s\n", shown);
        command_line_usage(line.command, stderr);
        return EX_USAGE;
    }
    return EX_SOFTWARE;
}

int main(int argc, char **argv)
{
    program_begin();
    setlocale(LC_CTYPE, "");
    return program_end("taluva-admin", run_words(argc, argv));
}
