/* The keys of a provider: which of a set are taken, and which are passed over. */
#include "issuer.h"
#include "suites.h"
#include <oidc/token.h>
#include <stdio.h>
#include <string.h>

static size_t count_of(const char *text)
{
    struct oidc_keys *keys = oidc_keys_read(text, strlen(text));
    const size_t count = keys ? oidc_keys_count(keys) : 999;
    oidc_keys_destroy(keys);
    return count;
}

static size_t count_with(enum issuer_kind kind, const char *more)
{
    char jwk[ISSUER_TEXT], text[2 * ISSUER_TEXT];
    issuer_jwk(kind, jwk);
    (void)snprintf(text, sizeof text, "{\"keys\":[{%s%s}]}", jwk, more);
    return count_of(text);
}

static const struct {
    const char *more;
    size_t taken;
} uses[] = {
    {"", 1},
    {",\"use\":\"sig\"", 1},
    {",\"use\":\"enc\"", 0},
    {",\"use\":7", 0},
    {",\"key_ops\":[\"verify\"]", 1},
    {",\"key_ops\":[\"encrypt\",\"verify\"]", 1},
    {",\"key_ops\":[\"encrypt\"]", 0},
    {",\"key_ops\":[]", 0},
    {",\"alg\":\"PS256\"", 0},
    {",\"alg\":\"HS256\"", 0},
    {",\"kid\":\"\"", 1},
    {",\"kid\":7", 0},
    {",\"x5c\":[\"AA\"],\"other\":null", 1},
};

START_TEST(what_a_key_is_for)
{
    for (int kind = 0; kind < ISSUER_KINDS; kind++)
        ck_assert_uint_eq(count_with((enum issuer_kind)kind, uses[_i].more), uses[_i].taken);
}
END_TEST

START_TEST(its_algorithm_is_its_kinds)
{
    char more[32];
    for (int kind = 0; kind < ISSUER_KINDS; kind++) {
        for (int other = 0; other < ISSUER_KINDS; other++) {
            (void)snprintf(more, sizeof more, ",\"alg\":\"%s\"",
                           issuer_alg((enum issuer_kind)other));
            ck_assert_uint_eq(count_with((enum issuer_kind)kind, more), kind == other);
        }
    }
}
END_TEST

#define ZEROS "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
static const struct {
    const char *text;
    size_t count; /* 999: it is no set */
} sets[] = {
    {"", 999},
    {"[]", 999},
    {"{}", 999},
    {"{\"keys\":{}}", 999},
    {"{\"keys\":[]}", 0},
    {"{\"keys\":[]}{", 999},
    {"{\"keys\":[],\"keys\":[]}", 999},
    {"{\"keys\":[7,null,[],{}]}", 0},
    {"{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\",\"alg\":\"HS256\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"" ZEROS "\",\"y\":\"" ZEROS "\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-384\",\"x\":\"" ZEROS "\",\"y\":\"" ZEROS "\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" ZEROS "\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"" ZEROS "\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", 0},
    {"{\"keys\":[{\"kty\":\"RSA\"}]}", 0},
};

START_TEST(what_is_no_key)
{
    ck_assert_uint_eq(count_of(sets[_i].text), sets[_i].count);
}
END_TEST

START_TEST(there_are_not_too_many)
{
    static char text[64 * ISSUER_TEXT];
    char jwk[ISSUER_TEXT];
    issuer_jwk(ISSUER_EDDSA, jwk);
    strcpy(text, "{\"keys\":[");
    for (int at = 0; at < OIDC_KEYS_MAX + 5; at++)
        (void)snprintf(text + strlen(text), 2 * ISSUER_TEXT, "%s{\"kid\":\"k%d\",%s}",
                       at ? "," : "", at, jwk);
    strcat(text, "]}");
    ck_assert_uint_eq(count_of(text), OIDC_KEYS_MAX);
}
END_TEST

Suite *keys_suite(void)
{
    Suite *suite = suite_create("keys");
    TCase *tcase = tcase_create("keys");
    tcase_add_unchecked_fixture(tcase, issuer_begin, issuer_end);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, what_a_key_is_for, 0, sizeof uses / sizeof uses[0]);
    tcase_add_test(tcase, its_algorithm_is_its_kinds);
    tcase_add_loop_test(tcase, what_is_no_key, 0, sizeof sets / sizeof sets[0]);
    tcase_add_test(tcase, there_are_not_too_many);
    suite_add_tcase(suite, tcase);
    return suite;
}
