/*
 * Reads one JSON text (RFC 8259) into a tree of jansson values, or an object into a list of its
 * members, which takes no memory of the heap for strings and numbers.
 *
 * jansson's own reader is not used: it cannot tell bad text from missing memory, recurses as deep
 * as a peer likes (up to 2048), and when an allocation fails it may write past the end of its
 * buffer. This one uses jansson's constructors only, and no state outside the call, so threads may
 * read at the same time. Stricter than the RFC in one thing, as jansson is: no U+0000 in strings.
 */
#ifndef PROTOCOL_JSON_READ_H
#define PROTOCOL_JSON_READ_H

#include <jansson.h>
#include <protocol/limits.h>
#include <stddef.h>
#include <stdint.h>

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
/* The same of a text that may be longer than a message, with memory for `len` + 1 bytes. A number
 * that is longer than that is JSON_READ_OVERFLOW. */
enum json_read json_read_long(json_t **value, const char *bytes, size_t len, unsigned depth_max,
                              char *scratch);

struct json_member {
    const char *name; /* ends with NUL, as `text` does */
    json_type type;
    size_t len;       /* of `text` */
    const char *text; /* JSON_STRING */
    int64_t integer;  /* JSON_INTEGER */
    json_t *tree;     /* JSON_OBJECT and JSON_ARRAY, else NULL; of all others the type is enough */
};

enum { JSON_MEMBERS_MAX = 64 };

/* The members of one object in the order of the text, with the memory that their strings are in. */
struct json_members {
    size_t count;
    struct json_member list[JSON_MEMBERS_MAX];
    char text[PROTOCOL_MESSAGE_BYTES + 1];
};

/*
 * The same of an object; any other text is JSON_READ_BAD. Members beyond JSON_MEMBERS_MAX are
 * checked, but not kept, nor compared with each other. With JSON_READ_OK the members must be
 * released, else there are none.
 */
enum json_read json_read_members(struct json_members *members, const char *bytes, size_t len,
                                 unsigned depth_max);
void json_members_release(struct json_members *members);
/* NULL: none is called so. */
const struct json_member *json_members_find(const struct json_members *members, const char *name);

#endif
