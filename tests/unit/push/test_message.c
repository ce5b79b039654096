/*
 * What push services and browsers are sent, held against the vectors printed in RFC 8291 (section 5
 * and appendix A) and RFC 8292 (section 2.4), and read back as a browser and a service read it.
 */
#include "suites.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <push/message.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static const char TEXT[] = "When I grow up, I want to be a watermelon";
static const char RECEIVER[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char AUTH[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char SENDER_SECRET[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char SENDER[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char SALT[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char BODY[] =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
    "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
    "a-fN";

static size_t decode(const char *text, size_t text_len, void *out, size_t size)
{
    size_t len = 0;
    ck_assert_int_eq(sodium_base642bin(out, size, text, text_len, NULL, &len, NULL, VARIANT), 0);
    return len;
}

static void take(const char *text, void *out, size_t size)
{
    ck_assert_uint_eq(decode(text, strlen(text), out, size), size);
}

static struct push_receiver receiver(void)
{
    struct push_receiver to;
    take(RECEIVER, to.point, sizeof to.point);
    take(AUTH, to.auth, sizeof to.auth);
    return to;
}

START_TEST(the_vector_of_rfc_8291)
{
    const struct push_receiver to = receiver();
    uint8_t secret[PUSH_SECRET_BYTES], salt[PUSH_SALT_BYTES], body[PUSH_BODY_MAX];
    char text[sizeof BODY + 8];
    size_t len;
    take(SENDER_SECRET, secret, sizeof secret);
    take(SALT, salt, sizeof salt);
    ck_assert(push_encrypt_with(&to, secret, salt, TEXT, strlen(TEXT), body, &len));
    sodium_bin2base64(text, sizeof text, body, len, VARIANT);
    ck_assert_str_eq(text, BODY);
}
END_TEST

START_TEST(no_two_messages_share_a_key_or_a_salt)
{
    const struct push_receiver to = receiver();
    uint8_t one[PUSH_BODY_MAX], other[PUSH_BODY_MAX];
    size_t len;
    ck_assert(push_encrypt(&to, TEXT, strlen(TEXT), one, &len));
    ck_assert(push_encrypt(&to, TEXT, strlen(TEXT), other, &len));
    ck_assert_mem_ne(one, other, PUSH_SALT_BYTES);
    ck_assert_mem_ne(one + PUSH_SALT_BYTES + 5, other + PUSH_SALT_BYTES + 5, PUSH_POINT_BYTES);
    ck_assert_uint_eq(len, PUSH_HEAD_BYTES + strlen(TEXT) + 17);
}
END_TEST

START_TEST(what_is_too_long_is_not_encrypted)
{
    const struct push_receiver to = receiver();
    static char text[PUSH_TEXT_MAX + 1];
    uint8_t body[PUSH_BODY_MAX];
    size_t len;
    memset(text, 'x', sizeof text);
    ck_assert(push_encrypt(&to, text, PUSH_TEXT_MAX, body, &len));
    ck_assert_uint_eq(len, PUSH_BODY_MAX);
    ck_assert(!push_encrypt(&to, text, PUSH_TEXT_MAX + 1, body, &len));
}
END_TEST

/* A point that is not on the curve gives the sender's key away to who asks often enough. */
START_TEST(only_points_of_the_curve_are_keys)
{
    struct push_receiver to = receiver();
    uint8_t body[PUSH_BODY_MAX], none[PUSH_POINT_BYTES] = {0};
    size_t len;
    ck_assert(push_point_is_valid(to.point));
    to.point[PUSH_POINT_BYTES - 1] ^= 1;
    ck_assert(!push_point_is_valid(to.point));
    ck_assert(!push_encrypt(&to, TEXT, strlen(TEXT), body, &len));
    ck_assert(!push_point_is_valid(none));
    none[0] = 4;
    ck_assert(!push_point_is_valid(none));
    to = receiver();
    to.point[0] = 6; /* the hybrid form, with a bit of y */
    ck_assert(!push_point_is_valid(to.point));
}
END_TEST

/* ---- the signature */

static const char SERVER_KEY[] = /* of RFC 8292 */
    "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
static const char RFC_TOKEN[] =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0"
    "NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGS"
    "K2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA";

static EVP_PKEY *public_key(const char *text)
{
    uint8_t point[PUSH_POINT_BYTES];
    char group[] = "prime256v1";
    EVP_PKEY *key = NULL;
    take(text, point, sizeof point);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    ck_assert_int_eq(EVP_PKEY_fromdata_init(ctx), 1);
    ck_assert_int_eq(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params), 1);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/* As a push service does it. */
static bool token_is_good(const char *token, size_t len, const char *key_text)
{
    uint8_t raw[64], der[80], *end = der;
    size_t signed_len = len;
    while (token[signed_len - 1] != '.')
        signed_len--;
    ck_assert_uint_eq(decode(token + signed_len, len - signed_len, raw, sizeof raw), sizeof raw);
    ECDSA_SIG *sig = ECDSA_SIG_new();
    ECDSA_SIG_set0(sig, BN_bin2bn(raw, 32, NULL), BN_bin2bn(raw + 32, 32, NULL));
    const int der_len = i2d_ECDSA_SIG(sig, &end);
    EVP_PKEY *key = public_key(key_text);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    ck_assert_int_eq(EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key), 1);
    const int good =
        EVP_DigestVerify(ctx, der, (size_t)der_len, (const uint8_t *)token, signed_len - 1);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    ECDSA_SIG_free(sig);
    return good == 1;
}

START_TEST(the_token_of_rfc_8292_is_good_to_our_test)
{
    char changed[sizeof RFC_TOKEN];
    memcpy(changed, RFC_TOKEN, sizeof changed);
    changed[50] ^= 1;
    ck_assert(token_is_good(RFC_TOKEN, strlen(RFC_TOKEN), SERVER_KEY));
    ck_assert(!token_is_good(changed, strlen(changed), SERVER_KEY));
    ck_assert(!token_is_good(RFC_TOKEN, strlen(RFC_TOKEN), SENDER));
}
END_TEST

/* The claims are those of the RFC to the byte; the signature differs each time. */
START_TEST(we_claim_and_sign_what_the_rfc_does)
{
    uint8_t secret[PUSH_SECRET_BYTES];
    char header[PUSH_TOKEN_MAX], expected[PUSH_TOKEN_MAX];
    const size_t claimed = (size_t)(strrchr(RFC_TOKEN, '.') - RFC_TOKEN);
    take(SENDER_SECRET, secret, sizeof secret);
    struct push_signer *signer = push_signer_create(secret, "mailto:push@example.com");
    ck_assert_ptr_nonnull(signer);
    ck_assert_str_eq(push_signer_key(signer), SENDER);
    ck_assert(push_sign(signer, "https://push.example.net", 1453523768, header));
    const int start = snprintf(expected, sizeof expected, "vapid t=%.*s.", (int)claimed, RFC_TOKEN);
    ck_assert_mem_eq(header, expected, (size_t)start);
    const char *token = header + strlen("vapid t=");
    const size_t token_len = strcspn(token, ",");
    ck_assert(token_is_good(token, token_len, SENDER));
    snprintf(expected, sizeof expected, ", k=%s", SENDER);
    ck_assert_str_eq(token + token_len, expected);
    push_signer_destroy(signer);
}
END_TEST

START_TEST(what_is_no_private_key_signs_nothing)
{
    uint8_t zero[PUSH_SECRET_BYTES] = {0}, large[PUSH_SECRET_BYTES], good[PUSH_SECRET_BYTES];
    static char contact[400] = "mailto:";
    memset(large, 0xff, sizeof large);
    ck_assert(push_secret_make(good));
    ck_assert_ptr_null(push_signer_create(zero, "mailto:push@example.com"));
    ck_assert_ptr_null(push_signer_create(large, "mailto:push@example.com"));
    memset(contact + strlen(contact), 'x', sizeof contact - strlen(contact) - 1);
    ck_assert_ptr_null(push_signer_create(good, contact));
    push_signer_destroy(NULL);
}
END_TEST

START_TEST(an_origin_that_is_too_long_is_refused)
{
    uint8_t secret[PUSH_SECRET_BYTES];
    static char origin[1200] = "https://";
    char header[PUSH_TOKEN_MAX];
    ck_assert(push_secret_make(secret));
    struct push_signer *signer = push_signer_create(secret, "mailto:push@example.com");
    memset(origin + strlen(origin), 'x', sizeof origin - strlen(origin) - 1);
    ck_assert(!push_sign(signer, origin, 1, header));
    origin[200] = '\0';
    ck_assert(push_sign(signer, origin, 1, header));
    push_signer_destroy(signer);
}
END_TEST

Suite *message_suite(void)
{
    Suite *suite = suite_create("messages");
    TCase *tests = tcase_create("messages");
    tcase_add_test(tests, the_vector_of_rfc_8291);
    tcase_add_test(tests, no_two_messages_share_a_key_or_a_salt);
    tcase_add_test(tests, what_is_too_long_is_not_encrypted);
    tcase_add_test(tests, only_points_of_the_curve_are_keys);
    tcase_add_test(tests, the_token_of_rfc_8292_is_good_to_our_test);
    tcase_add_test(tests, we_claim_and_sign_what_the_rfc_does);
    tcase_add_test(tests, what_is_no_private_key_signs_nothing);
    tcase_add_test(tests, an_origin_that_is_too_long_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
