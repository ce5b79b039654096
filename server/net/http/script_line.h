/*
 * Whether what begins in a line of a script ends in it, too. What is found is never wrong, but it
 * may be that nothing can be said: a line is read without those before it.
 */
#ifndef NET_HTTP_SCRIPT_LINE_H
#define NET_HTTP_SCRIPT_LINE_H

#include <stdbool.h>

bool script_starts_with(const unsigned char *at, const unsigned char *end, const char *two);

/* Behind the end of the comment that begins there; NULL: it has none. */
const unsigned char *script_find_block_end(const unsigned char *at, const unsigned char *end);

/* Whether all strings, templates, regular expressions and comments of the line that is at..end end
 * in it; false, too, if that cannot be said. */
bool script_line_is_whole(const unsigned char *at, const unsigned char *end);

#endif
