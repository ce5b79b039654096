/* What a provider says of itself (OpenID Connect Discovery 1.0, 4.3). */
#ifndef OIDC_DISCOVERY_H
#define OIDC_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>

enum { OIDC_ENDPOINT_MAX = 512 };

struct oidc_endpoints {
    char authorization[OIDC_ENDPOINT_MAX + 1], token[OIDC_ENDPOINT_MAX + 1];
    char keys[OIDC_ENDPOINT_MAX + 1];
    bool secret_in_body; /* of the request for a token: it takes it in no other way */
};

/*
 * False, with `why`: it is no such text, another issuer's, or its endpoints are not by https (or
 * on this machine, if the issuer is). Where people are sent is what the issuer says here.
 */
bool discovery_read(struct oidc_endpoints *endpoints, const char *issuer, const char *text,
                    size_t len, const char **why);

#endif
