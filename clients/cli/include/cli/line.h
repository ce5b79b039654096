/*
 * One line of text as a command takes it: its arguments with a blank between, or for `-` the
 * standard input without the newlines at its end.
 */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include <cli/file.h>

/* EXIT_OK, and the caller releases the line; else an exit code. */
int line_read(struct file *line, int count, char *const *words);

/* Says what is wrong, and where reading stopped, with a caret below a line that may be long. */
void line_explain(const struct file *line, size_t offset, const char *what);

#endif
