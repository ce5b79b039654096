#include <oidc/provider.h>

#include "discovery.h"
#include "keys.h"
#include "text.h"
#include <oidc/token.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FETCH_WHY_MAX = 128, FORM_MAX = 3 * (OIDC_CODE_MAX + OIDC_URL_MAX) };

struct oidc_provider {
    struct oidc_options options;
    struct oidc_fetcher fetcher;
    struct oidc_endpoints endpoints;
    struct oidc_keys *keys; /* NULL: none yet */
    bool knows;             /* the endpoints */
    int64_t known_ms;       /* since when; and of the keys */
    int64_t keys_ms;
    int64_t away_until_ms; /* it was not reached; 0: it was */
    char answer[OIDC_DOCUMENT_MAX];
    size_t answer_len;
};

bool oidc_issuer_is_valid(const char *issuer)
{
    return text_is_url(issuer, OIDC_CLIENT_MAX) && !strchr(issuer, '?');
}

bool oidc_client_is_valid(const char *text, size_t max)
{
    const size_t len = strlen(text);
    for (size_t at = 0; at < len; at++) {
        if (text[at] <= ' ' || text[at] > '~')
            return false;
    }
    return len > 0 && len <= max;
}

struct oidc_provider *oidc_provider_create(const struct oidc_options *options,
                                           const struct oidc_fetcher *fetcher)
{
    struct oidc_provider *provider = calloc(1, sizeof *provider);
    if (provider)
        *provider = (struct oidc_provider){.options = *options, .fetcher = *fetcher};
    return provider;
}

void oidc_provider_destroy(struct oidc_provider *provider)
{
    if (provider)
        oidc_keys_destroy(provider->keys);
    free(provider);
}

/* ---- fetching */

/* 0: it is away, which is remembered; so of all who come at once one waits. */
static int fetch_answer(struct oidc_provider *provider, struct oidc_time time,
                        const struct oidc_asked *asked, char why[static OIDC_WHY_MAX])
{
    char reason[FETCH_WHY_MAX] = "";
    if (time.now_ms < provider->away_until_ms) {
        (void)snprintf(why, OIDC_WHY_MAX, "the provider was not reached a moment ago");
        return 0;
    }
    provider->away_until_ms = 0;
    provider->answer_len = 0;
    const int status = provider->fetcher.fetch(provider->fetcher.ctx, asked, provider->answer,
                                               &provider->answer_len, reason);
    if (status == 0 || status >= 500) {
        provider->away_until_ms = time.now_ms + OIDC_AWAY_MS;
        (void)snprintf(why, OIDC_WHY_MAX, "the provider is not reached: %s",
                       status ? "it has an error of its own" : reason);
        return 0;
    }
    return status;
}

/* A document; false with `why`. */
static bool get_document(struct oidc_provider *provider, struct oidc_time time, const char *url,
                         char why[static OIDC_WHY_MAX])
{
    const struct oidc_asked asked = {.url = url,
                                     .named = text_same_origin(url, provider->options.issuer)};
    const int status = fetch_answer(provider, time, &asked, why);
    if (status == 200)
        return true;
    if (status != 0)
        (void)snprintf(why, OIDC_WHY_MAX, "the provider answers %d for %.200s", status, url);
    return false;
}

/* ---- what it says of itself */

static bool is_recent(int64_t since_ms, struct oidc_time time)
{
    return time.now_ms - since_ms < OIDC_SAID_MS;
}

static bool ask_discovery(struct oidc_provider *provider, struct oidc_time time,
                          char why[static OIDC_WHY_MAX])
{
    char url[OIDC_CLIENT_MAX + sizeof "/.well-known/openid-configuration"];
    struct oidc_endpoints endpoints;
    const char *issuer = provider->options.issuer, *wrong;
    const size_t len = strlen(issuer);
    (void)snprintf(url, sizeof url, "%.*s/.well-known/openid-configuration",
                   (int)(len - (issuer[len - 1] == '/')), issuer);
    if (!get_document(provider, time, url, why))
        return false;
    if (!discovery_read(&endpoints, issuer, provider->answer, provider->answer_len, &wrong)) {
        (void)snprintf(why, OIDC_WHY_MAX, "the provider cannot be used: %s", wrong);
        return false;
    }
    provider->endpoints = endpoints;
    provider->knows = true;
    provider->known_ms = time.now_ms;
    return true;
}

/* What it said before is better than nothing. */
static bool know_endpoints(struct oidc_provider *provider, struct oidc_time time,
                           char why[static OIDC_WHY_MAX])
{
    if (provider->knows && is_recent(provider->known_ms, time))
        return true;
    return ask_discovery(provider, time, why) || provider->knows;
}

static bool ask_keys(struct oidc_provider *provider, struct oidc_time time,
                     char why[static OIDC_WHY_MAX])
{
    provider->keys_ms = time.now_ms;
    if (!get_document(provider, time, provider->endpoints.keys, why))
        return false;
    struct oidc_keys *keys = oidc_keys_read(provider->answer, provider->answer_len);
    if (!keys) {
        (void)snprintf(why, OIDC_WHY_MAX, "the provider's keys cannot be read");
        return false;
    }
    oidc_keys_destroy(provider->keys);
    provider->keys = keys;
    return true;
}

static bool know_keys(struct oidc_provider *provider, struct oidc_time time,
                      char why[static OIDC_WHY_MAX])
{
    if (provider->keys && is_recent(provider->keys_ms, time))
        return true;
    return ask_keys(provider, time, why) || provider->keys;
}

/* ---- to the provider */

static void put_challenge(struct text *url, const char *verifier)
{
    enum {
        TEXT = sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES,
                                         sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    };
    uint8_t hash[crypto_hash_sha256_BYTES];
    char text[TEXT];
    crypto_hash_sha256(hash, (const uint8_t *)verifier, strlen(verifier));
    sodium_bin2base64(text, sizeof text, hash, sizeof hash,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text_put(url, text);
}

static void put_value(struct text *text, const char *name, const char *value)
{
    text_put(text, name);
    text_put_escaped(text, value);
}

enum oidc_result oidc_begin(struct oidc_provider *provider, struct oidc_time time,
                            const struct oidc_attempt *attempt, char url[static OIDC_URL_MAX + 1],
                            char why[static OIDC_WHY_MAX])
{
    struct text text = {url, url + OIDC_URL_MAX + 1, false};
    if (!know_endpoints(provider, time, why))
        return OIDC_AWAY;
    const char *where = provider->endpoints.authorization;
    text_put(&text, where);
    text_put(&text, strchr(where, '?') ? "&" : "?");
    text_put(&text, "response_type=code&scope=openid");
    put_value(&text, "&client_id=", provider->options.client);
    put_value(&text, "&redirect_uri=", provider->options.redirect);
    put_value(&text, "&state=", attempt->state);
    put_value(&text, "&nonce=", attempt->nonce);
    text_put(&text, "&code_challenge_method=S256&code_challenge=");
    put_challenge(&text, attempt->verifier);
    if (!text.full)
        return OIDC_DONE;
    (void)snprintf(why, OIDC_WHY_MAX, "the provider's address is too long");
    return OIDC_AWAY;
}

/* ---- and back */

/* As RFC 6749, 2.3.1, has them: escaped before they are put together. */
struct login {
    char user[3 * OIDC_CLIENT_MAX + 1], password[3 * OIDC_SECRET_MAX + 1];
};

static void write_login(const struct oidc_options *options, struct login *login)
{
    struct text user = {login->user, login->user + sizeof login->user, false};
    struct text password = {login->password, login->password + sizeof login->password, false};
    text_put_escaped(&user, options->client);
    text_put_escaped(&password, options->secret);
}

static int ask_token(struct oidc_provider *provider, struct oidc_time time,
                     const struct oidc_attempt *attempt, const char *code,
                     char why[static OIDC_WHY_MAX])
{
    char form[FORM_MAX];
    struct login login;
    const struct oidc_options *options = &provider->options;
    const bool in_body = !options->secret || provider->endpoints.secret_in_body;
    struct text text = {form, form + sizeof form, false};
    text_put(&text, "grant_type=authorization_code");
    put_value(&text, "&code=", code);
    put_value(&text, "&redirect_uri=", options->redirect);
    put_value(&text, "&code_verifier=", attempt->verifier);
    if (in_body)
        put_value(&text, "&client_id=", options->client);
    if (in_body && options->secret)
        put_value(&text, "&client_secret=", options->secret);
    if (!in_body)
        write_login(options, &login);
    const struct oidc_asked asked = {
        .url = provider->endpoints.token,
        .form = form,
        .user = in_body ? NULL : login.user,
        .password = in_body ? NULL : login.password,
        .named = text_same_origin(provider->endpoints.token, options->issuer),
    };
    const int status = fetch_answer(provider, time, &asked, why);
    sodium_memzero(form, sizeof form);
    sodium_memzero(&login, sizeof login);
    return status;
}

/* The token in the answer, for the caller to free; NULL with `why`. */
static char *read_token(const struct oidc_provider *provider, size_t *len,
                        char why[static OIDC_WHY_MAX])
{
    bool memory;
    json_t *said = text_object(provider->answer, provider->answer_len, &memory);
    const json_t *value = json_object_get(said, "id_token");
    char *token = NULL;
    *len = json_string_length(value);
    if (json_is_string(value) && *len <= OIDC_TOKEN_MAX && (token = malloc(*len + 1)))
        memcpy(token, json_string_value(value), *len + 1);
    else
        (void)snprintf(why, OIDC_WHY_MAX, "the provider answers without an ID token");
    json_decref(said);
    return token;
}

static enum oidc_fault check_token(struct oidc_provider *provider, struct oidc_time time,
                                   const char *token, size_t len, const char *nonce,
                                   char subject[static OIDC_SUBJECT_MAX + 1])
{
    const struct oidc_wanted wanted = {.issuer = provider->options.issuer,
                                       .client = provider->options.client,
                                       .nonce = nonce,
                                       .now_s = time.now_s};
    return oidc_token_check(token, len, provider->keys, &wanted, subject);
}

/* Providers change their keys, and may call the new ones as the old ones were. */
static bool may_have_other_keys(enum oidc_fault fault)
{
    return fault == OIDC_UNKNOWN_KEY || fault == OIDC_BAD_SIGNATURE;
}

static enum oidc_result judge_token(struct oidc_provider *provider, struct oidc_time time,
                                    const char *token, size_t len, const char *nonce,
                                    char subject[static OIDC_SUBJECT_MAX + 1],
                                    char why[static OIDC_WHY_MAX])
{
    if (!know_keys(provider, time, why))
        return OIDC_AWAY;
    enum oidc_fault fault = check_token(provider, time, token, len, nonce, subject);
    if (may_have_other_keys(fault) && time.now_ms - provider->keys_ms >= OIDC_KEYS_AGAIN_MS) {
        if (!ask_keys(provider, time, why))
            return OIDC_AWAY;
        fault = check_token(provider, time, token, len, nonce, subject);
    }
    if (fault == OIDC_OK)
        return OIDC_DONE;
    (void)snprintf(why, OIDC_WHY_MAX, "the ID token is refused: %s", oidc_fault_name(fault));
    return OIDC_REFUSED;
}

enum oidc_result oidc_finish(struct oidc_provider *provider, struct oidc_time time,
                             const struct oidc_attempt *attempt, const char *code,
                             char subject[static OIDC_SUBJECT_MAX + 1],
                             char why[static OIDC_WHY_MAX])
{
    size_t len;
    if (!know_endpoints(provider, time, why))
        return OIDC_AWAY;
    const int status = ask_token(provider, time, attempt, code, why);
    if (status == 0)
        return OIDC_AWAY;
    if (status != 200) {
        (void)snprintf(why, OIDC_WHY_MAX, "the provider does not take the code: %d", status);
        return OIDC_REFUSED;
    }
    char *token = read_token(provider, &len, why);
    if (!token)
        return OIDC_REFUSED;
    const enum oidc_result result =
        judge_token(provider, time, token, len, attempt->nonce, subject, why);
    sodium_memzero(token, len);
    free(token);
    return result;
}
