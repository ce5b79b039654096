#include "completion.h"

#include "command_table.h"
#include <string.h>

/* ---- what there is to complete */

/* What follows an option, or stands alone. */
enum completed {
    COMPLETED_NONE, /* nothing follows */
    COMPLETED_WORDS,
    COMPLETED_FILE,
    COMPLETED_TEXT, /* something follows that nobody can guess */
};

static enum completed value_of(const struct option_row *row)
{
    if (row->words || strcmp(row->name, "level") == 0 ||
        strcmp(row->name, COMMAND_GAME_OPTION) == 0)
        return COMPLETED_WORDS;
    if (!row->value)
        return COMPLETED_NONE;
    return strcmp(row->value, "FILE") == 0 ? COMPLETED_FILE : COMPLETED_TEXT;
}

static bool takes_files(const struct command *command)
{
    return strstr(command->operands, "FILE") || strstr(command->operands, "RECORD");
}

static void print_list(const char *const *words, FILE *out)
{
    for (const char *const *word = words; *word; word++)
        fprintf(out, "%s%s", word == words ? "" : " ", *word);
}

/* What the first operand can be, behind `before`; nothing where nobody knows. */
static void print_words(const char *before, const struct command *command, FILE *out)
{
    if (!command->words)
        return;
    fputs(before, out);
    print_list(command->words, out);
}

static void print_games(FILE *out)
{
    for (size_t i = 0; games_at(i); i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", games_at(i)->name);
}

static void print_values(const struct game *game, const struct option_row *row, FILE *out)
{
    if (row->words)
        print_list(row->words, out);
    else if (strcmp(row->name, "level") == 0)
        print_list(game->levels, out);
    else
        print_games(out);
}

static void print_commands(const struct game *game, FILE *out)
{
    const struct command *command;
    for (const char *at = ""; (command = command_next(game, at)); at = command->name)
        fprintf(out, "%s ", command->name);
    fputs("help", out);
}

/* In single quotes of a shell, with a backslash before each of `special`. */
static void print_quoted(const char *text, const char *special, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

typedef void option_fn(const struct game *game, const struct command *command,
                       const struct option_row *row, FILE *out);

static void each_option(const struct game *game, const struct command *command, option_fn *print,
                        FILE *out)
{
    struct command_rows rows;
    command_rows_of(&rows, game, command);
    for (size_t table = 0; table < rows.count; table++) {
        for (const struct option_row *row = rows.tables[table].rows; row->name; row++)
            print(game, command, row, out);
    }
}

typedef void command_fn(const struct game *game, const struct command *command, FILE *out);

static void each_command(command_fn *print, FILE *out)
{
    const struct command *command;
    for (size_t i = 0; games_at(i); i++) {
        for (const char *at = ""; (command = command_next(games_at(i), at)); at = command->name)
            print(games_at(i), command, out);
    }
}

/* ---- bash */

static void bash_option(const struct game *game, const struct command *command,
                        const struct option_row *row, FILE *out)
{
    (void)game;
    (void)command;
    fprintf(out, " --%s", row->name);
    if (row->letter)
        fprintf(out, " -%c", row->letter);
}

static void bash_options(const struct game *game, const struct command *command, FILE *out)
{
    fprintf(out, "        %s:%s) words='--help -h", game->name, command->name);
    each_option(game, command, bash_option, out);
    print_words(" ", command, out);
    fprintf(out, "' files=%s ;;\n", takes_files(command) ? "yes" : "");
}

static void bash_value(const struct game *game, const struct command *command,
                       const struct option_row *row, FILE *out)
{
    const enum completed value = value_of(row);
    if (value == COMPLETED_NONE)
        return;
    fprintf(out, "        %s:%s:--%s", game->name, command->name, row->name);
    if (row->letter)
        fprintf(out, "|%s:%s:-%c", game->name, command->name, row->letter);
    fputs(") value=yes", out);
    if (value == COMPLETED_WORDS) {
        fputs(" words='", out);
        print_values(game, row, out);
        fputc('\'', out);
    } else if (value == COMPLETED_FILE) {
        fputs(" files=yes", out);
    }
    fputs(" ;;\n", out);
}

static void bash_values(const struct game *game, const struct command *command, FILE *out)
{
    each_option(game, command, bash_value, out);
}

static const char bash_head[] =
    "# Completes the command line of taluva in bash. Written by: taluva --completion bash\n"
    "_taluva()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command= words= files= value= i next\n";

static const char bash_words[] =
    "    if [[ $cur == = ]]; then # --name=value is three words\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD > 1)) && [[ \" $games \" == *\" ${COMP_WORDS[1]} \"* ]]; then\n"
    "        game=${COMP_WORDS[1]} at=2\n"
    "    fi\n";

static const char bash_middle[] =
    "    command=${COMP_WORDS[at]}\n"
    "    for ((i = at + 1; i < COMP_CWORD; i++)); do\n"
    "        next=${COMP_WORDS[i+1]}\n"
    "        [[ $next == = ]] && next=${COMP_WORDS[i+2]}\n"
    "        [[ ${COMP_WORDS[i]} == --" COMMAND_GAME_OPTION " && -n $next &&\n"
    "            \" $games \" == *\" $next \"* ]] && game=$next\n"
    "    done\n";

static const char bash_tail[] = "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                                "    if [[ -n $files && $cur != -* ]]; then\n"
                                "        compopt -o filenames 2>/dev/null\n"
                                "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                                "    fi\n"
                                "}\n"
                                "complete -F _taluva taluva\n";

static void print_bash(FILE *out)
{
    fputs(bash_head, out);
    fprintf(out, "    local at=1 game=%s games='", games_default()->name);
    print_games(out);
    fputs("'\n", out);
    fputs(bash_words, out);
    fputs("    if ((COMP_CWORD == at)); then\n        case $game:$at in\n", out);
    for (size_t i = 0; games_at(i); i++) {
        fprintf(out, "        %s:2) words='", games_at(i)->name);
        print_commands(games_at(i), out);
        fputs(" --help -h' ;;\n", out);
    }
    fputs("        *) words='", out);
    print_commands(games_default(), out);
    fputc(' ', out);
    print_games(out);
    fputs(" --help -h --version -V' ;;\n        esac\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n        return\n    fi\n",
          out);
    fputs(bash_middle, out);
    fputs("    case $game:$command:$prev in\n", out);
    each_command(bash_values, out);
    fputs("    esac\n    [[ -n $value ]] || case $game:$command in\n", out);
    each_command(bash_options, out);
    for (size_t i = 0; games_at(i); i++) {
        fprintf(out, "        %s:help) words='", games_at(i)->name);
        print_commands(games_at(i), out);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
    fputs(bash_tail, out);
}

/* ---- zsh */

static void zsh_option(const struct game *game, const struct command *command,
                       const struct option_row *row, FILE *out)
{
    const enum completed value = value_of(row);
    const bool follows = value != COMPLETED_NONE;
    (void)command;
    fputs(" \\\n            ", out);
    if (row->letter)
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter,
                follows ? "+" : "", row->name, follows ? "=" : "");
    else
        fprintf(out, "'--%s%s[", row->name, follows ? "=" : "");
    print_quoted(row->help, "[]:\\", out);
    fputc(']', out);
    if (follows)
        fprintf(out, ":%s:", row->value ? row->value : "WORD");
    if (value == COMPLETED_WORDS) {
        fputc('(', out);
        print_values(game, row, out);
        fputc(')', out);
    } else if (value == COMPLETED_FILE) {
        fputs("_files", out);
    }
    fputc('\'', out);
}

static void zsh_command(const struct game *game, const struct command *command, FILE *out)
{
    fprintf(out, "        %s:%s) _arguments -s '(-h --help)'{-h,--help}'[this text]'", game->name,
            command->name);
    each_option(game, command, zsh_option, out);
    if (command->words) {
        fprintf(out, " '1:%s:(", command->operands);
        print_words("", command, out);
        fputs(")'", out);
    }
    if (*command->operands)
        fprintf(out, " '*:%s:%s'", command->operands, takes_files(command) ? "_files" : "");
    fputs(" ;;\n", out);
}

static void zsh_described(const struct game *game, FILE *out)
{
    const struct command *command;
    for (const char *at = ""; (command = command_next(game, at)); at = command->name) {
        fprintf(out, " '%s:", command->name);
        print_quoted(command->summary, "", out);
        fputc('\'', out);
    }
    fputs(" 'help:Explain a command'", out);
}

static void print_zsh(FILE *out)
{
    fprintf(out,
            "#compdef taluva\n"
            "# Completes the command line of taluva in zsh. Written by: taluva --completion zsh\n"
            "_taluva() {\n"
            "    local game=%s i\n"
            "    local -i at=2\n"
            "    local -a commands games\n"
            "    games=(",
            games_default()->name);
    print_games(out);
    fputs(")\n"
          "    if (( CURRENT > 2 && ${games[(Ie)$words[2]]} )); then\n"
          "        game=$words[2] at=3\n"
          "    fi\n"
          "    case $game in\n",
          out);
    for (size_t i = 0; games_at(i); i++) {
        fprintf(out, "        %s) commands=(", games_at(i)->name);
        zsh_described(games_at(i), out);
        fputs(" ) ;;\n", out);
    }
    fputs("    esac\n"
          "    if (( CURRENT == at )); then\n"
          "        _describe command commands\n"
          "        if (( at == 2 )); then\n"
          "            compadd -- $games --help --version\n"
          "        fi\n"
          "        return 0\n"
          "    fi\n"
          "    for (( i = at + 1; i < CURRENT; i++ )); do\n"
          "        [[ $words[i] == --" COMMAND_GAME_OPTION
          " && ${games[(Ie)$words[i+1]]} -gt 0 ]] && game=$words[i+1]\n"
          "        [[ $words[i] == --" COMMAND_GAME_OPTION
          "=* && ${games[(Ie)${words[i]#*=}]} -gt 0 ]] && game=${words[i]#*=}\n"
          "    done\n"
          "    words=(\"${(@)words[at,-1]}\")\n"
          "    (( CURRENT -= at - 1 ))\n"
          "    case $game:$words[1] in\n",
          out);
    each_command(zsh_command, out);
    fputs("        *:help) _describe command commands ;;\n"
          "    esac\n"
          "}\n"
          "_taluva \"$@\"\n",
          out);
}

/* ---- fish */

/* Within single quotes, in which fish escapes. */
static void print_fish_quoted(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++)
        fprintf(out, *at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
}

static void fish_option(const struct game *game, const struct command *command,
                        const struct option_row *row, FILE *out)
{
    fprintf(out, "complete -c taluva -n '__taluva_is %s:%s' -l %s", game->name, command->name,
            row->name);
    if (row->letter)
        fprintf(out, " -s %c", row->letter);
    switch (value_of(row)) {
    case COMPLETED_NONE:
        break;
    case COMPLETED_WORDS:
        fputs(" -x -a '", out);
        print_values(game, row, out);
        fputc('\'', out);
        break;
    case COMPLETED_FILE:
        fputs(" -r -F", out);
        break;
    case COMPLETED_TEXT:
        fputs(" -x", out);
        break;
    }
    fputs(" -d '", out);
    print_fish_quoted(row->help, out);
    fputs("'\n", out);
}

static void fish_command(const struct game *game, const struct command *command, FILE *out)
{
    fprintf(out, "complete -c taluva -n '__taluva_is %s:' -a %s -d '", game->name, command->name);
    print_fish_quoted(command->summary, out);
    fputs("'\n", out);
    fprintf(out, "complete -c taluva -n '__taluva_is %s:%s' -l help -s h -d 'this text'\n",
            game->name, command->name);
    if (takes_files(command))
        fprintf(out, "complete -c taluva -n '__taluva_is %s:%s' -F\n", game->name, command->name);
    if (command->words) {
        fprintf(out, "complete -c taluva -n '__taluva_is %s:%s' -a '", game->name, command->name);
        print_words("", command, out);
        fputs("'\n", out);
    }
    each_option(game, command, fish_option, out);
}

static void print_fish(FILE *out)
{
    fputs("# Completes the command line of taluva in fish. Written by: taluva --completion fish\n"
          "function __taluva_is\n"
          "    set -l words (commandline -opc)\n"
          "    set -l games ",
          out);
    print_games(out);
    fprintf(out,
            "\n"
            "    set -l game %s\n"
            "    set -e words[1]\n"
            "    if set -q words[1]; and contains -- $words[1] $games\n"
            "        set game $words[1]\n"
            "        set -e words[1]\n"
            "    end\n"
            "    set -l command\n"
            "    set -q words[1]; and set command $words[1]\n"
            "    for word in $words\n"
            "        set -l named (string replace -r '^--" COMMAND_GAME_OPTION "=' '' -- $word)\n"
            "        if begin; set -q next; or test \"$named\" != \"$word\"; end; and contains -- "
            "$named $games\n"
            "            set game $named\n"
            "        end\n"
            "        set -e next\n"
            "        test \"$word\" = --" COMMAND_GAME_OPTION "; and set -l next yes\n"
            "    end\n"
            "    contains -- \"$game:$command\" $argv\n"
            "end\n"
            "complete -c taluva -f\n",
            games_default()->name);
    each_command(fish_command, out);
    for (size_t i = 0; games_at(i); i++) {
        const char *name = games_at(i)->name;
        fprintf(out, "complete -c taluva -n '__taluva_is %s:' -a help -d 'Explain a command'\n",
                name);
        fprintf(out, "complete -c taluva -n '__taluva_is %s:help' -a '", name);
        print_commands(games_at(i), out);
        fputs("'\n", out);
    }
    fputs("complete -c taluva -n __fish_use_subcommand -a '", out);
    print_games(out);
    fputs("' -d 'the same for this game'\n"
          "complete -c taluva -n __fish_use_subcommand -l help -s h -d 'what there is'\n"
          "complete -c taluva -n __fish_use_subcommand -l version -s V -d 'which version this "
          "is'\n",
          out);
}

/* ---- all */

bool completion_print(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        print_fish(out);
    else
        return false;
    return true;
}
