/*
 * Text from outside as UTF-8, which is all that is spoken here: what a terminal or a script in
 * another encoding gives is converted from that of the locale, or refused.
 */
#ifndef CLI_ENCODING_H
#define CLI_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

/* The locale's, as nl_langinfo has it. */
const char *encoding_of_locale(void);

/* `in` as UTF-8. False if it is none, and not text of `encoding` either, or does not fit. */
bool encoding_to_utf8(char *out, size_t size, const char *in, const char *encoding);

/* The same for the locale's: `in` itself where it is UTF-8, else `out`; NULL: it is neither. */
const char *encoding_read(char *out, size_t size, const char *in);

/* Behind the mark that some editors put at the beginning of UTF-8. */
const char *encoding_skip_mark(const char *text, size_t len);

#endif
