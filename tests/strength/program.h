/*
 * A player that is a program of its own: lines to its standard input, lines from its standard
 * output, neither of which ever blocks. It runs in a process group of its own, and what it writes
 * to its standard error is shown.
 */
#ifndef TEST_STRENGTH_PROGRAM_H
#define TEST_STRENGTH_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    PROGRAM_LINE_BYTES = 64 * 1024,     /* a longer line is a fault */
    PROGRAM_UNREAD_BYTES = 1024 * 1024, /* of lines that it does not read; more are a fault */
};

/* What can be wrong with a program; each ends its match. */
enum program_fault {
    PROGRAM_FINE,
    PROGRAM_ENDED,   /* it closed its output, or ended, before the match was over */
    PROGRAM_SILENT,  /* no move for too long */
    PROGRAM_DEAF,    /* it does not read what it is told */
    PROGRAM_RUBBISH, /* what it says is no request */
    PROGRAM_REFUSED, /* what it asks for is refused again and again */
};
enum { PROGRAM_FAULTS = PROGRAM_REFUSED + 1 };
const char *program_fault_name(enum program_fault fault);

struct program {
    pid_t pid; /* 0: none */
    int to, from;
    char *unread; /* not yet taken by its input */
    size_t unread_len, unread_size;
    char line[PROGRAM_LINE_BYTES]; /* of its output, as far as it has come */
    size_t line_len, taken;
    enum program_fault fault;
};

/* Runs a command line of the shell. False: it cannot be started. */
bool program_start(struct program *program, const char *command);
/* Ends it, at once if it does not end by itself within `patience_ms` of losing its input. */
void program_stop(struct program *program, int patience_ms);

/* Queues a line; its newline is added. */
void program_tell(struct program *program, const char *line, size_t len);
/* The next whole line of its output, NULL: there is none. Valid until the next call. */
const char *program_line(struct program *program);

/* Waits until one of them has something to say or to take, or the time is over; sees to it. */
void programs_wait(struct program *const *programs, size_t count, int timeout_ms);

#endif
