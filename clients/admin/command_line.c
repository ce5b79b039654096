#include "command_line.h"

#include <base/options.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_S_MAX = 3650 * 24 * 3600, PATIENCE_S_MAX = 3600 };

#define FIELD(name) offsetof(struct command_line, name)

static const struct option_row common[] = {
    {.name = "socket",
     .kind = OPTION_NAME,
     .value = "PATH",
     .help = "the server's admin socket [/run/taluva/admin.sock, or the one in"
             " ~/.local/state/taluva]",
     .offset = FIELD(socket)},
    {.name = "patience",
     .kind = OPTION_NUMBER,
     .value = "SECONDS",
     .help = "how long an answer may take [30]",
     .offset = FIELD(patience_s),
     .min = 1,
     .max = PATIENCE_S_MAX,
     .initial = 30},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: one JSON object a line",
     .offset = FIELD(json)},
    {.name = NULL},
};

static const struct option_row none_rows[] = {{.name = NULL}};

static const struct option_row list_rows[] = {
    {.name = "all",
     .kind = OPTION_FLAG,
     .help = "also what is not in use: matches that are over, sessions and addresses without"
             " connections",
     .offset = FIELD(all)},
    {.name = NULL},
};

static const struct option_row letters_rows[] = {
    {.name = "all",
     .kind = OPTION_FLAG,
     .help = "also those that wait to be applied",
     .offset = FIELD(all)},
    {.name = NULL},
};

static const struct option_row drain_rows[] = {
    {.name = "cancel",
     .kind = OPTION_FLAG,
     .help = "accept new sessions, rooms and matches again",
     .offset = FIELD(cancel)},
    {.name = NULL},
};

static const struct option_row reason_rows[] = {
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "said to everybody in the room, and kept in the audit log",
     .offset = FIELD(reason)},
    {.name = NULL},
};

static const struct option_row ban_rows[] = {
    {.name = "for",
     .kind = OPTION_NAME,
     .value = "TIME",
     .help = "how long, needed: 90s, 15m, 1h, 7d, 2w; at most 3650d",
     .offset = FIELD(duration)},
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "kept in the list and in the audit log",
     .offset = FIELD(reason)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "also a proxy, this machine, or nearly everybody",
     .offset = FIELD(force)},
    {.name = NULL},
};

static const struct option_row invite_rows[] = {
    {.name = "for",
     .kind = OPTION_NAME,
     .value = "TIME",
     .help = "how long it is good, needed: 90s, 15m, 1h, 7d, 2w; at most 3650d",
     .offset = FIELD(duration)},
    {.name = NULL},
};

static const struct option_row account_rows[] = {
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "kept in the audit log",
     .offset = FIELD(reason)},
    {.name = NULL},
};

static const struct option_row moderator_rows[] = {
    {.name = "cancel", .kind = OPTION_FLAG, .help = "it is none any more", .offset = FIELD(cancel)},
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "kept in the audit log",
     .offset = FIELD(reason)},
    {.name = NULL},
};

static const struct option_row rename_rows[] = {
    {.name = "to",
     .kind = OPTION_NAME,
     .value = "HANDLE",
     .help = "the handle that it gets, needed; nobody has or had one like it",
     .offset = FIELD(to)},
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "kept in the audit log",
     .offset = FIELD(reason)},
    {.name = NULL},
};

static const struct option_row judge_rows[] = {
    {.name = "for",
     .kind = OPTION_NAME,
     .value = "TIME",
     .help = "how long, of silence and ban: 90s, 15m, 1h, 7d, 2w; at most 3650d",
     .offset = FIELD(duration)},
    {.name = "why",
     .kind = OPTION_NAME,
     .value = "WORD",
     .help = "needed: talk, name, cheating, stalling or other",
     .offset = FIELD(why)},
    {.name = "text",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "said to whoever it is about",
     .offset = FIELD(text)},
    {.name = NULL},
};

static const struct option_row annul_rows[] = {
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "needed: stands in the book for everybody; at most 80 characters of printable "
             "ASCII without quotation marks and backslashes",
     .offset = FIELD(reason)},
    {.name = NULL},
};

static const char *const langs[] = {"en", "de", "es", "fr", "it", "ja", "pl", "zh", NULL};

static const struct option_row say_rows[] = {
    {.name = "lang",
     .kind = OPTION_WORD,
     .value = "WORD",
     .help = "in which room: en, de, es, fr, it, ja, pl or zh [en]",
     .offset = FIELD(lang),
     .words = langs},
    {.name = NULL},
};

static const struct command commands[] = {
    {"status", "", "how the server is doing", none_rows, NULL, false, SHAPE_STATUS},
    {"rooms", " [TEXT]", "rooms and matches; only those with TEXT in their line", list_rows, NULL,
     true, SHAPE_ROOMS},
    {"room", " ROOM", "one room, and who is in it", none_rows, "room", false, SHAPE_ROOM},
    {"sessions", " [TEXT]", "people who are connected", list_rows, NULL, true, SHAPE_SESSIONS},
    {"addresses", " [TEXT]", "where they are connected from", list_rows, NULL, true,
     SHAPE_ADDRESSES},
    {"drain", "", "accept no new sessions, rooms and matches, and say so to everybody", drain_rows,
     NULL, false, SHAPE_VALUES},
    {"close", " ROOM", "end the match in a room, which nobody wins, or drop a lobby", reason_rows,
     "room", false, SHAPE_VALUES},
    {"announce", " TEXT", "say this to everybody who is connected", none_rows, "text", false,
     SHAPE_VALUES},
    {"bans", " [TEXT]", "who is banned or silenced, and until when", none_rows, NULL, true,
     SHAPE_BANS},
    {"ban", " WHOM --for TIME",
     "let a session, an address or a network (203.0.113.0/24) not connect", ban_rows, "target",
     false, SHAPE_VALUES},
    {"silence", " WHOM --for TIME", "let them play, but not speak", ban_rows, "target", false,
     SHAPE_VALUES},
    {"lift", " WHOM", "end all bans and silences of just this session, address or network",
     none_rows, "target", false, SHAPE_VALUES},
    {"letters", " [TEXT]", "what one part has told another and could not be applied", letters_rows,
     NULL, true, SHAPE_LETTERS},
    {"retry", " LETTER", "try again to apply one that was set aside", none_rows, "letter", false,
     SHAPE_VALUES},
    {"discard", " LETTER", "drop one that was set aside, unread", none_rows, "letter", false,
     SHAPE_VALUES},
    {"invite", " --for TIME", "make an invitation, with which one person gets a handle",
     invite_rows, NULL, false, SHAPE_VALUES},
    {"account", " HANDLE", "who has or had this handle", none_rows, "handle", false, SHAPE_VALUES},
    {"rename", " HANDLE --to HANDLE", "give an account another handle", rename_rows, "handle",
     false, SHAPE_VALUES},
    {"link", " HANDLE", "make a link to an account, for who has lost all that opens it",
     account_rows, "handle", false, SHAPE_VALUES},
    {"reports", " [TEXT]", "who was reported, and of whom nothing was decided yet", none_rows, NULL,
     true, SHAPE_REPORTS},
    {"report", " N", "all that was reported of one person, with what was said there", none_rows,
     "report", false, SHAPE_REPORT},
    {"judge", " N VERDICT --why WORD",
     "decide of it: dismiss, warn, silence or ban; of an appeal also uphold", judge_rows, "report",
     false, SHAPE_VALUES},
    {"moderators", " [TEXT]", "which accounts may look at reports and judge, beside you", none_rows,
     NULL, true, SHAPE_MODERATORS},
    {"moderator", " HANDLE", "let an account look at reports and judge", moderator_rows, "handle",
     false, SHAPE_VALUES},
    {"lobby", " [TEXT]", "what is said in the lobby", none_rows, NULL, true, SHAPE_LOBBY},
    {"say", " TEXT", "say this in the lobby, as the operator", say_rows, "text", false,
     SHAPE_VALUES},
    {"unsay", " N", "take away a line of the lobby", account_rows, "line", false, SHAPE_VALUES},
    {"annul", " N --reason TEXT", "have a rated match not count: its line of the book", annul_rows,
     "match", false, SHAPE_VALUES},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static enum command_line_outcome note_problem(char problem[static COMMAND_PROBLEM_BYTES],
                                              const char *what, const char *why)
{
    (void)snprintf(problem, COMMAND_PROBLEM_BYTES, "%.200s%s; see --help", what, why);
    return LINE_BAD;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static const char *read_environment(const char *name)
{
    return getenv(name);
}

/* "1h" in seconds; 0: it is no time. */
static int64_t read_duration(const char *text)
{
    static const char units[] = "smhdw";
    static const int64_t seconds[] = {1, 60, 3600, 86400, 604800};
    const size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    if (digits == 0 || digits > 9 || !unit || text[digits + 1])
        return 0;
    const int64_t total = strtoll(text, NULL, 10) * seconds[unit - units];
    return total <= FOR_S_MAX ? total : 0;
}

/* From 1; 0: it is none. */
static int64_t read_count(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 16 && !text[digits] ? strtoll(text, NULL, 10) : 0;
}

/* What an operand that is a number has to be; NULL: it is none. */
static const char *number_problem(const struct command *command)
{
    static const struct {
        const char *operand, *problem;
    } counted[] = {{"report", ": no number of a report"},
                   {"match", ": no number of a line of the book"},
                   {"line", ": no number of a line of the lobby"}};
    for (size_t at = 0; command->operand && at < sizeof counted / sizeof counted[0]; at++) {
        if (strcmp(command->operand, counted[at].operand) == 0)
            return counted[at].problem;
    }
    return NULL;
}

/* What a command cannot do without, in the order in which it is said. */
static const struct {
    const struct option_row *rows; /* of whose commands */
    size_t offset;                 /* in the command line */
    const char *problem;
} needs[] = {
    {rename_rows, FIELD(to), " needs --to, the other handle"},
    {judge_rows, FIELD(verdict), " needs a number, a verdict, and --why"},
    {judge_rows, FIELD(why), " needs a number, a verdict, and --why"},
    {annul_rows, FIELD(reason), " needs --reason, for everybody to read"},
    {ban_rows, FIELD(duration), " needs --for, how long"},
    {invite_rows, FIELD(duration), " needs --for, how long"},
};

static bool has_text(const struct command_line *line, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)line + offset, sizeof text);
    return text != NULL;
}

/* What no single row can say. */
static enum command_line_outcome complete_line(struct command_line *line,
                                               char problem[static COMMAND_PROBLEM_BYTES])
{
    for (size_t at = 0; at < sizeof needs / sizeof needs[0]; at++) {
        if (line->command->rows == needs[at].rows && !has_text(line, needs[at].offset))
            return note_problem(problem, line->command->name, needs[at].problem);
    }
    if (!line->duration)
        return LINE_OK;
    line->for_s = read_duration(line->duration);
    return line->for_s > 0 ? LINE_OK
                           : note_problem(problem,
                                          "--for is a time, as 90s, 15m, 1h, 7d or 2w, of at most "
                                          "3650d, not ",
                                          line->duration);
}

/* The server is asked in JSON. */
static bool is_text(const char *text)
{
    return !text || utf8_valid(text, strlen(text));
}

static enum command_line_outcome read_operands(struct command_line *line,
                                               const struct options_parsed *parsed,
                                               char problem[static COMMAND_PROBLEM_BYTES])
{
    const struct command *command = line->command;
    const bool takes = command->operand || command->filters;
    const int most = command->rows == judge_rows ? 2 : takes ? 1 : 0;
    if (parsed->operand_count > most)
        return note_problem(problem, parsed->operands[most], ": not understood");
    if (command->operand && parsed->operand_count == 0)
        return note_problem(problem, command->name, ": something is missing behind it");
    line->operand = parsed->operand_count > 0 ? parsed->operands[0] : NULL;
    line->verdict = parsed->operand_count > 1 ? parsed->operands[1] : NULL;
    if (!is_text(line->operand) || !is_text(line->reason) || !is_text(line->verdict) ||
        !is_text(line->why) || !is_text(line->to) || !is_text(line->text))
        return note_problem(problem, command->name, ": a text has to be UTF-8");
    if (number_problem(command)) {
        line->number = read_count(line->operand);
        if (line->number == 0)
            return note_problem(problem, line->operand, number_problem(command));
    }
    return complete_line(line, problem);
}

/* Does the word behind this option belong to it? */
static bool has_value_behind(const char *option)
{
    for (const struct option_row *row = common; row->name; row++) {
        if (strncmp(option, "--", 2) == 0 && strcmp(option + 2, row->name) == 0)
            return row->kind != OPTION_FLAG;
    }
    return false;
}

/* The options of all commands may stand before the command: it changes places with them. */
static void put_command_first(int argc, char **argv)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-')
        at += has_value_behind(argv[at]) ? 2 : 1;
    if (at >= argc)
        return;
    char *command = argv[at];
    memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof *argv);
    argv[1] = command;
}

enum command_line_outcome command_line_read(struct command_line *line, int argc, char **argv,
                                            char problem[static COMMAND_PROBLEM_BYTES])
{
    struct options_parsed parsed;
    *line = (struct command_line){.socket = NULL};
    if (argc < 2)
        return note_problem(problem, "which command", "?");
    put_command_first(argc, argv);
    if (strcmp(argv[1], "help") == 0)
        return LINE_HELP;
    if (argv[1][0] != '-')
        line->command = find_command(argv[1]);
    if (argv[1][0] != '-' && !line->command)
        return note_problem(problem, argv[1], ": no such command");
    const struct option_table tables[] = {{common, line},
                                          {line->command ? line->command->rows : none_rows, line}};
    const struct option_environment variables = {"TALUVA_ADMIN_", read_environment};
    const int skipped = line->command ? 2 : 1;
    switch (options_parse(tables, 2, &variables, argc - skipped, argv + skipped, &parsed)) {
    case OPTIONS_OK:
        break;
    case OPTIONS_HELP:
        return LINE_HELP;
    case OPTIONS_VERSION:
        return LINE_VERSION;
    case OPTIONS_BAD:
        return note_problem(problem, parsed.problem, "");
    }
    return line->command ? read_operands(line, &parsed, problem)
                         : note_problem(problem, "which command", "?");
}

json_t *command_line_request(const struct command_line *line)
{
    const struct command *command = line->command;
    json_t *request = json_pack("{s:s}", "op", command->name);
    if (request && line->number)
        json_object_set_new(request, command->operand, json_integer(line->number));
    else if (request && command->operand)
        json_object_set_new(request, command->operand, json_string(line->operand));
    if (request && line->verdict)
        json_object_set_new(request, "verdict", json_string(line->verdict));
    if (request && line->why)
        json_object_set_new(request, "why", json_string(line->why));
    if (request && line->text)
        json_object_set_new(request, "text", json_string(line->text));
    if (request && line->lang)
        json_object_set_new(request, "lang", json_string(line->lang));
    if (request && line->all)
        json_object_set_new(request, "all", json_true());
    if (request && line->for_s)
        json_object_set_new(request, "for_s", json_integer(line->for_s));
    if (request && line->force)
        json_object_set_new(request, "force", json_true());
    if (request && line->reason)
        json_object_set_new(request, "reason", json_string(line->reason));
    if (request && line->to)
        json_object_set_new(request, "to", json_string(line->to));
    if (request && line->cancel)
        json_object_set_new(request, "cancel", json_true());
    return request;
}

void command_line_usage(const struct command *command, FILE *out)
{
    (void)fprintf(out, "usage: taluva-admin %s%s [OPTION]...\n",
                  command ? command->name : "COMMAND", command ? command->usage : "");
}

void command_line_help(const struct command *command, FILE *out)
{
    command_line_usage(command, out);
    if (command) {
        (void)fprintf(out, "\n%s\n\n", command->help);
        option_rows_print(command->rows, out);
    } else {
        (void)fputs(
            "\nAsks a running taluvad on this machine, as root or as a member of its group.\n\n",
            out);
        for (size_t i = 0; i < COMMANDS; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s%s", commands[i].name, commands[i].usage);
            (void)fprintf(out, "  %-28s  %s\n", name, commands[i].help);
        }
        (void)fputs("\n`taluva-admin COMMAND --help` says more. For all of them:\n\n", out);
    }
    option_rows_print(common, out);
    (void)fputs("  -h, --help, -V, --version\n", out);
}
