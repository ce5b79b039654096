/*
 * Scripts that complete the command line in a shell: generated from the tables of commands and
 * options, as the manual is.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* `shell`: bash, zsh or fish. False if it is another one. */
bool completion_print(const char *shell, FILE *out);

#endif
