/*
 * Text in rows of so many columns, broken at blanks. Knows no screen.
 */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdio.h>

/*
 * One line. Rows after the first are indented as it is, and by two more. A word that is longer than
 * a row is left whole: a terminal breaks it so that it can be copied. `end` is written behind each
 * row. What may not reach a terminal is replaced, as glyph_print_text does.
 */
void wrap_line(const char *line, int columns, const char *end, FILE *out);

/* Lines, each with its \n, into rows that have it; a longer word goes on in the next one. Returns
 * how many rows there are. */
int wrap_text(const char *text, int columns, FILE *out);

#endif
