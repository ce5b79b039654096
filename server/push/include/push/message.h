/*
 * A message of Web Push as the browser's push service takes it: encrypted for the browser (RFC 8291
 * with RFC 8188's aes128gcm), and the server's signature that lets it in (VAPID, RFC 8292).
 *
 * Knows keys and bytes: no socket, no file, no clock. Everything may be called on any thread; a
 * signer is not changed by signing.
 */
#ifndef PUSH_MESSAGE_H
#define PUSH_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PUSH_POINT_BYTES = 65,  /* a public key of P-256, uncompressed */
    PUSH_SECRET_BYTES = 32, /* a private key of P-256 */
    PUSH_AUTH_BYTES = 16,
    PUSH_SALT_BYTES = 16,
    PUSH_TEXT_MAX = 1024, /* ours are a few lines */
    /* salt, record size, length of the key and the key; then the text, a delimiter and a tag */
    PUSH_HEAD_BYTES = PUSH_SALT_BYTES + 4 + 1 + PUSH_POINT_BYTES,
    PUSH_BODY_MAX = PUSH_HEAD_BYTES + PUSH_TEXT_MAX + 1 + 16,
    PUSH_POINT_TEXT = 87, /* base64url of a public key */
    PUSH_TOKEN_MAX = 1024,
};

/* What a browser gives with its subscription. */
struct push_receiver {
    uint8_t point[PUSH_POINT_BYTES]; /* `p256dh` */
    uint8_t auth[PUSH_AUTH_BYTES];
};

/* Is it a point of the curve? Others encrypt nothing. */
bool push_point_is_valid(const uint8_t point[static PUSH_POINT_BYTES]);

/* The encrypted text. False: it is too long, the receiver's key is no key, or no memory. */
bool push_encrypt(const struct push_receiver *to, const char *text, size_t len,
                  uint8_t body[static PUSH_BODY_MAX], size_t *body_len);
/* The same with a key and a salt that are not random: for the test vectors alone. */
bool push_encrypt_with(const struct push_receiver *to, const uint8_t secret[static 32],
                       const uint8_t salt[static PUSH_SALT_BYTES], const char *text, size_t len,
                       uint8_t body[static PUSH_BODY_MAX], size_t *body_len);

/* The server's key pair: push services know the server by it. */
struct push_signer;

/* A private key, for push_signer_create. False: no memory. */
bool push_secret_make(uint8_t secret[static PUSH_SECRET_BYTES]);
/*
 * `contact`, a mailto: or https: address for who runs a push service, is copied. NULL: the bytes
 * are no private key, or no memory.
 */
struct push_signer *push_signer_create(const uint8_t secret[static PUSH_SECRET_BYTES],
                                       const char *contact);
void push_signer_destroy(struct push_signer *signer); /* takes NULL */
/* base64url without padding, as browsers want it: `applicationServerKey`. */
const char *push_signer_key(const struct push_signer *signer);

/*
 * The value of the header Authorization for a push service of that origin ("https://host"), good
 * until `until_s` (seconds since 1970-01-01 UTC). False: no memory, or too long.
 */
bool push_sign(const struct push_signer *signer, const char *origin, int64_t until_s,
               char header[static PUSH_TOKEN_MAX]);

#endif
