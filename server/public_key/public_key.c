#include <public_key/public_key.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <string.h>

enum { POINT_BYTES = PUBLIC_KEY_POINT_BYTES };

/* ---- keys of OpenSSL */

static bool describe_p256(OSSL_PARAM_BLD *builder, const struct public_key *key,
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
static EVP_PKEY *make_p256(const struct public_key *key)
{
    uint8_t point[1 + 2 * POINT_BYTES];
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *pkey =
        builder && describe_p256(builder, key, point) ? make_described("EC", builder) : NULL;
    OSSL_PARAM_BLD_free(builder);
    return pkey;
}

/* NULL: there is no memory. */
static EVP_PKEY *make_rsa(const struct public_key *key)
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
static EVP_PKEY *make_openssl_key(const struct public_key *key)
{
    return key->kind == PUBLIC_KEY_RSA ? make_rsa(key) : make_p256(key);
}

/* ---- is there such a key */

/* 3 or 65537, in as few bytes as it needs. */
static bool is_exponent(struct public_key_bytes e)
{
    static const uint8_t three[] = {3}, usual[] = {1, 0, 1};
    return (e.len == sizeof three && memcmp(e.at, three, sizeof three) == 0) ||
           (e.len == sizeof usual && memcmp(e.at, usual, sizeof usual) == 0);
}

/* Of no more bytes than it needs, and odd. */
static bool is_modulus(struct public_key_bytes n)
{
    return n.len >= PUBLIC_KEY_MODULUS_BYTES_MIN && n.len <= PUBLIC_KEY_MODULUS_BYTES_MAX &&
           n.at[0] != 0 && (n.at[n.len - 1] & 1) != 0;
}

bool public_key_has_form(const struct public_key *key)
{
    if (key->kind == PUBLIC_KEY_RSA)
        return is_modulus(key->n) && is_exponent(key->e);
    return key->x.len == POINT_BYTES &&
           (key->kind == PUBLIC_KEY_ED25519 || key->y.len == POINT_BYTES);
}

bool public_key_is_usable(const struct public_key *key)
{
    if (!public_key_has_form(key))
        return false;
    if (key->kind == PUBLIC_KEY_ED25519)
        return crypto_core_ed25519_is_valid_point(key->x.at) == 1;
    EVP_PKEY *pkey = make_openssl_key(key);
    EVP_PKEY_free(pkey);
    return pkey != NULL;
}

/* ---- signatures */

static bool verify_by_openssl(EVP_PKEY *pkey, struct public_key_bytes text,
                              struct public_key_bytes signature)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const bool right = ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, pkey) == 1 &&
                       EVP_DigestVerify(ctx, signature.at, signature.len, text.at, text.len) == 1;
    EVP_MD_CTX_free(ctx);
    return right;
}

static bool verify_ed25519(const struct public_key *key, struct public_key_bytes text,
                           struct public_key_bytes signature)
{
    return signature.len == crypto_sign_BYTES &&
           crypto_sign_verify_detached(signature.at, text.at, text.len, key->x.at) == 0;
}

enum public_key_verdict public_key_verify(const struct public_key *key,
                                          struct public_key_bytes text,
                                          struct public_key_bytes signature)
{
    if (key->kind == PUBLIC_KEY_ED25519)
        return verify_ed25519(key, text, signature) ? PUBLIC_KEY_RIGHT : PUBLIC_KEY_WRONG;
    EVP_PKEY *pkey = make_openssl_key(key);
    if (!pkey)
        return PUBLIC_KEY_NO_MEMORY;
    const bool right = verify_by_openssl(pkey, text, signature);
    EVP_PKEY_free(pkey);
    return right ? PUBLIC_KEY_RIGHT : PUBLIC_KEY_WRONG;
}

/* The numbers as they stand, which are the verifier's to judge. NULL: no memory. */
static ECDSA_SIG *read_raw(const uint8_t signature[static PUBLIC_KEY_P256_RAW_BYTES])
{
    ECDSA_SIG *made = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, POINT_BYTES, NULL);
    BIGNUM *s = BN_bin2bn(signature + POINT_BYTES, POINT_BYTES, NULL);
    if (made && r && s && ECDSA_SIG_set0(made, r, s) == 1)
        return made;
    ECDSA_SIG_free(made);
    BN_free(r);
    BN_free(s);
    return NULL;
}

enum public_key_verdict
public_key_verify_raw(const struct public_key *key, struct public_key_bytes text,
                      const uint8_t signature[static PUBLIC_KEY_P256_RAW_BYTES])
{
    uint8_t *der = NULL;
    ECDSA_SIG *made = read_raw(signature);
    const int len = made ? i2d_ECDSA_SIG(made, &der) : -1;
    const enum public_key_verdict verdict =
        len > 0 ? public_key_verify(key, text, (struct public_key_bytes){der, (size_t)len})
                : PUBLIC_KEY_NO_MEMORY;
    OPENSSL_free(der);
    ECDSA_SIG_free(made);
    return verdict;
}
