/*
 * Reads one JSON text (RFC 8259) into a tree of jansson values.
 *
 * jansson's own reader is not used: it cannot tell bad text from missing memory, recurses as deep
 * as a peer likes (up to 2048), and when an allocation fails it may write past the end of its
 * buffer. This one uses jansson's constructors only, and no state outside the call, so threads may
 * read at the same time. Stricter than the RFC in one thing, as jansson is: no U+0000 in strings.
 */
#ifndef PROTOCOL_JSON_READ_H
#define PROTOCOL_JSON_READ_H

#include <jansson.h>
#include <stddef.h>

enum json_read {
    JSON_READ_OK,
    JSON_READ_BAD,      /* not JSON, or not UTF-8 */
    JSON_READ_TOO_DEEP, /* what comes after that place was not looked at */
    /* The rest are told only of a text that is JSON throughout; the first of them in the text. */
    JSON_READ_DUPLICATE_KEY,
    JSON_READ_OVERFLOW, /* an integer beyond 64 bits, a real beyond a double */
    JSON_READ_NO_MEMORY,
};

/*
 * `len` is at most PROTOCOL_MESSAGE_BYTES. With JSON_READ_OK `*value` is the caller's, else it is
 * NULL.
 */
enum json_read json_read(json_t **value, const char *bytes, size_t len, unsigned depth_max);

#endif
