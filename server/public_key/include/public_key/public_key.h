/*
 * Public keys of three kinds, and whether a signature is one of theirs: ECDSA on P-256 and RSA with
 * PKCS #1 v1.5, both with SHA-256, and Ed25519. By OpenSSL, and Ed25519 by libsodium. Values in,
 * values out: how a key is written down is the caller's affair.
 */
#ifndef PUBLIC_KEY_H
#define PUBLIC_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum public_key_kind { PUBLIC_KEY_P256, PUBLIC_KEY_ED25519, PUBLIC_KEY_RSA };

enum {
    PUBLIC_KEY_POINT_BYTES = 32,
    PUBLIC_KEY_P256_RAW_BYTES = 64, /* a signature as two numbers of 32 bytes */
    PUBLIC_KEY_MODULUS_BYTES_MIN = 256,
    PUBLIC_KEY_MODULUS_BYTES_MAX = 512,
};

struct public_key_bytes {
    const uint8_t *at;
    size_t len;
};

/* What it says is borrowed. */
struct public_key {
    enum public_key_kind kind;
    struct public_key_bytes x, y; /* of a curve: POINT_BYTES; Ed25519 has no y */
    struct public_key_bytes n, e; /* of RSA, without zeros before them */
};

/* Has it what its kind has: points of their length; a modulus that is odd and of a length between
 * those above, with the exponent 3 or 65537? */
bool public_key_has_form(const struct public_key *key);
/* The same, and there is such a key: it is a point of the curve. False as well: no memory. */
bool public_key_is_usable(const struct public_key *key);

enum public_key_verdict { PUBLIC_KEY_RIGHT, PUBLIC_KEY_WRONG, PUBLIC_KEY_NO_MEMORY };

/* Of one that has the form. A signature of P-256 is in DER. */
enum public_key_verdict public_key_verify(const struct public_key *key,
                                          struct public_key_bytes text,
                                          struct public_key_bytes signature);
/* The same of P-256, with the signature as two numbers. */
enum public_key_verdict
public_key_verify_raw(const struct public_key *key, struct public_key_bytes text,
                      const uint8_t signature[static PUBLIC_KEY_P256_RAW_BYTES]);

#endif
