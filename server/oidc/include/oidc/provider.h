/*
 * A provider of OpenID Connect, as one that people sign in at: the authorization code flow with
 * PKCE (RFC 7636), by what the provider says of itself.
 *
 *     oidc_begin    where a browser is sent to                     asks for what is said, once a
 * day oidc_finish   the code that it comes back with -> who it is  asks for a token, and for keys
 *
 * What is fetched is fetched by the caller's function, which waits; so it is for a thread of its
 * own. A provider that is away is not asked again for some seconds, and keys that are not known are
 * looked for now and then: nobody can make this server ask more than that.
 */
#ifndef OIDC_PROVIDER_H
#define OIDC_PROVIDER_H

#include <oidc/token.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OIDC_URL_MAX = 2048,
    OIDC_CODE_MAX = 2048,
    OIDC_CLIENT_MAX = 255,
    OIDC_SECRET_MAX = 255, /* of the client */
    OIDC_DOCUMENT_MAX = 65536,
    OIDC_SAID_MS =
        24 * 3600 * 1000,          /* what it has said of itself, and its keys, hold for so long */
    OIDC_AWAY_MS = 10 * 1000,      /* it is not asked again after it was not reached */
    OIDC_KEYS_AGAIN_MS = 5 * 1000, /* nor for other keys */
};

/* Borrowed for the life of the provider. */
struct oidc_options {
    const char *issuer;   /* oidc_issuer_is_valid */
    const char *client;   /* as what the provider knows this server */
    const char *secret;   /* NULL: it has none, and PKCE is all */
    const char *redirect; /* where the browser comes back to */
};

/* https://host[:port][/path], or by http on this machine. */
bool oidc_issuer_is_valid(const char *issuer);
/* Printable ASCII without blanks, as an id or a secret. */
bool oidc_client_is_valid(const char *text, size_t max);

/* One request. `form`: it is sent by POST; NULL: GET. `user` and `password` by basic
 * authentication, as they stand; or NULL. */
struct oidc_asked {
    const char *url, *form, *user, *password;
    bool named; /* the operator has named its origin: it may be anywhere, also in a local network */
};
struct oidc_fetcher {
    /* The status of the answer, whose body becomes `answer`, of OIDC_DOCUMENT_MAX at most; 0: there
     * is none, and `why` says why. */
    int (*fetch)(void *ctx, const struct oidc_asked *asked, char *answer, size_t *len,
                 char why[static 128]);
    void *ctx;
};

/* NULL: no memory. */
struct oidc_provider *oidc_provider_create(const struct oidc_options *options,
                                           const struct oidc_fetcher *fetcher);
void oidc_provider_destroy(struct oidc_provider *provider); /* takes NULL */

struct oidc_time {
    int64_t now_ms; /* from any beginning, and never back */
    int64_t now_s;  /* since 1970 */
};

/* What was drawn for one sign-in; texts of 43 characters. */
struct oidc_attempt {
    const char *state, *nonce, *verifier;
};

enum oidc_result {
    OIDC_DONE,
    OIDC_AWAY,    /* it is not reached, or not ready */
    OIDC_REFUSED, /* it does not take the code, or what it answers is not to be believed */
};

/* `why` is for a log, of others than OIDC_DONE, and has no secrets. */
enum { OIDC_WHY_MAX = 256 };
enum oidc_result oidc_begin(struct oidc_provider *provider, struct oidc_time time,
                            const struct oidc_attempt *attempt, char url[static OIDC_URL_MAX + 1],
                            char why[static OIDC_WHY_MAX]);
enum oidc_result oidc_finish(struct oidc_provider *provider, struct oidc_time time,
                             const struct oidc_attempt *attempt, const char *code,
                             char subject[static OIDC_SUBJECT_MAX + 1],
                             char why[static OIDC_WHY_MAX]);

#endif
