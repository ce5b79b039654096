#include "issuer.h"

#include <check.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { POINT = 32, RSA_BITS = 2048 };

static EVP_PKEY *keys[ISSUER_KINDS];

void issuer_begin(void)
{
    keys[ISSUER_RS256] = EVP_RSA_gen(RSA_BITS);
    keys[ISSUER_ES256] = EVP_EC_gen("P-256");
    keys[ISSUER_EDDSA] = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    for (int kind = 0; kind < ISSUER_KINDS; kind++)
        ck_assert_ptr_nonnull(keys[kind]);
}

void issuer_end(void)
{
    for (int kind = 0; kind < ISSUER_KINDS; kind++)
        EVP_PKEY_free(keys[kind]);
}

void issuer_encode(const void *bytes, size_t len, char *text, size_t size)
{
    sodium_bin2base64(text, size, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

const char *issuer_alg(enum issuer_kind kind)
{
    static const char *const algs[ISSUER_KINDS] = {"RS256", "ES256", "EdDSA"};
    return algs[kind];
}

static void write_number(EVP_PKEY *key, const char *name, size_t len, char text[static 1024])
{
    unsigned char bytes[512];
    BIGNUM *number = NULL;
    ck_assert_int_eq(EVP_PKEY_get_bn_param(key, name, &number), 1);
    const size_t size = len ? len : (size_t)BN_num_bytes(number);
    ck_assert_int_eq(BN_bn2binpad(number, bytes, (int)size), (int)size);
    BN_free(number);
    issuer_encode(bytes, size, text, 1024);
}

void issuer_jwk(enum issuer_kind kind, char text[static ISSUER_TEXT])
{
    char a[1024], b[1024];
    unsigned char bytes[POINT];
    size_t len = sizeof bytes;
    if (kind == ISSUER_RS256) {
        write_number(keys[kind], OSSL_PKEY_PARAM_RSA_N, 0, a);
        write_number(keys[kind], OSSL_PKEY_PARAM_RSA_E, 0, b);
        (void)snprintf(text, ISSUER_TEXT, "\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"", a, b);
    } else if (kind == ISSUER_ES256) {
        write_number(keys[kind], OSSL_PKEY_PARAM_EC_PUB_X, POINT, a);
        write_number(keys[kind], OSSL_PKEY_PARAM_EC_PUB_Y, POINT, b);
        (void)snprintf(text, ISSUER_TEXT,
                       "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"", a, b);
    } else {
        ck_assert_int_eq(EVP_PKEY_get_raw_public_key(keys[kind], bytes, &len), 1);
        issuer_encode(bytes, len, a, sizeof a);
        (void)snprintf(text, ISSUER_TEXT, "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"", a);
    }
}

/* As JOSE has it: two numbers. */
static size_t make_raw(const unsigned char *der, size_t len, unsigned char raw[static 2 * POINT])
{
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)len);
    ck_assert_ptr_nonnull(signature);
    (void)BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, POINT);
    (void)BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + POINT, POINT);
    ECDSA_SIG_free(signature);
    return 2 * POINT;
}

void issuer_sign(enum issuer_kind kind, const char *header, const char *claims,
                 char token[static ISSUER_TEXT])
{
    unsigned char signature[512], raw[2 * POINT];
    size_t len = sizeof signature;
    issuer_encode(header, strlen(header), token, ISSUER_TEXT);
    strcat(token, ".");
    issuer_encode(claims, strlen(claims), token + strlen(token), ISSUER_TEXT - strlen(token));
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const EVP_MD *hash = kind == ISSUER_EDDSA ? NULL : EVP_sha256();
    ck_assert_int_eq(EVP_DigestSignInit(ctx, NULL, hash, NULL, keys[kind]), 1);
    ck_assert_int_eq(
        EVP_DigestSign(ctx, signature, &len, (const unsigned char *)token, strlen(token)), 1);
    EVP_MD_CTX_free(ctx);
    strcat(token, ".");
    if (kind == ISSUER_ES256)
        issuer_encode(raw, make_raw(signature, len, raw), token + strlen(token),
                      ISSUER_TEXT - strlen(token));
    else
        issuer_encode(signature, len, token + strlen(token), ISSUER_TEXT - strlen(token));
}
