#include "discovery.h"

#include "text.h"
#include <string.h>

static bool read_endpoint(const json_t *said, const char *name, const char *issuer,
                          char endpoint[static OIDC_ENDPOINT_MAX + 1])
{
    const char *url = text_member(said, name);
    if (!url || !text_is_url(url, OIDC_ENDPOINT_MAX) ||
        (text_is_of_this_machine(url) && !text_is_of_this_machine(issuer)))
        return false;
    memcpy(endpoint, url, strlen(url) + 1);
    return true;
}

/* Is the list there, and without that word? */
static bool leaves_out(const json_t *said, const char *name, const char *word)
{
    const json_t *list = json_object_get(said, name);
    for (size_t at = 0; at < json_array_size(list); at++) {
        const char *text = json_string_value(json_array_get(list, at));
        if (text && strcmp(text, word) == 0)
            return false;
    }
    return list != NULL;
}

static bool knows_algorithms(const json_t *said)
{
    static const char name[] = "id_token_signing_alg_values_supported";
    return !leaves_out(said, name, "RS256") || !leaves_out(said, name, "ES256") ||
           !leaves_out(said, name, "EdDSA");
}

static const char *what_is_wrong(const json_t *said, const char *issuer,
                                 struct oidc_endpoints *endpoints)
{
    const char *name = text_member(said, "issuer");
    if (!said)
        return "what it says of itself is no JSON object";
    if (!name || strcmp(name, issuer) != 0)
        return "it says that it is another issuer than --oidc-issuer";
    if (!read_endpoint(said, "authorization_endpoint", issuer, endpoints->authorization) ||
        !read_endpoint(said, "token_endpoint", issuer, endpoints->token) ||
        !read_endpoint(said, "jwks_uri", issuer, endpoints->keys))
        return "it names no addresses by https for signing in, tokens and keys";
    if (!knows_algorithms(said))
        return "it signs in no way that is known here: RS256, ES256, EdDSA";
    if (leaves_out(said, "code_challenge_methods_supported", "S256"))
        return "it does not take PKCE with S256";
    return NULL;
}

bool discovery_read(struct oidc_endpoints *endpoints, const char *issuer, const char *text,
                    size_t len, const char **why)
{
    bool memory;
    json_t *said = text_object(text, len, &memory);
    *why = memory ? what_is_wrong(said, issuer, endpoints) : "out of memory";
    endpoints->secret_in_body =
        leaves_out(said, "token_endpoint_auth_methods_supported", "client_secret_basic");
    json_decref(said);
    return !*why;
}
