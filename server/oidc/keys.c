#include "keys.h"

#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *kty, *crv, *alg; /* crv NULL: it has none */
    enum public_key_kind kind;
} kinds[] = {
    {"RSA", NULL, "RS256", PUBLIC_KEY_RSA},
    {"EC", "P-256", "ES256", PUBLIC_KEY_P256},
    {"OKP", "Ed25519", "EdDSA", PUBLIC_KEY_ED25519},
};

static bool is_word(const json_t *jwk, const char *name, const char *word)
{
    const char *text = text_member(jwk, name);
    return text && strcmp(text, word) == 0;
}

/* NULL: it is of another kind. */
static const struct kind *kind_of(const json_t *jwk)
{
    for (size_t at = 0; at < sizeof kinds / sizeof kinds[0]; at++) {
        if (is_word(jwk, "kty", kinds[at].kty) &&
            (!kinds[at].crv || is_word(jwk, "crv", kinds[at].crv)))
            return &kinds[at];
    }
    return NULL;
}

static bool is_absent_or(const json_t *jwk, const char *name, const char *word)
{
    return !json_object_get(jwk, name) || is_word(jwk, name, word);
}

static bool may_verify(const json_t *jwk)
{
    const json_t *operations = json_object_get(jwk, "key_ops");
    for (size_t at = 0; at < json_array_size(operations); at++) {
        const char *word = json_string_value(json_array_get(operations, at));
        if (word && strcmp(word, "verify") == 0)
            return true;
    }
    return !operations;
}

/* A member, decoded. False: there is none, or it does not fit. */
static bool read_bytes(const json_t *jwk, const char *name, uint8_t *bytes, size_t max,
                       struct public_key_bytes *into)
{
    const char *text = text_member(jwk, name);
    *into = (struct public_key_bytes){bytes, text ? text_bytes(bytes, max, text, strlen(text)) : 0};
    return into->len > 0;
}

static bool read_values(const json_t *jwk, struct oidc_key *key)
{
    struct public_key *values = &key->key;
    if (values->kind == PUBLIC_KEY_RSA)
        return read_bytes(jwk, "n", key->n, sizeof key->n, &values->n) &&
               read_bytes(jwk, "e", key->e, sizeof key->e, &values->e);
    return read_bytes(jwk, "x", key->x, sizeof key->x, &values->x) &&
           (values->kind == PUBLIC_KEY_ED25519 ||
            read_bytes(jwk, "y", key->y, sizeof key->y, &values->y));
}

static bool read_id(const json_t *jwk, char id[static OIDC_KEY_ID_MAX + 1])
{
    const json_t *value = json_object_get(jwk, "kid");
    id[0] = '\0';
    if (!value)
        return true;
    if (!json_is_string(value) || json_string_length(value) > OIDC_KEY_ID_MAX)
        return false;
    (void)snprintf(id, OIDC_KEY_ID_MAX + 1, "%s", json_string_value(value));
    return true;
}

/* False: it is for something else, or no key. */
static bool read_key(const json_t *jwk, struct oidc_key *key)
{
    const struct kind *kind = kind_of(jwk);
    if (!kind || !is_absent_or(jwk, "use", "sig") || !is_absent_or(jwk, "alg", kind->alg) ||
        !may_verify(jwk))
        return false;
    key->key = (struct public_key){.kind = kind->kind};
    return read_id(jwk, key->id) && read_values(jwk, key) && public_key_is_usable(&key->key);
}

struct oidc_keys *oidc_keys_read(const char *text, size_t len)
{
    bool memory;
    json_t *set = text_object(text, len, &memory);
    const json_t *list = json_object_get(set, "keys");
    struct oidc_keys *keys = json_is_array(list) ? calloc(1, sizeof *keys) : NULL;
    for (size_t at = 0; keys && at < json_array_size(list) && keys->count < OIDC_KEYS_MAX; at++) {
        const json_t *jwk = json_array_get(list, at);
        if (json_is_object(jwk) && read_key(jwk, &keys->list[keys->count]))
            keys->count++;
    }
    json_decref(set);
    return keys;
}

size_t oidc_keys_count(const struct oidc_keys *keys)
{
    return keys->count;
}

void oidc_keys_destroy(struct oidc_keys *keys)
{
    free(keys);
}

const struct oidc_key *oidc_keys_find(const struct oidc_keys *keys, enum public_key_kind kind,
                                      const char *id)
{
    const struct oidc_key *found = NULL;
    for (size_t at = 0; at < keys->count; at++) {
        const struct oidc_key *key = &keys->list[at];
        if (key->key.kind != kind || (id && strcmp(key->id, id) != 0))
            continue;
        if (found)
            return NULL; /* one of several is none that is meant */
        found = key;
    }
    return found;
}
