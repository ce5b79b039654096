/*
 * What a provider of OpenID Connect says, as anybody may make it up. The first byte says what it
 * is: (k)eys, a (t)oken, a token (b)ehind a line with the keys that it is checked by, (c)laims, or
 * what it says of itself (d). Nothing is read beyond its end; without its secret nothing is signed;
 * who is let in has a name within its bounds, which the claims have as well; and where people are
 * sent is an address.
 */
#include "claims.h"
#include "discovery.h"
#include "fuzz.h"
#include "text.h"
#include <oidc/token.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fixed_keys[] = "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\","
                                 "\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\","
                                 "\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}]}";

static const struct oidc_wanted wanted = {
    .issuer = "https://id.example", .client = "taluva", .nonce = "n", .now_s = 1800000000};

static void hold(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void hold_subject(const char subject[static OIDC_SUBJECT_MAX + 1])
{
    const size_t len = strnlen(subject, OIDC_SUBJECT_MAX + 1);
    hold(len > 0 && len <= OIDC_SUBJECT_MAX, "a name of another length");
}

static enum oidc_fault check_token(const struct oidc_keys *keys, const char *token, size_t len)
{
    char subject[OIDC_SUBJECT_MAX + 1] = "";
    const enum oidc_fault fault = oidc_token_check(token, len, keys, &wanted, subject);
    if (fault == OIDC_OK)
        hold_subject(subject);
    return fault;
}

static void try_keys(const char *text, size_t len)
{
    struct oidc_keys *keys = oidc_keys_read(text, len);
    hold(!keys || oidc_keys_count(keys) <= OIDC_KEYS_MAX, "too many keys");
    oidc_keys_destroy(keys);
}

/* By a key whose secret nobody has kept. */
static void try_token(const char *text, size_t len)
{
    struct oidc_keys *keys = oidc_keys_read(fixed_keys, sizeof fixed_keys - 1);
    hold(keys && oidc_keys_count(keys) == 1, "the key is one");
    hold(check_token(keys, text, len) != OIDC_OK, "nobody can sign that");
    oidc_keys_destroy(keys);
}

static void try_both(const char *text, size_t len)
{
    const char *line = memchr(text, '\n', len);
    const size_t keys_len = line ? (size_t)(line - text) : len;
    struct oidc_keys *keys = oidc_keys_read(text, keys_len);
    if (keys && line)
        (void)check_token(keys, line + 1, len - keys_len - 1);
    oidc_keys_destroy(keys);
}

static void try_claims(const char *text, size_t len)
{
    bool memory;
    char subject[OIDC_SUBJECT_MAX + 1] = "";
    json_t *claims = text_object(text, len, &memory);
    if (claims && claims_check(claims, &wanted, subject) == OIDC_OK) {
        hold_subject(subject);
        hold(strcmp(text_member(claims, "sub"), subject) == 0, "another name");
        hold(strcmp(text_member(claims, "iss"), wanted.issuer) == 0, "another issuer");
        hold(strcmp(text_member(claims, "nonce"), wanted.nonce) == 0, "another nonce");
    }
    json_decref(claims);
}

static void try_discovery(const char *text, size_t len)
{
    struct oidc_endpoints endpoints;
    const char *why;
    if (!discovery_read(&endpoints, wanted.issuer, text, len, &why))
        return;
    const char *const all[] = {endpoints.authorization, endpoints.token, endpoints.keys};
    for (int at = 0; at < 3; at++)
        hold(strncmp(all[at], "https://", 8) == 0 && !strpbrk(all[at], " \r\n\t\"<>#"),
             "no address");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data + 1;
    if (size == 0)
        return 0;
    if (data[0] == 'k')
        try_keys(text, size - 1);
    else if (data[0] == 't')
        try_token(text, size - 1);
    else if (data[0] == 'b')
        try_both(text, size - 1);
    else if (data[0] == 'c')
        try_claims(text, size - 1);
    else if (data[0] == 'd')
        try_discovery(text, size - 1);
    return 0;
}
