/*
 * What is to be asked, as the command line says it. Prints nothing but the help.
 */
#ifndef ADMIN_COMMAND_LINE_H
#define ADMIN_COMMAND_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { COMMAND_PROBLEM_BYTES = 400 };

enum command_shape {
    SHAPE_VALUES,
    SHAPE_STATUS, /* values, and of a node of a site its parts and links */
    SHAPE_ROOMS,
    SHAPE_ROOM,
    SHAPE_SESSIONS,
    SHAPE_ADDRESSES,
    SHAPE_BANS,
    SHAPE_LETTERS,
    SHAPE_REPORTS,
    SHAPE_REPORT,
    SHAPE_MODERATORS,
    SHAPE_LOBBY
};

struct command {
    const char *name; /* also the operation of the protocol */
    const char *usage, *help;
    const struct option_row *rows; /* its own options */
    const char *operand;           /* the request's member that its operand is; NULL: none */
    bool filters;                  /* its operand, if any, chooses among what is shown */
    enum command_shape shape;      /* of the answer */
};

struct command_line {
    const struct command *command;
    const char *socket; /* NULL: the usual places */
    int64_t patience_s;
    bool json;
    bool all, cancel;
    const char *reason, *duration, *to, *why, *text, *lang;
    const char *verdict; /* a second operand */
    int64_t number;      /* the operand, if it is one; 0: it is none */
    bool force;
    int64_t for_s;       /* made of the duration; 0: none was given */
    const char *operand; /* NULL: none */
};

enum command_line_outcome { LINE_OK, LINE_HELP, LINE_VERSION, LINE_BAD };

/* argv is rearranged; texts point into it and the environment. LINE_BAD: `problem` says why. */
enum command_line_outcome command_line_read(struct command_line *line, int argc, char **argv,
                                            char problem[static COMMAND_PROBLEM_BYTES]);
/* The request without its id, a new reference; NULL: no memory. */
json_t *command_line_request(const struct command_line *line);

/* Of one command, or (NULL) of all; the usage is one line. */
void command_line_usage(const struct command *command, FILE *out);
void command_line_help(const struct command *command, FILE *out);

#endif
