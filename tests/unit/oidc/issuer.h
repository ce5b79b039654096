/* An issuer of ID tokens in the test's own process: its keys, and tokens that are signed by them.
 */
#ifndef ISSUER_H
#define ISSUER_H

#include <stddef.h>

enum issuer_kind { ISSUER_RS256, ISSUER_ES256, ISSUER_EDDSA, ISSUER_KINDS };
enum { ISSUER_TEXT = 4096 };

/* A key for each kind, drawn once for all tests of a case: that takes longer than any of them. */
void issuer_begin(void);
void issuer_end(void);

/* As a JWK, without the braces and without members but those of its kind. */
void issuer_jwk(enum issuer_kind kind, char text[static ISSUER_TEXT]);
const char *issuer_alg(enum issuer_kind kind);

/* The token with this header and these claims, signed by that key. */
void issuer_sign(enum issuer_kind kind, const char *header, const char *claims,
                 char token[static ISSUER_TEXT]);

/* Text in base64url. */
void issuer_encode(const void *bytes, size_t len, char *text, size_t size);

#endif
