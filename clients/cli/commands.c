#include "commands.h"

#include "completion.h"
#include "config.h"
#include "option_text.h"
#include <assert.h>
#include <cli/glyph.h>
#include <cli/program.h>
#include <protocol/encoding.h>
#include <string.h>

static const struct game_type *const *game_types;

/* The options that a command takes besides its own. */
struct command_memory {
    _Alignas(8) unsigned char own[COMMAND_OPTIONS_MAX];
    _Alignas(8) unsigned char game[GAME_OPTIONS_MAX];
};

/* ---- running one */

/* Where the options of a command go. */
struct command_tables {
    struct command_rows rows;
    struct option_table list[COMMAND_TABLES_MAX];
};

static void tables_of(struct command_tables *tables, const struct game *game,
                      const struct command *command, struct command_memory *memory,
                      struct invocation *invocation)
{
    void *const values[] = {
        [VALUES_OWN] = memory->own,
        [VALUES_GAME] = memory->game,
        [VALUES_ROOM] = &invocation->room,
        [VALUES_WHERE] = &invocation->where,
        [VALUES_ONLINE] = &invocation->online,
    };
    command_rows_of(&tables->rows, game, command);
    for (size_t i = 0; i < tables->rows.count; i++)
        tables->list[i] = (struct option_table){tables->rows.tables[i].rows,
                                                values[tables->rows.tables[i].values]};
}

/* An option that would change nothing was meant to. False if there is one. */
static bool draws_what_it_says(const struct invocation *invocation)
{
    if (!invocation->command->draws || !invocation->online.json)
        return true;
    for (const struct option_row *row = command_drawing_rows; row->name; row++) {
        if (options_given(invocation->parsed, row->name)) {
            command_complain(invocation, "with --json nothing is drawn, so --%s says nothing",
                             row->name);
            return false;
        }
    }
    return true;
}

/* Every operand of a command that enters rooms is one. False if there is one that cannot be. */
static bool names_rooms(const struct invocation *invocation)
{
    const struct options_parsed *parsed = invocation->parsed;
    for (int i = 0; invocation->command->enters && i < parsed->operand_count; i++) {
        const char *room = parsed->operands[i];
        if (room_id_valid(room, strlen(room)))
            continue;
        fprintf(stderr, "taluva %s: '", invocation->command->name);
        glyph_print_text(room, stderr);
        fputs("' is no room: a room's id has eight characters, digits and small letters without "
              "i, l, o and u\n",
              stderr);
        return false;
    }
    return true;
}

static int run_parsed(struct invocation *invocation)
{
    const struct command *command = invocation->command;
    const struct options_parsed *parsed = invocation->parsed;
    if (parsed->operand_count < command->operands_min)
        return command_complain(invocation, "%s is missing", command->operands);
    if (command->operands_max >= 0 && parsed->operand_count > command->operands_max)
        return command_complain(invocation, "too many arguments");
    invocation->operand_count = parsed->operand_count;
    invocation->operands = parsed->operands;
    if (!draws_what_it_says(invocation) || !option_texts_read(invocation) ||
        !names_rooms(invocation))
        return EXIT_USAGE;
    return command->run(invocation);
}

/* ---- the file of what a person always wants */

static struct config config;

/*
 * Options that it may give as well, by the names that options_parse asks for. Not the server,
 * before which a variable of the environment goes, nor the name, which is for new sessions alone.
 */
static const char *from_config(const char *name)
{
    const struct {
        const char *name, *value;
    } values[] = {
        {"PROFILE", *config.profile ? config.profile : NULL},
        {"NO_COLOR", config.no_color ? "1" : NULL},
        {"ASCII", config.ascii ? "1" : NULL},
        {"SMALL", config.small ? "1" : NULL},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strcmp(values[i].name, name) == 0)
            return values[i].value;
    }
    return NULL;
}

static int run_for_game(const struct game *game, const struct command *command, int argc,
                        char **argv)
{
    struct command_memory values = {0};
    struct command_tables tables;
    struct options_parsed parsed;
    char problem[CONFIG_PROBLEM];
    const bool configured = config_read(&config, problem);
    const struct option_environment environment = {"", from_config};
    struct invocation invocation = {.config = &config,
                                    .game = game,
                                    .command = command,
                                    .options = values.own,
                                    .game_options = values.game,
                                    .tables = tables.list,
                                    .parsed = &parsed,
                                    .game_types = game_types};
    assert(command->options_size <= sizeof values.own);
    assert(game->create_size <= sizeof values.game);
    invocation.where.seat = SEAT_ANY;
    tables_of(&tables, game, command, &values, &invocation);
    invocation.table_count = tables.rows.count;
    switch (options_parse(tables.list, tables.rows.count, configured ? &environment : NULL, argc,
                          argv, &parsed)) {
    case OPTIONS_OK:
        if (configured)
            return run_parsed(&invocation);
        fprintf(stderr, "taluva: %s\n", problem);
        return EXIT_CONFIG;
    case OPTIONS_HELP:
        help_print(game, command, stdout);
        return EXIT_OK;
    case OPTIONS_VERSION:
        puts("taluva " TALUVA_VERSION);
        return EXIT_OK;
    case OPTIONS_BAD:
        break;
    }
    return command_complain(&invocation, "%s", parsed.problem);
}

/* What `--game NAME` or `--game=NAME` names, which decides about the other options; or NULL. */
static const char *named_game(int argc, char **argv)
{
    static const char option[] = "--" COMMAND_GAME_OPTION;
    const size_t len = sizeof option - 1;
    const char *name = NULL;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], option, len) == 0 && argv[i][len] == '=')
            name = argv[i] + len + 1;
        else if (strcmp(argv[i], option) == 0 && i + 1 < argc)
            name = argv[++i];
    }
    return name;
}

static int complain_of_game(const struct command *command, const char *name)
{
    char known[256] = "";
    for (size_t i = 0; games_at(i); i++) {
        size_t len = strlen(known);
        snprintf(known + len, sizeof known - len, "%s%s", i > 0 ? ", " : "", games_at(i)->name);
    }
    fprintf(stderr, "taluva %s: there is no game '", command->name);
    glyph_print_text(name, stderr);
    fprintf(stderr, "'; this program knows: %s\nTry: taluva %s --help\n", known, command->name);
    return EXIT_USAGE;
}

static bool has_row(const struct option_row *rows, const char *name)
{
    for (; rows && rows->name; rows++) {
        if (strcmp(rows->name, name) == 0)
            return true;
    }
    return false;
}

static bool names_game(const struct command *command)
{
    return command->creates || has_row(command->rows, COMMAND_GAME_OPTION);
}

int command_run(const struct game *game, const struct command *command, int argc, char **argv)
{
    const char *name = names_game(command) ? named_game(argc, argv) : NULL;
    if (name)
        game = games_find(name);
    return game ? run_for_game(game, command, argc, argv) : complain_of_game(command, name);
}

/* ---- help */

static void commands_print(const struct game *game, FILE *out)
{
    const struct command *command;
    for (const char *at = ""; (command = command_next(game, at)); at = command->name)
        fprintf(out, "  %-8s %-10s %s\n", command->name, command->operands, command->summary);
}

/* Of a game that is named first. */
static void game_usage_print(const struct game *game, FILE *out)
{
    fprintf(out, "Usage: taluva %s COMMAND [OPTIONS] ...\n\n", game->name);
    commands_print(game, out);
    fprintf(out, "\n  taluva %s COMMAND --help   more about a command\n", game->name);
}

void usage_print(FILE *out)
{
    fputs("Usage: taluva COMMAND [OPTIONS] ...\n\n"
          "Plays games at this terminal and over the network, and checks them.\n\n",
          out);
    commands_print(games_default(), out);
    for (size_t i = 1; games_at(i); i++)
        fprintf(out, "\n  taluva %s COMMAND ...   the same for the game %s\n", games_at(i)->name,
                games_at(i)->name);
    fputs("\n  taluva help COMMAND     more about a command\n"
          "  taluva --version        which version this is\n"
          "  taluva --completion S   completions for the shell S: bash, zsh or fish\n"
          "  man taluva              the whole manual\n",
          out);
}

static const struct option_row help_row[] = {
    {.name = "help", .letter = 'h', .help = "this text"},
    {.name = NULL},
};

/* What --game and --level can be. A computer that plays here needs the game's own thinker. */
static void games_and_levels_print(const struct command *command, FILE *out)
{
    if (names_game(command)) {
        fputs("\nGames:", out);
        for (size_t i = 0; games_at(i); i++)
            fprintf(out, "%s %s", i > 0 ? "," : "", games_at(i)->name);
        fputc('\n', out);
    }
    for (size_t i = 0; has_row(command->rows, "level") && games_at(i); i++) {
        const char *const *levels = games_at(i)->levels;
        if (!command->creates && !games_at(i)->thinker)
            continue;
        fprintf(out, "Levels of %s:", games_at(i)->name);
        for (unsigned at = 0; levels[at]; at++)
            fprintf(out, "%s %u %s", at > 0 ? "," : "", at + 1, levels[at]);
        fputc('\n', out);
    }
}

void help_print(const struct game *game, const struct command *command, FILE *out)
{
    struct command_rows rows;
    command_print_usage(game, command, out);
    fprintf(out, "\n%s.\n\n%s\n", command->summary, command->details);
    fputs("\nOptions:\n", out);
    command_rows_of(&rows, game, command);
    for (size_t i = 0; i < rows.count; i++)
        option_rows_print(rows.tables[i].rows, out);
    option_rows_print(help_row, out);
    games_and_levels_print(command, out);
}

/* ---- the manual */

/* Writes text with the characters escaped that are special to roff. */
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
    ".SH NAME\ntaluva \\- play Taluva at a terminal and over the network, and check games\n"
    ".SH SYNOPSIS\n.B taluva\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n"
    ".SH DESCRIPTION\n"
    "The reference client of\n.BR taluvad :\n"
    "for people at a terminal, for scripts (one JSON object a line) and for bots. It also checks\n"
    "recorded games and positions with the same rules core as the server, without a server.\n";

static const char *const manual_tail =
    ".SH SHELL COMPLETION\n"
    "Packages install completions of commands, options, levels and other fixed words for bash, zsh "
    "and\nfish. Without them\n.B taluva \\-\\-completion\n.I SHELL\nprints them.\n"
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nall went well\n"
    ".TP\n.B 1\nwhat was checked is wrong: a record differs, a deal is not proven, a count is off\n"
    ".TP\n.B 8\nverify: nothing is wrong, but how the match ended is the record\\(aqs word alone, "
    "or no\n"
    "key that was given has signed it\n"
    ".TP\n.B 64\nthe command line is wrong\n"
    ".TP\n.B 65\nwhat was read is not of the right form\n"
    ".TP\n.B 69\nthe server cannot be reached\n"
    ".TP\n.B 71\nmemory ran out\n"
    ".TP\n.B 74\na file cannot be read or written, or the output not be written\n"
    ".TP\n.B 77\nthe server refused\n"
    ".TP\n.B 78\nwhat the file config says cannot be read\n"
    ".TP\n.B 130\ninterrupted by a signal\n"
    ".PP\nWhoever reads the output may go: the client then ends by SIGPIPE (141 in a shell), at "
    "once, also\nif it has nothing to write; with 74 if that signal is ignored.\n"
    ".SH TEXT\nNames, titles and lines are UTF-8; what is not is converted from the encoding of "
    "the locale, and refused\nif it is no text in it. Files and input may begin with a byte order "
    "mark. Control characters in what a server\nsays are shown as ?; with \\-\\-json they are "
    "printed as \\eu001b is.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B TALUVA_SERVER\nthe server, where \\-\\-server is not given\n"
    ".TP\n.B TALUVA_TOKEN\na token of a program, which the server knows in place of the session "
    "that is "
    "kept; see taluva token. By ws:// it is sent to this machine alone\n"
    ".TP\n.B XDG_CONFIG_HOME\nwhere the file config is looked for, else ~/.config\n"
    ".TP\n.B NO_COLOR\nif set and not empty, no colours are used\n"
    ".TP\n.B COLORTERM\n\\(lqtruecolor\\(rq or \\(lq24bit\\(rq: more than 256 colours\n"
    ".TP\n.B XDG_STATE_HOME\nwhere sessions are kept, else ~/.local/state\n"
    ".SH FILES\n"
    ".TP\n.I $XDG_CONFIG_HOME/taluva/config\nwhat you always want, a line each; lines that begin "
    "with # say nothing. Options and the environment go before it.\n"
    ".RS\n.nf\n"
    "# where \\-\\-server is not given\nserver = wss://example.org\n"
    "# your name in new sessions\nname = Ana\n"
    "# where \\-\\-profile is not given\nprofile = home\n"
    "# as \\-\\-no\\-color, \\-\\-ascii and \\-\\-small\ncolor = no\nascii = yes\nsmall = yes\n"
    ".fi\n.RE\n"
    ".TP\n.I $XDG_STATE_HOME/taluva/\none file for each server and profile, readable by you alone: "
    "it gives access to your seats\n";

static void manual_command(const struct game *game, const struct command *command, FILE *out)
{
    struct command_rows rows;
    bool named = game != games_default();
    fprintf(out, ".SS \"taluva %s%s%s [OPTIONS]%s%s\"\n", named ? game->name : "", named ? " " : "",
            command->name, *command->operands ? " " : "", command->operands);
    roff_text(command->summary, out);
    fputs(".PP\n", out);
    roff_text(command->details, out);
    command_rows_of(&rows, game, command);
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.tables[i].rows != command_online_rows) /* which have a section of their own */
            roff_rows(rows.tables[i].rows, out);
    }
}

/* The client's commands are explained once, but for those that differ from game to game. */
static bool is_explained(const struct game *game, const struct command *command)
{
    return game != games_default() && command == command_find(games_default(), command->name) &&
           !command->creates && !command->takes_seat;
}

/* What is typed and seen at the table: the game's own pages of help. */
static void manual_playing(FILE *out)
{
    fputs(".SH PLAYING\n", out);
    roff_text("At the table `help` lists what can be typed: moves, and commands such as `moves`, "
              "`undo` and `say`. Tab completes both. Or choose: while nothing is typed an arrow "
              "shows a legal move in the picture, more keys change it, Enter plays it, Esc ends; a "
              "click chooses as well, the next one plays, the wheel turns. Nothing is sent before "
              "Enter or that click, and any other key begins a line as ever. While it is not your "
              "move the arrows scroll the picture, with Shift, Alt or Control they always do. "
              "Control-P and Control-N fetch lines that were typed before.",
              out);
    for (size_t i = 0; games_at(i); i++) {
        fprintf(out, ".SS \"Moves of %s\"\n.nf\n", games_at(i)->name);
        roff_text(games_at(i)->input_help, out);
        if (games_at(i)->chooser)
            roff_text(games_at(i)->chooser->help, out);
        fputs(".fi\n", out);
        for (const struct game_page *page = games_at(i)->pages; page && page->name; page++) {
            fprintf(out, ".SS \"help %s, of %s\"\n.nf\n", page->name, games_at(i)->name);
            roff_text(page->text, out);
            fputs(".fi\n", out);
        }
    }
}

void manual_print(FILE *out)
{
    const struct command *command;
    fputs(manual_head, out);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; games_at(i); i++) {
        for (const char *at = ""; (command = command_next(games_at(i), at)); at = command->name) {
            if (!is_explained(games_at(i), command))
                manual_command(games_at(i), command, out);
        }
    }
    manual_playing(out);
    fputs(".SH OPTIONS OF ALL COMMANDS THAT TALK TO A SERVER\n", out);
    roff_rows(command_online_rows, out);
    fputs(manual_tail, out);
}

/* ---- the program */

static bool is_one_of(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static int no_such_command(const char *name)
{
    fprintf(stderr, "taluva: there is no command '%s'\nTry: taluva --help\n", name);
    return EXIT_USAGE;
}

static int print_completion(const char *shell)
{
    if (shell && completion_print(shell, stdout))
        return EXIT_OK;
    fputs("taluva: --completion is followed by bash, zsh or fish\n", stderr);
    return EXIT_USAGE;
}

/* What is asked of the program itself. */
static bool answer_about(const char *word)
{
    if (is_one_of(word, "--help", "-h"))
        usage_print(stdout);
    else if (is_one_of(word, "--version", "-V"))
        puts("taluva " TALUVA_VERSION);
    else if (strcmp(word, "--manual") == 0) /* for the build, which makes taluva.1 of it */
        manual_print(stdout);
    else
        return false;
    return true;
}

/* A page of help that is meant for the table can be read before one plays. */
static int run_help_page(const struct game *game, const char *name)
{
    const struct game_page *pages = game->pages, *page = game_find_page(game, name);
    if (page) {
        fputs(page->text, stdout);
        return EXIT_OK;
    }
    fputs("taluva: there is no command '", stderr);
    glyph_print_text(name, stderr);
    fputc('\'', stderr);
    for (page = pages; page && page->name; page++)
        fprintf(stderr, "%s%s", page == pages ? "; other pages of help: " : ", ", page->name);
    fputs("\nTry: taluva --help\n", stderr);
    return EXIT_USAGE;
}

/* `taluva help [COMMAND]`, as many other programs have it. */
static int run_help(const struct game *game, int argc, char **argv)
{
    const struct command *command = argc > 0 ? command_find(game, argv[0]) : NULL;
    if (argc > 0 && !command)
        return run_help_page(game, argv[0]);
    if (command)
        help_print(game, command, stdout);
    else if (game == games_default())
        usage_print(stdout);
    else
        game_usage_print(game, stdout);
    return EXIT_OK;
}

static int run_words(int argc, char **argv)
{
    const struct game *game = argc > 1 ? games_find(argv[1]) : NULL;
    int at = game ? 2 : 1; /* taluva [GAME] COMMAND ... */
    if (argc <= at) {
        if (game)
            game_usage_print(game, stderr);
        else
            usage_print(stderr);
        return EXIT_USAGE;
    }
    if (game && is_one_of(argv[at], "--help", "-h")) {
        game_usage_print(game, stdout);
        return EXIT_OK;
    }
    if (answer_about(argv[at]))
        return EXIT_OK;
    if (strcmp(argv[1], "--completion") == 0)
        return print_completion(argc > 2 ? argv[2] : NULL);
    game = game ? game : games_default();
    const struct command *command = command_find(game, argv[at]);
    if (!command && strcmp(argv[at], "help") == 0)
        return run_help(game, argc - at - 1, argv + at + 1);
    if (!command)
        return no_such_command(argv[at]);
    return command_run(game, command, argc - at - 1, argv + at + 1);
}

int program_run(const struct game *const *games, const struct game_type *const *types, int argc,
                char **argv)
{
    game_types = types;
    games_set(games);
    return run_words(argc, argv);
}
