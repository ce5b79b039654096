/*
 * Public keys as authenticators give them, COSE (RFC 9052, RFC 9053, RFC 8230), of the three kinds
 * that are asked for (public_key/public_key.h).
 */
#ifndef WEBAUTHN_COSE_H
#define WEBAUTHN_COSE_H

#include "cbor.h"
#include <webauthn/webauthn.h>

/*
 * The map with a key, at which the bytes begin; what stands behind it is `*rest`. A key that is
 * none, or with more in it than its kind has, is WEBAUTHN_BAD_KEY.
 */
enum webauthn_fault cose_read(struct webauthn_bytes bytes, enum webauthn_algorithm *algorithm,
                              struct webauthn_bytes *rest);

/* Is it the key's signature of these bytes? */
enum webauthn_fault cose_verify(struct webauthn_bytes key, struct webauthn_bytes text,
                                struct webauthn_bytes signature);

#endif
