/*
 * A command of `taluva`: one file each, one row each in a table, of the client (commands.c) or of a
 * game.
 *
 * The row is all there is to know about a command from outside; usage, --help and the manual page
 * are generated from it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <base/options.h>
#include <stdio.h>
#include <sysexits.h>

/* Documented in the manual; every command ends with one of them. As sysexits has them, but for what
 * was found by checking, and for signals, which are as a shell tells them. */
enum exit_code {
    EXIT_OK = EX_OK,
    EXIT_DIFFERS = 1,  /* replay, perft, verify, legal, event: checked, and found wrong */
    EXIT_UNPROVEN = 8, /* verify: nothing is wrong, but not all is proven that was to be */
    EXIT_USAGE = EX_USAGE,
    EXIT_DATA = EX_DATAERR,        /* what was read is not of the right form */
    EXIT_NETWORK = EX_UNAVAILABLE, /* the server cannot be reached, or was lost for good */
    EXIT_MEMORY = EX_OSERR,
    EXIT_FILE = EX_IOERR,     /* a file, or the output, cannot be read or written */
    EXIT_REFUSED = EX_NOPERM, /* the server said no */
    EXIT_CONFIG = EX_CONFIG,  /* what the person's file says cannot be read */
    EXIT_INTERRUPTED = 130,
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

/* Which seat and pieces: options of every command that takes a seat. */
enum { SEAT_ANY = -1 };
struct seat_options {
    int64_t seat;       /* or SEAT_ANY */
    const char *colour; /* NULL: any */
};

/* The room to be made: options of every command that makes one. NULL: as the server has it. */
struct room_options {
    int64_t move_s, bank_s, increment_s, periods, period_s, days;
    const char *game, *clock, *on_timeout, *hints, *title;
};

struct game;
struct game_type;
struct command;

struct config;

struct invocation {
    const struct config *config; /* what the person's file says */
    const struct game *game;     /* the one that was named, or the first */
    const struct command *command;
    const void *options;                       /* the command's own struct, filled in */
    const void *game_options;                  /* with `creates`: the game's struct */
    struct room_options room;                  /* with `creates` */
    const struct game_type *const *game_types; /* for a server of this program's own */
    struct seat_options where;
    struct online_options online;
    int operand_count;
    char **operands;
    const struct option_table *tables; /* all options that the command takes */
    size_t table_count;
    const struct options_parsed *parsed; /* which were given */
};

struct command {
    const char *name;
    const char *operands;           /* "ROOM", "FILE...", "" */
    const char *const *words;       /* what the first of them can be, for completion; or NULL */
    const char *summary;            /* one line */
    const char *details;            /* paragraphs for --help and the manual */
    int operands_min, operands_max; /* max -1: any number */
    bool online;                    /* takes online_options: those that lead to a server */
    bool enters;                    /* and the code of a room */
    bool draws;                     /* and how the table is drawn */
    bool takes_seat;                /* and seat_options */
    bool creates;                   /* room_options, and what the game's `create` takes */
    bool asks_once;                 /* with `online`: its default --patience is short */
    const struct option_row *rows;  /* NULL: none of its own */
    size_t options_size;            /* of its struct, which starts as zeros */
    int (*run)(const struct invocation *);
};

/* How the commands of a game are called: "taluva", or "taluva NAME". */
void command_print_called(const struct game *game, FILE *out);

/* What it wants, in one line. */
void command_print_usage(const struct game *game, const struct command *command, FILE *out);

/*
 * Says on the standard error what is wrong with the command line, what the command wants, and where
 * to read more. Returns EXIT_USAGE.
 */
int command_complain(const struct invocation *invocation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Among room_options, a text: the game whose options are read. */
#define COMMAND_GAME_OPTION "game"

/* How long a command that asks once tries to reach the server, so that scripts do not hang. */
enum { COMMAND_PATIENCE_S = 10 };

enum { COMMAND_OPTIONS_MAX = 4096 }; /* bytes of the largest options struct */

#endif
