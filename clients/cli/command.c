#include <cli/command.h>

#include <assert.h>
#include <string.h>

#define ONLINE(field) offsetof(struct online_options, field)

static const struct option_row online_rows[] = {
    {.name = "server",
     .letter = 's',
     .kind = OPTION_TEXT,
     .value = "URL",
     .help = "the server, ws:// or wss://; else $TALUVA_SERVER, else ws://127.0.0.1:7400/ws",
     .offset = ONLINE(server)},
    {.name = "name",
     .letter = 'n',
     .kind = OPTION_TEXT,
     .value = "NAME",
     .help = "what the others call you",
     .offset = ONLINE(name)},
    {.name = "profile",
     .letter = 'p',
     .kind = OPTION_TEXT,
     .value = "WORD",
     .help = "which of your sessions to be; several players on one machine take one each",
     .offset = ONLINE(profile)},
    {.name = "code",
     .letter = 'c',
     .kind = OPTION_TEXT,
     .value = "CODE",
     .help = "the invitation code of a room that has one",
     .offset = ONLINE(code)},
    {.name = "ca",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "wss: trust this certificate authority (PEM) and no other",
     .offset = ONLINE(ca)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: one JSON object a line, out and in",
     .offset = ONLINE(json)},
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "draw with ASCII characters only",
     .offset = ONLINE(ascii)},
    {.name = "no-color",
     .kind = OPTION_FLAG,
     .help = "no colours; so does the environment variable NO_COLOR",
     .offset = ONLINE(no_color)},
    {.name = "small",
     .kind = OPTION_FLAG,
     .help = "draw small hexes, to see more of the island",
     .offset = ONLINE(small)},
    {.name = "patience",
     .kind = OPTION_NUMBER,
     .value = "SECONDS",
     .help = "how long to keep trying when the server cannot be reached; 0 is for ever",
     .offset = ONLINE(patience_s),
     .min = 0,
     .max = 1000000},
    {.name = NULL},
};

const struct command *const commands[] = {
    &command_bot,   &command_create, &command_join,   &command_legal,
    &command_perft, &command_record, &command_replay, &command_rooms,
    &command_show,  &command_verify, &command_watch,  NULL,
};

const struct command *command_find(const char *name)
{
    for (const struct command *const *at = commands; *at; at++) {
        if (strcmp((*at)->name, name) == 0)
            return *at;
    }
    return NULL;
}

static int complain(const struct command *command, const char *problem)
{
    fprintf(stderr, "taluva %s: %s\nTry: taluva %s --help\n", command->name, problem,
            command->name);
    return EXIT_USAGE;
}

int command_run(const struct command *command, int argc, char **argv)
{
    _Alignas(8) unsigned char options[COMMAND_OPTIONS_MAX] = {0};
    struct invocation invocation = {.options = options};
    struct options_parsed parsed;
    struct option_table tables[2] = {{command->rows, options}, {online_rows, &invocation.online}};
    assert(command->options_size <= sizeof(options));
    switch (options_parse(tables, command->online ? 2 : 1, argc, argv, &parsed)) {
    case OPTIONS_OK:
        break;
    case OPTIONS_HELP:
        help_print(command, stdout);
        return EXIT_OK;
    case OPTIONS_BAD:
        return complain(command, parsed.problem);
    }
    if (parsed.operand_count < command->operands_min)
        return complain(command, "something is missing");
    if (command->operands_max >= 0 && parsed.operand_count > command->operands_max)
        return complain(command, "too many arguments");
    invocation.operand_count = parsed.operand_count;
    invocation.operands = parsed.operands;
    return command->run(&invocation);
}

/* --- help --- */

void usage_print(FILE *out)
{
    fputs("Usage: taluva COMMAND [OPTIONS] ...\n\n"
          "Plays Taluva over the network, and checks games.\n\n",
          out);
    for (const struct command *const *at = commands; *at; at++)
        fprintf(out, "  %-7s %-10s %s\n", (*at)->name, (*at)->operands, (*at)->summary);
    fputs("\n  taluva COMMAND --help   more about a command\n"
          "  taluva --version        which version this is\n"
          "  man taluva              the whole manual\n",
          out);
}

static void print_row(const struct option_row *row, FILE *out)
{
    char left[64];
    int len = snprintf(left, sizeof(left), "--%s", row->name);
    if (row->letter)
        len = snprintf(left, sizeof(left), "-%c, --%s", row->letter, row->name);
    if (row->value)
        snprintf(left + len, sizeof(left) - (size_t)len, " %s", row->value);
    fprintf(out, "  %-24s %s", left, row->help);
    for (const char *const *word = row->words; word && *word; word++)
        fprintf(out, "%s%s", word == row->words ? ": " : ", ", *word);
    fputc('\n', out);
}

static void print_rows(const struct option_row *rows, FILE *out)
{
    for (; rows && rows->name; rows++)
        print_row(rows, out);
}

void help_print(const struct command *command, FILE *out)
{
    fprintf(out, "Usage: taluva %s [OPTIONS]%s%s\n\n%s.\n\n%s\n", command->name,
            *command->operands ? " " : "", command->operands, command->summary, command->details);
    fputs("\nOptions:\n", out);
    print_rows(command->rows, out);
    if (command->online)
        print_rows(online_rows, out);
    print_row(&(struct option_row){.name = "help", .letter = 'h', .help = "this text"}, out);
}

/* --- the manual --- */

/* Text with what roff would read as its own made harmless. */
static void roff_text(const char *text, FILE *out)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\n' && text[1] == '\n')
            fputs("\n.PP", out);
        else
            fputc(*text, out);
        line_start = *text == '\n';
    }
    fputc('\n', out);
}

static void roff_rows(const struct option_row *rows, FILE *out)
{
    for (; rows && rows->name; rows++) {
        fputs(".TP\n", out);
        if (rows->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", rows->letter);
        fputs("\\fB\\-\\-", out);
        for (const char *at = rows->name; *at; at++)
            fputs(*at == '-' ? "\\-" : (char[]){*at, '\0'}, out);
        fprintf(out, "\\fR%s\\fI%s\\fR\n", rows->value ? " " : "", rows->value ? rows->value : "");
        roff_text(rows->help, out);
        for (const char *const *word = rows->words; word && *word; word++) {
            fputs(word == rows->words ? "(" : "", out);
            roff_text(*word, out);
            fputs(word[1] ? "" : ")\n", out);
        }
    }
}

static const char *const manual_head =
    ".TH TALUVA 1 \"\" \"taluva " TALUVA_VERSION "\" \"User Commands\"\n"
    ".SH NAME\ntaluva \\- play Taluva over the network, and check games\n"
    ".SH SYNOPSIS\n.B taluva\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n"
    ".SH DESCRIPTION\n"
    "The reference client of\n.BR taluvad :\n"
    "for people at a terminal, for scripts (one JSON object a line) and for bots. It also checks\n"
    "recorded games and positions with the same rules core as the server, without a server.\n";

static const char *const manual_tail =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nall went well\n"
    ".TP\n.B 1\nwhat was checked is wrong: a record differs, a deal is not proven, a count is off\n"
    ".TP\n.B 2\nthe command line is wrong\n"
    ".TP\n.B 3\na file cannot be read or written, or is not of the right form\n"
    ".TP\n.B 4\nthe server cannot be reached\n"
    ".TP\n.B 5\nthe server refused\n"
    ".TP\n.B 6\nmemory ran out\n"
    ".TP\n.B 7\ninterrupted by a signal\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B TALUVA_SERVER\nthe server, where \\-\\-server is not given\n"
    ".TP\n.B NO_COLOR\nif set and not empty, no colours are used\n"
    ".TP\n.B COLORTERM\n\\(lqtruecolor\\(rq or \\(lq24bit\\(rq: more than 256 colours\n"
    ".TP\n.B XDG_STATE_HOME\nwhere sessions are kept, else ~/.local/state\n"
    ".SH FILES\n"
    ".TP\n.I $XDG_STATE_HOME/taluva/\none file for each server and profile, readable by you alone: "
    "whoever has it has your seats\n";

void manual_print(FILE *out)
{
    fputs(manual_head, out);
    fputs(".SH COMMANDS\n", out);
    for (const struct command *const *at = commands; *at; at++) {
        fprintf(out, ".SS \"taluva %s [OPTIONS]%s%s\"\n", (*at)->name, *(*at)->operands ? " " : "",
                (*at)->operands);
        roff_text((*at)->summary, out);
        fputs(".PP\n", out);
        roff_text((*at)->details, out);
        roff_rows((*at)->rows, out);
    }
    fputs(".SH OPTIONS OF ALL COMMANDS THAT TALK TO A SERVER\n", out);
    roff_rows(online_rows, out);
    fputs(manual_tail, out);
}
