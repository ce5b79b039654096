/*
 * CBOR (RFC 8949) in the canonical form of CTAP2, as far as authenticators have a use for it:
 * numbers, strings, arrays, maps, false, true and null, four deep. Lengths are definite and as
 * short as can be, no map has a key twice; there are no tags, no floats, and no other values.
 *
 * Nothing is copied: what is read points into the bytes.
 */
#ifndef WEBAUTHN_CBOR_H
#define WEBAUTHN_CBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <webauthn/bytes.h>

enum { CBOR_DEPTH_MAX = 4, CBOR_ENTRIES_MAX = 32 };

/* The major types. */
enum cbor_type {
    CBOR_UNSIGNED,
    CBOR_NEGATIVE,
    CBOR_BYTES,
    CBOR_TEXT,
    CBOR_ARRAY,
    CBOR_MAP,
    CBOR_TAG, /* is refused */
    CBOR_SIMPLE,
};

struct cbor_value {
    enum cbor_type type;
    uint64_t number;             /* its argument: of a negative number n this is -1 - n */
    struct webauthn_bytes bytes; /* of a string: what is in it */
    struct webauthn_bytes coded; /* all of it, as it stands there */
};

struct cbor_map {
    size_t count;
    struct {
        struct cbor_value key, value; /* a key is a number or a string */
    } entries[CBOR_ENTRIES_MAX];
};

/* One map, which begins there and is read whole; `*rest` is what stands behind it. */
bool cbor_read_map(struct webauthn_bytes bytes, struct cbor_map *map, struct webauthn_bytes *rest);

/* NULL: it has no such key. */
const struct cbor_value *cbor_find_text(const struct cbor_map *map, const char *key);
const struct cbor_value *cbor_find_number(const struct cbor_map *map, int64_t key);

/* Is it that number? */
bool cbor_is_number(const struct cbor_value *value, int64_t number);

#endif
