/*
 * Text that people wrote and other people will see: names, titles, chat messages.
 *
 * Clean text is valid UTF-8, trimmed of white space at both ends, has 1 to `chars_max` code points,
 * at least one that can be seen, and none that is a control character (C0, DEL, C1, line and
 * paragraph separator), that turns the direction of the text around (U+061C, U+200E, U+200F,
 * U+202A..202E, U+2066..2069), or that is no character at all (noncharacters, U+FFF9..FFFB).
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

/*
 * Decodes the code point at `*at` and moves `*at` behind it. UTF8_BAD for anything but
 * shortest-form UTF-8 of a scalar value; `*at` is then one byte further. `*at < end` must hold.
 */
#define UTF8_BAD UINT32_C(0xffffffff)
uint32_t utf8_next(const char **at, const char *end);

/* Whether it is UTF-8 all through, in the sense of utf8_next. */
bool utf8_valid(const char *bytes, size_t len);

#endif
