#include <cli/command.h>

#include <cli/game.h>
#include <stdarg.h>

void command_print_called(const struct game *game, FILE *out)
{
    fputs("taluva", out);
    if (game != games_default())
        fprintf(out, " %s", game->name);
}

void command_print_usage(const struct game *game, const struct command *command, FILE *out)
{
    fputs("Usage: ", out);
    command_print_called(game, out);
    fprintf(out, " %s [OPTIONS]%s%s\n", command->name, *command->operands ? " " : "",
            command->operands);
}

int command_complain(const struct invocation *invocation, const char *format, ...)
{
    const char *name = invocation->command->name;
    va_list arguments;
    command_print_called(invocation->game, stderr);
    fprintf(stderr, " %s: ", name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    command_print_usage(invocation->game, invocation->command, stderr);
    fputs("Try: ", stderr);
    command_print_called(invocation->game, stderr);
    fprintf(stderr, " %s --help\n", name);
    return EXIT_USAGE;
}
