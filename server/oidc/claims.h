/* What a token says, which is signed (OpenID Connect Core 1.0, 3.1.3.7). */
#ifndef OIDC_CLAIMS_H
#define OIDC_CLAIMS_H

#include <jansson.h>
#include <oidc/token.h>

enum oidc_fault claims_check(const json_t *claims, const struct oidc_wanted *wanted,
                             char subject[static OIDC_SUBJECT_MAX + 1]);

#endif
