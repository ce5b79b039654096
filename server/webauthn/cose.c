#include "cose.h"

#include "cbor.h"
#include <public_key/public_key.h>

/* Labels of a key's members. Those below 0 mean something else for each kind of key. */
enum label { LABEL_KTY = 1, LABEL_ALG = 3, LABEL_CRV = -1, LABEL_X = -2, LABEL_Y = -3 };
enum { LABEL_N = LABEL_CRV, LABEL_E = LABEL_X };

enum { KTY_OKP = 1, KTY_EC2 = 2, KTY_RSA = 3, CRV_P256 = 1, CRV_ED25519 = 6 };

struct cose_key {
    enum webauthn_algorithm algorithm;
    struct public_key key;
};

/* ---- the members of a map */

static bool has_number(const struct cbor_map *map, int64_t label, int64_t number)
{
    const struct cbor_value *value = cbor_find_number(map, label);
    return value && cbor_is_number(value, number);
}

static bool find_bytes(const struct cbor_map *map, int64_t label, struct public_key_bytes *bytes)
{
    const struct cbor_value *value = cbor_find_number(map, label);
    if (!value || value->type != CBOR_BYTES)
        return false;
    *bytes = (struct public_key_bytes){value->bytes.at, value->bytes.len};
    return true;
}

static bool find_coordinate(const struct cbor_map *map, int64_t label,
                            struct public_key_bytes *bytes)
{
    return find_bytes(map, label, bytes) && bytes->len == PUBLIC_KEY_POINT_BYTES;
}

static bool read_ec2(const struct cbor_map *map, struct public_key *key)
{
    enum { MEMBERS = 5 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_EC2) &&
           has_number(map, LABEL_CRV, CRV_P256) && find_coordinate(map, LABEL_X, &key->x) &&
           find_coordinate(map, LABEL_Y, &key->y);
}

static bool read_okp(const struct cbor_map *map, struct public_key *key)
{
    enum { MEMBERS = 4 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_OKP) &&
           has_number(map, LABEL_CRV, CRV_ED25519) && find_coordinate(map, LABEL_X, &key->x);
}

static bool read_rsa(const struct cbor_map *map, struct public_key *key)
{
    enum { MEMBERS = 4 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_RSA) &&
           find_bytes(map, LABEL_N, &key->n) && find_bytes(map, LABEL_E, &key->e);
}

static const struct kind {
    enum webauthn_algorithm algorithm;
    enum public_key_kind kind;
    bool (*read)(const struct cbor_map *map, struct public_key *key);
} kinds[] = {
    {WEBAUTHN_ES256, PUBLIC_KEY_P256, read_ec2},
    {WEBAUTHN_EDDSA, PUBLIC_KEY_ED25519, read_okp},
    {WEBAUTHN_RS256, PUBLIC_KEY_RSA, read_rsa},
};

static const struct kind *find_kind(const struct cbor_map *map)
{
    for (size_t at = 0; at < sizeof kinds / sizeof kinds[0]; at++) {
        if (has_number(map, LABEL_ALG, kinds[at].algorithm))
            return &kinds[at];
    }
    return NULL;
}

static enum webauthn_fault read_key(struct webauthn_bytes bytes, struct cose_key *key,
                                    struct webauthn_bytes *rest)
{
    struct cbor_map map;
    if (!cbor_read_map(bytes, &map, rest) || !cbor_find_number(&map, LABEL_ALG))
        return WEBAUTHN_BAD_KEY;
    const struct kind *kind = find_kind(&map);
    if (!kind)
        return WEBAUTHN_OTHER_ALGORITHM;
    key->algorithm = kind->algorithm;
    key->key = (struct public_key){.kind = kind->kind};
    return kind->read(&map, &key->key) && public_key_has_form(&key->key) ? WEBAUTHN_OK
                                                                         : WEBAUTHN_BAD_KEY;
}

/* ---- what a key is for */

enum webauthn_fault cose_read(struct webauthn_bytes bytes, enum webauthn_algorithm *algorithm,
                              struct webauthn_bytes *rest)
{
    struct cose_key key;
    const enum webauthn_fault fault = read_key(bytes, &key, rest);
    if (fault != WEBAUTHN_OK)
        return fault;
    *algorithm = key.algorithm;
    return public_key_is_usable(&key.key) ? WEBAUTHN_OK : WEBAUTHN_BAD_KEY;
}

static enum webauthn_fault fault_of(enum public_key_verdict verdict)
{
    if (verdict == PUBLIC_KEY_NO_MEMORY)
        return WEBAUTHN_NO_MEMORY;
    return verdict == PUBLIC_KEY_RIGHT ? WEBAUTHN_OK : WEBAUTHN_BAD_SIGNATURE;
}

enum webauthn_fault cose_verify(struct webauthn_bytes bytes, struct webauthn_bytes text,
                                struct webauthn_bytes signature)
{
    struct cose_key key;
    struct webauthn_bytes rest;
    const enum webauthn_fault fault = read_key(bytes, &key, &rest);
    if (fault != WEBAUTHN_OK)
        return fault;
    return fault_of(public_key_verify(&key.key, (struct public_key_bytes){text.at, text.len},
                                      (struct public_key_bytes){signature.at, signature.len}));
}
