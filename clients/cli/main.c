#include <cli/command.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    if (argc < 2) {
        usage_print(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage_print(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("taluva " TALUVA_VERSION);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--manual") == 0) { /* for the build, which makes taluva.1 of it */
        manual_print(stdout);
        return EXIT_OK;
    }
    const struct command *command = command_find(argv[1]);
    if (!command) {
        fprintf(stderr, "taluva: there is no command '%s'\nTry: taluva --help\n", argv[1]);
        return EXIT_USAGE;
    }
    return command_run(command, argc - 2, argv + 2);
}
