#include <oidc/token.h>

#include "claims.h"
#include "keys.h"
#include "text.h"
#include <string.h>

enum { DECODED_MAX = OIDC_TOKEN_MAX / 4 * 3, SIGNATURE_MAX = PUBLIC_KEY_MODULUS_BYTES_MAX };

const char *oidc_fault_name(enum oidc_fault fault)
{
    static const char *const names[OIDC_FAULTS] = {
        [OIDC_OK] = "ok",
        [OIDC_NO_MEMORY] = "no_memory",
        [OIDC_BAD_TOKEN] = "bad_token",
        [OIDC_OTHER_ALGORITHM] = "other_algorithm",
        [OIDC_UNKNOWN_KEY] = "unknown_key",
        [OIDC_BAD_SIGNATURE] = "bad_signature",
        [OIDC_OTHER_ISSUER] = "other_issuer",
        [OIDC_OTHER_AUDIENCE] = "other_audience",
        [OIDC_EXPIRED] = "expired",
        [OIDC_BAD_TIME] = "bad_time",
        [OIDC_OTHER_NONCE] = "other_nonce",
        [OIDC_BAD_SUBJECT] = "bad_subject",
    };
    return names[fault];
}

/* ---- its three parts */

struct part {
    const char *at;
    size_t len;
};

enum { HEADER, PAYLOAD, SIGNATURE, PARTS };

static bool split_token(const char *token, size_t len, struct part parts[static PARTS])
{
    const char *at = token, *end = token + len;
    for (int part = 0; part < PARTS; part++) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        if ((part < SIGNATURE) != (dot != NULL))
            return false;
        parts[part] = (struct part){at, (size_t)((dot ? dot : end) - at)};
        at = dot ? dot + 1 : end;
    }
    return true;
}

static enum oidc_fault read_part(const struct part *part, json_t **object)
{
    uint8_t bytes[DECODED_MAX];
    bool memory = true;
    const size_t len = text_bytes(bytes, sizeof bytes, part->at, part->len);
    *object = len > 0 ? text_object((const char *)bytes, len, &memory) : NULL;
    if (*object)
        return OIDC_OK;
    return memory ? OIDC_BAD_TOKEN : OIDC_NO_MEMORY;
}

/* ---- the signature */

static bool kind_of_algorithm(const char *alg, enum public_key_kind *kind)
{
    static const struct {
        const char *alg;
        enum public_key_kind kind;
    } known[] = {
        {"RS256", PUBLIC_KEY_RSA}, {"ES256", PUBLIC_KEY_P256}, {"EdDSA", PUBLIC_KEY_ED25519}};
    for (size_t at = 0; alg && at < sizeof known / sizeof known[0]; at++) {
        if (strcmp(alg, known[at].alg) != 0)
            continue;
        *kind = known[at].kind;
        return true;
    }
    return false;
}

/* What has to be understood and is not known here makes it another one (RFC 7515, 4.1.11). */
static enum oidc_fault read_header(const json_t *header, enum public_key_kind *kind,
                                   const char **key_id)
{
    const json_t *id = json_object_get(header, "kid");
    if (json_object_get(header, "crit") || json_object_get(header, "b64") ||
        !kind_of_algorithm(text_member(header, "alg"), kind))
        return OIDC_OTHER_ALGORITHM;
    if (id && !json_is_string(id))
        return OIDC_BAD_TOKEN;
    *key_id = json_string_value(id);
    return OIDC_OK;
}

static enum oidc_fault fault_of(enum public_key_verdict verdict)
{
    if (verdict == PUBLIC_KEY_NO_MEMORY)
        return OIDC_NO_MEMORY;
    return verdict == PUBLIC_KEY_RIGHT ? OIDC_OK : OIDC_BAD_SIGNATURE;
}

static enum oidc_fault verify(const struct oidc_key *key, const struct part parts[static PARTS])
{
    uint8_t bytes[SIGNATURE_MAX];
    const struct part *signature = &parts[SIGNATURE];
    const struct public_key_bytes text = {
        (const uint8_t *)parts[HEADER].at,
        (size_t)(signature->at - 1 - parts[HEADER].at), /* with the dot between the two */
    };
    const size_t len = text_bytes(bytes, sizeof bytes, signature->at, signature->len);
    if (key->key.kind != PUBLIC_KEY_P256)
        return fault_of(public_key_verify(&key->key, text, (struct public_key_bytes){bytes, len}));
    return len == PUBLIC_KEY_P256_RAW_BYTES
               ? fault_of(public_key_verify_raw(&key->key, text, bytes))
               : OIDC_BAD_SIGNATURE;
}

static enum oidc_fault check_signature(const json_t *header, const struct oidc_keys *keys,
                                       const struct part parts[static PARTS])
{
    enum public_key_kind kind;
    const char *id;
    const enum oidc_fault fault = read_header(header, &kind, &id);
    if (fault != OIDC_OK)
        return fault;
    const struct oidc_key *key = oidc_keys_find(keys, kind, id);
    return key ? verify(key, parts) : OIDC_UNKNOWN_KEY;
}

/* ---- all of it */

/* Nothing of what it says is looked at before it is signed. */
enum oidc_fault oidc_token_check(const char *token, size_t len, const struct oidc_keys *keys,
                                 const struct oidc_wanted *wanted,
                                 char subject[static OIDC_SUBJECT_MAX + 1])
{
    struct part parts[PARTS];
    json_t *header = NULL, *claims = NULL;
    if (len > OIDC_TOKEN_MAX || !split_token(token, len, parts))
        return OIDC_BAD_TOKEN;
    enum oidc_fault fault = read_part(&parts[HEADER], &header);
    if (fault == OIDC_OK)
        fault = check_signature(header, keys, parts);
    if (fault == OIDC_OK)
        fault = read_part(&parts[PAYLOAD], &claims);
    if (fault == OIDC_OK)
        fault = claims_check(claims, wanted, subject);
    json_decref(header);
    json_decref(claims);
    return fault;
}
