/*
 * Text that people wrote and other people will see: names, titles, chat messages, devices.
 *
 * Clean text is valid UTF-8, trimmed of white space at both ends, has 1 to `chars_max` code points,
 * at least one that can be seen, and none that is a control character (C0, DEL, C1, line and
 * paragraph separator), that turns the direction of the text around (Bidi_Control), or that is no
 * character at all (noncharacters, U+FFF9..FFFB). What can be seen by itself is a letter, a number,
 * a punctuation mark, a symbol, or what Unicode has not assigned yet; but no mark that combines,
 * and nothing that may be ignored or is blank. All of that stands in a table that is made from
 * Unicode's data (../unicode).
 */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the trimmed text with a NUL to `out`, which has `size` bytes. False, with `out` empty, if
 * the text is not clean or does not fit. `in` may not overlap `out`.
 */
bool text_clean(char *out, size_t size, const char *in, size_t len, size_t chars_max);

/* A character that clean text has nowhere. */
bool text_forbidden(uint32_t point);

/*
 * The same for what was stored: of what was clean once, also with less strict a table, nothing is
 * refused.
 */
bool text_kept(char *out, size_t size, const char *in, size_t len, size_t chars_max);

/*
 * Would people take one clean text for the other? That is so if they are equal but for upper and
 * lower case, white space, what may be ignored, compatibility forms, how marks are composed, and
 * letters of other alphabets that look like Latin ones.
 */
bool text_looks_alike(const char *one, const char *other);

/* What a code point is compared as: up to so many; 0: as nothing. */
enum { TEXT_FOLD_MAX = 3 };
size_t text_fold(uint32_t point, uint32_t to[TEXT_FOLD_MAX]);

/*
 * Decodes the code point at `*at` and moves `*at` behind it. UTF8_BAD for anything but
 * shortest-form UTF-8 of a scalar value; `*at` is then one byte further. `*at < end` must hold.
 */
#define UTF8_BAD UINT32_C(0xffffffff)
uint32_t utf8_next(const char **at, const char *end);

/* Whether it is UTF-8 all through, in the sense of utf8_next. */
bool utf8_valid(const char *bytes, size_t len);

#endif
