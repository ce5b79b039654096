/*
 * Reading a line that nobody else should see: at a terminal it is not shown, and it never stands on
 * a command line, where other users of the machine would see it.
 */
#ifndef CLI_SECRET_H
#define CLI_SECRET_H

#include <stdbool.h>
#include <stddef.h>

enum secret_read {
    SECRET_READ,
    SECRET_NONE, /* the input has ended */
    SECRET_INTERRUPTED,
};

/*
 * The next line of the standard input, without its end; what does not fit is cut off. At a terminal
 * the prompt is written to the standard error, and what is typed is not shown. The caller wipes it.
 */
enum secret_read secret_read(const char *prompt, char *line, size_t size);

/* A person types it, and can be asked again. */
bool secret_is_typed(void);

#endif
