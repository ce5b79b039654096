/*
 * How every program begins and ends: with three standard descriptors, and with a status that says
 * whether what it printed has reached somebody.
 */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

/*
 * The first thing in main. A standard descriptor that was closed would be given to the next socket
 * or file: /dev/null takes its place, from which nothing is read, and into which nothing can be
 * written, so that lost output is told. A limit on the size of files is told by the call that
 * meets it.
 */
void program_begin(void);

/* Output has failed with this errno, and nobody will flush it again. */
void program_output_failed(int error);

/* What has been printed is wanted now; why it could not be written is kept for the end. */
void program_flush_output(void);

/*
 * The last thing in main: the exit status. `status`, but EX_IOERR, which has been said, if the
 * standard output could not be written. If its reader is gone the process ends by SIGPIPE, as it
 * would have without anything done about it, unless that is ignored by whoever started it.
 */
int program_end(const char *program, int status);

#endif
