/*
 * The commands of `taluva`: one file each, one row each in the table of command.c.
 *
 * The row is all there is to know about a command from outside; usage, --help and the manual page
 * are generated from it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <cli/options.h>

#include <stdio.h>

/* Documented in the manual; every command ends with one of them. */
enum exit_code {
    EXIT_OK = 0,
    EXIT_DIFFERS = 1, /* replay, perft, verify, legal: checked, and found wrong */
    EXIT_USAGE = 2,
    EXIT_FILE = 3,    /* a file cannot be read or written, or is not of the right form */
    EXIT_NETWORK = 4, /* the server cannot be reached, or the connection was lost for good */
    EXIT_REFUSED = 5, /* the server said no */
    EXIT_MEMORY = 6,
    EXIT_INTERRUPTED = 7,
};

/* Options of every command that talks to a server. */
struct online_options {
    const char *server;  /* or NULL: TALUVA_SERVER, or the default */
    const char *name;    /* the player's, or NULL */
    const char *profile; /* whose token; NULL: "default" */
    const char *code;    /* invitation */
    const char *ca;      /* NULL: the system's certificate authorities */
    bool json;
    bool ascii;
    bool no_color;
    bool small;
    int64_t patience_s; /* how long to try to get (back) to the server */
};

struct invocation {
    const void *options; /* the command's own struct, filled in */
    struct online_options online;
    int operand_count;
    char **operands;
};

struct command {
    const char *name;
    const char *operands;           /* "ROOM", "FILE...", "" */
    const char *summary;            /* one line */
    const char *details;            /* paragraphs for --help and the manual */
    int operands_min, operands_max; /* max -1: any number */
    bool online;
    const struct option_row *rows; /* NULL: none of its own */
    size_t options_size;           /* of its struct, which starts as zeros */
    int (*run)(const struct invocation *);
};

enum { COMMAND_OPTIONS_MAX = 256 }; /* bytes of the largest options struct */

extern const struct command *const commands[]; /* sorted, ends with NULL */

extern const struct command command_bot;
extern const struct command command_create;
extern const struct command command_join;
extern const struct command command_legal;
extern const struct command command_perft;
extern const struct command command_record;
extern const struct command command_replay;
extern const struct command command_rooms;
extern const struct command command_show;
extern const struct command command_verify;
extern const struct command command_watch;

const struct command *command_find(const char *name);

/* argv without program and command name. Handles --help and bad usage. */
int command_run(const struct command *command, int argc, char **argv);

/* Usage of the program, help of one command, the manual page in man(7) macros. */
void usage_print(FILE *out);
void help_print(const struct command *command, FILE *out);
void manual_print(FILE *out);

#endif
