/*
 * ID tokens (OpenID Connect Core 1.0, section 2; RFC 7519, RFC 7515): is it one of that issuer's,
 * for this client, for the sign-in that was begun here, and still good? As strictly as the standard
 * lets one be. Signatures are RS256, ES256 or EdDSA with Ed25519: what is not signed, or signed
 * with a secret that the client has too, is refused. Values in, values out.
 *
 * Only the tokens that there are have to be read: there are well-kept libraries for all of JOSE,
 * but that of Debian 12 (libcjose 0.6) knows no EdDSA and checks no claims, and others bring a
 * second HTTP and a cache with them. What is left is the few hundred lines of this folder.
 */
#ifndef OIDC_TOKEN_H
#define OIDC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OIDC_TOKEN_MAX = 16384,
    OIDC_KEYS_MAX = 32,      /* of a provider: more are not read */
    OIDC_SUBJECT_MAX = 255,  /* bytes of `sub` */
    OIDC_TOLERANCE_S = 60,   /* by which clocks may differ */
    OIDC_AGE_MAX_S = 600,    /* since it was issued, which is right before it is fetched */
    OIDC_AUDIENCES_MAX = 16, /* for whom one token may be */
};

enum oidc_fault {
    OIDC_OK,
    OIDC_NO_MEMORY,
    OIDC_BAD_TOKEN,       /* not three parts, or not JSON */
    OIDC_OTHER_ALGORITHM, /* `none` and HS256 among them; or a header that must be understood */
    OIDC_UNKNOWN_KEY,     /* the provider may have new ones */
    OIDC_BAD_SIGNATURE,
    OIDC_OTHER_ISSUER,
    OIDC_OTHER_AUDIENCE, /* `aud`, or `azp` */
    OIDC_EXPIRED,
    OIDC_BAD_TIME, /* `iat` or `nbf`: in the future, long ago, or missing */
    OIDC_OTHER_NONCE,
    OIDC_BAD_SUBJECT,
    OIDC_FAULTS
};
const char *oidc_fault_name(enum oidc_fault fault); /* a-z and _ */

/* The public keys of a provider (RFC 7517) that are for signatures and of a kind that is known;
 * others are passed over. NULL: it is no such text, or no memory. */
struct oidc_keys;
struct oidc_keys *oidc_keys_read(const char *text, size_t len);
size_t oidc_keys_count(const struct oidc_keys *keys);
void oidc_keys_destroy(struct oidc_keys *keys); /* takes NULL */

struct oidc_wanted {
    const char *issuer, *client, *nonce;
    int64_t now_s;
};

/* `subject`: whom the issuer means, from OIDC_OK on. */
enum oidc_fault oidc_token_check(const char *token, size_t len, const struct oidc_keys *keys,
                                 const struct oidc_wanted *wanted,
                                 char subject[static OIDC_SUBJECT_MAX + 1]);

#endif
