#include "cose.h"

#include "cbor.h"
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <string.h>

/* Labels of a key's members. Those below 0 mean something else for each kind of key. */
enum label { LABEL_KTY = 1, LABEL_ALG = 3, LABEL_CRV = -1, LABEL_X = -2, LABEL_Y = -3 };
enum { LABEL_N = LABEL_CRV, LABEL_E = LABEL_X };

enum { KTY_OKP = 1, KTY_EC2 = 2, KTY_RSA = 3, CRV_P256 = 1, CRV_ED25519 = 6 };

enum { POINT_BYTES = 32, MODULUS_BYTES_MIN = 256, MODULUS_BYTES_MAX = 512 };

struct cose_key {
    enum webauthn_algorithm algorithm;
    struct webauthn_bytes x, y; /* of a curve */
    struct webauthn_bytes n, e; /* of RSA */
};

/* ---- the members of a map */

static bool has_number(const struct cbor_map *map, int64_t label, int64_t number)
{
    const struct cbor_value *value = cbor_find_number(map, label);
    return value && cbor_is_number(value, number);
}

static bool find_bytes(const struct cbor_map *map, int64_t label, struct webauthn_bytes *bytes)
{
    const struct cbor_value *value = cbor_find_number(map, label);
    if (!value || value->type != CBOR_BYTES)
        return false;
    *bytes = value->bytes;
    return true;
}

static bool find_coordinate(const struct cbor_map *map, int64_t label, struct webauthn_bytes *bytes)
{
    return find_bytes(map, label, bytes) && bytes->len == POINT_BYTES;
}

static bool read_ec2(const struct cbor_map *map, struct cose_key *key)
{
    enum { MEMBERS = 5 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_EC2) &&
           has_number(map, LABEL_CRV, CRV_P256) && find_coordinate(map, LABEL_X, &key->x) &&
           find_coordinate(map, LABEL_Y, &key->y);
}

static bool read_okp(const struct cbor_map *map, struct cose_key *key)
{
    enum { MEMBERS = 4 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_OKP) &&
           has_number(map, LABEL_CRV, CRV_ED25519) && find_coordinate(map, LABEL_X, &key->x);
}

/* 3 or 65537, in as few bytes as it needs. */
static bool is_exponent(struct webauthn_bytes e)
{
    static const uint8_t three[] = {3}, usual[] = {1, 0, 1};
    return (e.len == sizeof three && memcmp(e.at, three, sizeof three) == 0) ||
           (e.len == sizeof usual && memcmp(e.at, usual, sizeof usual) == 0);
}

/* Of no more bytes than it needs, and odd. */
static bool is_modulus(struct webauthn_bytes n)
{
    return n.len >= MODULUS_BYTES_MIN && n.len <= MODULUS_BYTES_MAX && n.at[0] != 0 &&
           (n.at[n.len - 1] & 1) != 0;
}

static bool read_rsa(const struct cbor_map *map, struct cose_key *key)
{
    enum { MEMBERS = 4 };
    return map->count == MEMBERS && has_number(map, LABEL_KTY, KTY_RSA) &&
           find_bytes(map, LABEL_N, &key->n) && find_bytes(map, LABEL_E, &key->e) &&
           is_modulus(key->n) && is_exponent(key->e);
}

static const struct kind {
    enum webauthn_algorithm algorithm;
    bool (*read)(const struct cbor_map *map, struct cose_key *key);
} kinds[] = {
    {WEBAUTHN_ES256, read_ec2},
    {WEBAUTHN_EDDSA, read_okp},
    {WEBAUTHN_RS256, read_rsa},
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
    return kind->read(&map, key) ? WEBAUTHN_OK : WEBAUTHN_BAD_KEY;
}

/* ---- keys of OpenSSL */

static bool describe_ec2(OSSL_PARAM_BLD *builder, const struct cose_key *key,
                         uint8_t point[static 1 + 2 * POINT_BYTES])
{
    enum { UNCOMPRESSED = 4 };
    point[0] = UNCOMPRESSED;
    memcpy(point + 1, key->x.at, POINT_BYTES);
    memcpy(point + 1 + POINT_BYTES, key->y.at, POINT_BYTES);
    return OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
           OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point,
                                            1 + 2 * POINT_BYTES);
}

static EVP_PKEY *make_pkey(const char *type, OSSL_PARAM *params)
{
    EVP_PKEY *pkey = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (!ctx || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1)
        pkey = NULL;
    EVP_PKEY_CTX_free(ctx);
    return pkey;
}

static EVP_PKEY *make_described(const char *type, OSSL_PARAM_BLD *builder)
{
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY *pkey = params ? make_pkey(type, params) : NULL;
    OSSL_PARAM_free(params);
    return pkey;
}

/* NULL: it is no point of the curve, or there is no memory. */
static EVP_PKEY *make_ec2(const struct cose_key *key)
{
    uint8_t point[1 + 2 * POINT_BYTES];
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *pkey =
        builder && describe_ec2(builder, key, point) ? make_described("EC", builder) : NULL;
    OSSL_PARAM_BLD_free(builder);
    return pkey;
}

/* NULL: there is no memory. */
static EVP_PKEY *make_rsa(const struct cose_key *key)
{
    BIGNUM *n = BN_bin2bn(key->n.at, (int)key->n.len, NULL);
    BIGNUM *e = BN_bin2bn(key->e.at, (int)key->e.len, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *pkey = n && e && builder &&
                             OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) &&
                             OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)
                         ? make_described("RSA", builder)
                         : NULL;
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return pkey;
}

/* Of RSA and P-256. */
static EVP_PKEY *make_openssl_key(const struct cose_key *key)
{
    return key->algorithm == WEBAUTHN_RS256 ? make_rsa(key) : make_ec2(key);
}

/* ---- what a key is for */

/* Is there such a key? The form alone is right. */
static bool is_usable(const struct cose_key *key)
{
    if (key->algorithm == WEBAUTHN_EDDSA)
        return crypto_core_ed25519_is_valid_point(key->x.at) == 1;
    EVP_PKEY *pkey = make_openssl_key(key);
    EVP_PKEY_free(pkey);
    return pkey != NULL;
}

enum webauthn_fault cose_read(struct webauthn_bytes bytes, enum webauthn_algorithm *algorithm,
                              struct webauthn_bytes *rest)
{
    struct cose_key key;
    const enum webauthn_fault fault = read_key(bytes, &key, rest);
    if (fault != WEBAUTHN_OK)
        return fault;
    *algorithm = key.algorithm;
    return is_usable(&key) ? WEBAUTHN_OK : WEBAUTHN_BAD_KEY;
}

static bool verify_by_openssl(EVP_PKEY *pkey, struct webauthn_bytes text,
                              struct webauthn_bytes signature)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const bool right = ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, pkey) == 1 &&
                       EVP_DigestVerify(ctx, signature.at, signature.len, text.at, text.len) == 1;
    EVP_MD_CTX_free(ctx);
    return right;
}

static bool verify_ed25519(const struct cose_key *key, struct webauthn_bytes text,
                           struct webauthn_bytes signature)
{
    return signature.len == crypto_sign_BYTES &&
           crypto_sign_verify_detached(signature.at, text.at, text.len, key->x.at) == 0;
}

enum webauthn_fault cose_verify(struct webauthn_bytes bytes, struct webauthn_bytes text,
                                struct webauthn_bytes signature)
{
    struct cose_key key;
    struct webauthn_bytes rest;
    const enum webauthn_fault fault = read_key(bytes, &key, &rest);
    if (fault != WEBAUTHN_OK)
        return fault;
    if (key.algorithm == WEBAUTHN_EDDSA)
        return verify_ed25519(&key, text, signature) ? WEBAUTHN_OK : WEBAUTHN_BAD_SIGNATURE;
    EVP_PKEY *pkey = make_openssl_key(&key);
    if (!pkey)
        return WEBAUTHN_NO_MEMORY;
    const bool right = verify_by_openssl(pkey, text, signature);
    EVP_PKEY_free(pkey);
    return right ? WEBAUTHN_OK : WEBAUTHN_BAD_SIGNATURE;
}
