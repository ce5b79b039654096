/* Keys of the curve P-256 by OpenSSL, which libwebsockets brings with it: libsodium has no P-256.
 */
#ifndef PUSH_CURVE_H
#define PUSH_CURVE_H

#include <openssl/evp.h>
#include <push/message.h>

/* The public key of a private one. False: it is no private key, or no memory. */
bool curve_public(const uint8_t secret[static PUSH_SECRET_BYTES],
                  uint8_t point[static PUSH_POINT_BYTES]);
/* For EVP_PKEY_free. NULL: no such key, or no memory. `secret` NULL: the public key alone. */
EVP_PKEY *curve_key(const uint8_t point[static PUSH_POINT_BYTES], const uint8_t *secret);

#endif
