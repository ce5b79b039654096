/*
 * The public keys by which a server's signatures are checked: Ed25519 (RFC 8032), written as JSON
 * Web Keys (RFC 7517, RFC 8037), and named by their thumbprints (RFC 7638).
 *
 *     {"kty":"OKP","crv":"Ed25519","kid":"kPrK_qmx...","x":"11qYAYKx...","iat":1790000000}
 *
 * `iat` is when the server began to sign with it and `exp`, of an earlier key, when it ended.
 */
#ifndef PROTOCOL_KEYS_H
#define PROTOCOL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;
struct writer;

enum {
    KEY_BYTES = 32,
    KEY_TEXT_BYTES = 43, /* base64url of a key */
    KEY_ID_BYTES = 43,   /* base64url of a SHA-256 hash */
    KEYS_MAX = 32,       /* of one server, the earlier ones included */
};

#define KEY_IN_USE INT64_C(0)

/* Times are seconds since 1970-01-01 UTC. A plain value. */
struct public_key {
    uint8_t bytes[KEY_BYTES];
    char id[KEY_ID_BYTES + 1];
    int64_t from_s;  /* 0: not known */
    int64_t until_s; /* KEY_IN_USE: it is used now */
};

struct key_set {
    struct public_key list[KEYS_MAX]; /* of a server: the one in use, then the latest first */
    size_t count;
};

/* The key with its thumbprint, in use from then on. */
void public_key_init(struct public_key *key, const uint8_t bytes[KEY_BYTES], int64_t from_s);

/* base64url without padding, as in a JWK's `x`. */
void key_encode(char out[KEY_TEXT_BYTES + 1], const uint8_t bytes[KEY_BYTES]);
bool key_decode(uint8_t bytes[KEY_BYTES], const char *text, size_t len);

/* An array of JWKs, the value of `keys` in a JWK set. */
void key_set_write(const struct key_set *keys, struct writer *writer);

/*
 * Reads such an array. Keys of other kinds are passed over, as RFC 7517 asks for. False if it is no
 * array of objects, if a key of ours is damaged, or if there are more than KEYS_MAX of them.
 */
bool key_set_read(struct key_set *keys, const struct json_t *array);

/* The key with this id, or NULL. */
const struct public_key *key_set_find(const struct key_set *keys, const char *id);

#endif
