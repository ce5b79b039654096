#include "curve.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>

static bool multiply_point(const EC_GROUP *group, EC_POINT *at, const BIGNUM *number,
                           uint8_t point[static PUSH_POINT_BYTES])
{
    return number && at && !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
           EC_POINT_mul(group, at, number, NULL, NULL, NULL) == 1 &&
           EC_POINT_point2oct(group, at, POINT_CONVERSION_UNCOMPRESSED, point, PUSH_POINT_BYTES,
                              NULL) == PUSH_POINT_BYTES;
}

bool curve_public(const uint8_t secret[static PUSH_SECRET_BYTES],
                  uint8_t point[static PUSH_POINT_BYTES])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *at = group ? EC_POINT_new(group) : NULL;
    BIGNUM *number = BN_bin2bn(secret, PUSH_SECRET_BYTES, NULL);
    const bool made = group && multiply_point(group, at, number, point);
    BN_clear_free(number);
    EC_POINT_free(at);
    EC_GROUP_free(group);
    return made;
}

static OSSL_PARAM *describe_key(const uint8_t point[static PUSH_POINT_BYTES], const BIGNUM *number)
{
    OSSL_PARAM *params = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point,
                                         PUSH_POINT_BYTES) &&
        (!number ||
         OSSL_PARAM_BLD_push_BN_pad(builder, OSSL_PKEY_PARAM_PRIV_KEY, number, PUSH_SECRET_BYTES)))
        params = OSSL_PARAM_BLD_to_param(builder);
    OSSL_PARAM_BLD_free(builder);
    return params;
}

static EVP_PKEY *key_of(OSSL_PARAM *params, int selection)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (!ctx || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &key, selection, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *curve_key(const uint8_t point[static PUSH_POINT_BYTES], const uint8_t *secret)
{
    enum { UNCOMPRESSED = 4 }; /* OpenSSL reads another form of the same length, too */
    if (point[0] != UNCOMPRESSED)
        return NULL;
    BIGNUM *number = secret ? BN_bin2bn(secret, PUSH_SECRET_BYTES, NULL) : NULL;
    if (secret && !number)
        return NULL;
    OSSL_PARAM *params = describe_key(point, number);
    EVP_PKEY *key = params ? key_of(params, secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY) : NULL;
    OSSL_PARAM_free(params);
    BN_clear_free(number);
    return key;
}
