/* ID tokens: one that is right, and each thing about it that may be wrong, once. */
#include "issuer.h"
#include "suites.h"
#include <oidc/token.h>
#include <stdio.h>
#include <string.h>

enum { NOW_S = 1800000000 };

static const struct oidc_wanted wanted = {
    .issuer = "https://id.example", .client = "taluva", .nonce = "n-1", .now_s = NOW_S};

#define SAYS(iss, aud, exp, iat, nonce, sub)                                                       \
    "{\"iss\":" iss ",\"aud\":" aud ",\"exp\":" exp ",\"iat\":" iat ",\"nonce\":" nonce            \
    ",\"sub\":" sub "}"
#define ISS   "\"https://id.example\""
#define AUD   "\"taluva\""
#define EXP   "1800000300"
#define IAT   "1800000000"
#define NONCE "\"n-1\""
#define SUB   "\"u-1\""
#define RIGHT SAYS(ISS, AUD, EXP, IAT, NONCE, SUB)
/* With something more in it. */
#define AND(more)                                                                                  \
    "{\"iss\":" ISS ",\"aud\":" AUD ",\"exp\":" EXP ",\"iat\":" IAT ",\"nonce\":" NONCE            \
    ",\"sub\":" SUB "," more "}"

static struct oidc_keys *keys;

/* All three, with ids. */
static void set_up(void)
{
    char text[ISSUER_KINDS * ISSUER_TEXT] = "{\"keys\":[", jwk[ISSUER_TEXT];
    for (int kind = 0; kind < ISSUER_KINDS; kind++) {
        issuer_jwk((enum issuer_kind)kind, jwk);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s{\"kid\":\"k%d\",%s}",
                       kind ? "," : "", kind, jwk);
    }
    strcat(text, "]}");
    keys = oidc_keys_read(text, strlen(text));
    ck_assert_ptr_nonnull(keys);
    ck_assert_uint_eq(oidc_keys_count(keys), ISSUER_KINDS);
}

static void tear_down(void)
{
    oidc_keys_destroy(keys);
}

static enum oidc_fault check_at(const char *token, const struct oidc_wanted *what)
{
    char subject[OIDC_SUBJECT_MAX + 1] = "";
    const enum oidc_fault fault = oidc_token_check(token, strlen(token), keys, what, subject);
    if (fault == OIDC_OK)
        ck_assert_str_ne(subject, "");
    else
        ck_assert_str_eq(subject, "");
    return fault;
}

static void expect(enum issuer_kind kind, const char *header, const char *claims,
                   enum oidc_fault fault)
{
    char token[ISSUER_TEXT];
    issuer_sign(kind, header, claims, token);
    ck_assert_str_eq(oidc_fault_name(check_at(token, &wanted)), oidc_fault_name(fault));
}

START_TEST(one_that_is_right)
{
    char header[64], token[ISSUER_TEXT], subject[OIDC_SUBJECT_MAX + 1];
    const enum issuer_kind kind = (enum issuer_kind)_i;
    (void)snprintf(header, sizeof header, "{\"alg\":\"%s\",\"kid\":\"k%d\"}", issuer_alg(kind), _i);
    issuer_sign(kind, header, RIGHT, token);
    ck_assert_int_eq(oidc_token_check(token, strlen(token), keys, &wanted, subject), OIDC_OK);
    ck_assert_str_eq(subject, "u-1");
    (void)snprintf(header, sizeof header, "{\"alg\":\"%s\"}", issuer_alg(kind)); /* the only one */
    expect(kind, header, RIGHT, OIDC_OK);
}
END_TEST

/* ---- what is signed */

static const struct {
    const char *claims;
    enum oidc_fault fault;
} claims[] = {
    {SAYS("\"https://id.example/\"", AUD, EXP, IAT, NONCE, SUB), OIDC_OTHER_ISSUER},
    {SAYS("\"https://ID.example\"", AUD, EXP, IAT, NONCE, SUB), OIDC_OTHER_ISSUER},
    {SAYS("[" ISS "]", AUD, EXP, IAT, NONCE, SUB), OIDC_OTHER_ISSUER},
    {"{\"aud\":" AUD ",\"exp\":" EXP ",\"iat\":" IAT ",\"nonce\":" NONCE ",\"sub\":" SUB "}",
     OIDC_OTHER_ISSUER},
    {SAYS(ISS, "\"taluva2\"", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "\"\"", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "[]", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "[\"other\"]", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "[" AUD ",7]", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "{\"taluva\":1}", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "[" AUD "]", EXP, IAT, NONCE, SUB), OIDC_OK},
    {SAYS(ISS, "[" AUD ",\"other\"]", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, "[\"other\"," AUD "],\"azp\":\"taluva\"", EXP, IAT, NONCE, SUB), OIDC_OK},
    {SAYS(ISS, "[\"other\"," AUD "],\"azp\":\"other\"", EXP, IAT, NONCE, SUB), OIDC_OTHER_AUDIENCE},
    {AND("\"azp\":\"taluva\""), OIDC_OK},
    {AND("\"azp\":\"other\""), OIDC_OTHER_AUDIENCE},
    {AND("\"azp\":null"), OIDC_OTHER_AUDIENCE},
    {SAYS(ISS, AUD, "1799999941", IAT, NONCE, SUB), OIDC_OK}, /* clocks differ */
    {SAYS(ISS, AUD, "1799999940", IAT, NONCE, SUB), OIDC_EXPIRED},
    {SAYS(ISS, AUD, "\"1800000300\"", IAT, NONCE, SUB), OIDC_EXPIRED},
    {SAYS(ISS, AUD, "-1", IAT, NONCE, SUB), OIDC_EXPIRED},
    {SAYS(ISS, AUD, "1e300", IAT, NONCE, SUB), OIDC_EXPIRED},
    {SAYS(ISS, AUD, "null", IAT, NONCE, SUB), OIDC_EXPIRED},
    {SAYS(ISS, AUD, "1800000300.5", IAT, NONCE, SUB), OIDC_OK},
    {SAYS(ISS, AUD, EXP, "1800000060", NONCE, SUB), OIDC_OK},
    {SAYS(ISS, AUD, EXP, "1800000061", NONCE, SUB), OIDC_BAD_TIME},
    {SAYS(ISS, AUD, EXP, "1799999400", NONCE, SUB), OIDC_OK},
    {SAYS(ISS, AUD, EXP, "1799999399", NONCE, SUB), OIDC_BAD_TIME},
    {SAYS(ISS, AUD, EXP, "true", NONCE, SUB), OIDC_BAD_TIME},
    {"{\"iss\":" ISS ",\"aud\":" AUD ",\"exp\":" EXP ",\"nonce\":" NONCE ",\"sub\":" SUB "}",
     OIDC_BAD_TIME},
    {AND("\"nbf\":1800000060"), OIDC_OK},
    {AND("\"nbf\":1800000061"), OIDC_BAD_TIME},
    {AND("\"nbf\":\"soon\""), OIDC_BAD_TIME},
    {SAYS(ISS, AUD, EXP, IAT, "\"n-2\"", SUB), OIDC_OTHER_NONCE},
    {SAYS(ISS, AUD, EXP, IAT, "\"n-11\"", SUB), OIDC_OTHER_NONCE},
    {SAYS(ISS, AUD, EXP, IAT, "\"\"", SUB), OIDC_OTHER_NONCE},
    {SAYS(ISS, AUD, EXP, IAT, "null", SUB), OIDC_OTHER_NONCE},
    {SAYS(ISS, AUD, EXP, IAT, NONCE, "\"\""), OIDC_BAD_SUBJECT},
    {SAYS(ISS, AUD, EXP, IAT, NONCE, "7"), OIDC_BAD_SUBJECT},
    {SAYS(ISS, AUD, EXP, IAT, NONCE, "\"a\\u0001\""), OIDC_BAD_SUBJECT},
    {SAYS(ISS, AUD, EXP, IAT, NONCE, "null"), OIDC_BAD_SUBJECT},
    {AND("\"email\":\"a@b.example\""), OIDC_OK},
    {"[]", OIDC_BAD_TOKEN},
    {"{", OIDC_BAD_TOKEN},
    {"{\"iss\":" ISS ",\"iss\":" ISS "}", OIDC_BAD_TOKEN},
};

START_TEST(what_it_says)
{
    expect(ISSUER_ES256, "{\"alg\":\"ES256\",\"kid\":\"k1\"}", claims[_i].claims, claims[_i].fault);
}
END_TEST

START_TEST(subjects_have_a_length)
{
    char sub[OIDC_SUBJECT_MAX + 4], text[ISSUER_TEXT];
    const size_t len = OIDC_SUBJECT_MAX + (size_t)_i;
    memset(sub, 'a', len);
    sub[len] = '\0';
    (void)snprintf(text, sizeof text,
                   "{\"iss\":" ISS ",\"aud\":" AUD ",\"exp\":" EXP ",\"iat\":" IAT
                   ",\"nonce\":" NONCE ",\"sub\":\"%s\"}",
                   sub);
    expect(ISSUER_EDDSA, "{\"alg\":\"EdDSA\"}", text, _i ? OIDC_BAD_SUBJECT : OIDC_OK);
}
END_TEST

/* ---- how it is signed */

static const struct {
    enum issuer_kind by;
    const char *header;
    enum oidc_fault fault;
} headers[] = {
    {ISSUER_RS256, "{\"alg\":\"none\"}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"HS256\"}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"RS384\"}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"PS256\"}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"rs256\"}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":null}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"crit\":[\"exp\"]}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"b64\":false}", OIDC_OTHER_ALGORITHM},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"kid\":7}", OIDC_BAD_TOKEN},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"kid\":\"k9\"}", OIDC_UNKNOWN_KEY},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"kid\":\"\"}", OIDC_UNKNOWN_KEY},
    {ISSUER_RS256, "{\"alg\":\"RS256\",\"kid\":\"k1\"}", OIDC_UNKNOWN_KEY}, /* of another kind */
    {ISSUER_RS256, "{\"alg\":\"ES256\",\"kid\":\"k1\"}", OIDC_BAD_SIGNATURE},
    {ISSUER_ES256, "{\"alg\":\"RS256\",\"kid\":\"k0\"}", OIDC_BAD_SIGNATURE},
    {ISSUER_ES256, "{\"alg\":\"EdDSA\",\"kid\":\"k2\"}", OIDC_BAD_SIGNATURE},
    {ISSUER_ES256, "{\"alg\":\"ES256\",\"alg\":\"ES256\"}", OIDC_BAD_TOKEN},
    {ISSUER_ES256, "{\"alg\":\"ES256\",\"jwk\":{},\"jku\":\"https://other.example\"}", OIDC_OK},
};

START_TEST(how_it_is_signed)
{
    expect(headers[_i].by, headers[_i].header, RIGHT, headers[_i].fault);
}
END_TEST

/* Whatever byte of it is another one. */
START_TEST(every_byte_counts)
{
    char token[ISSUER_TEXT];
    issuer_sign((enum issuer_kind)_i,
                _i == ISSUER_RS256   ? "{\"alg\":\"RS256\"}"
                : _i == ISSUER_ES256 ? "{\"alg\":\"ES256\"}"
                                     : "{\"alg\":\"EdDSA\"}",
                RIGHT, token);
    ck_assert_int_eq(check_at(token, &wanted), OIDC_OK);
    for (size_t at = 0; token[at]; at++) {
        const char before = token[at];
        token[at] = before == 'A' ? 'B' : 'A';
        ck_assert_msg(check_at(token, &wanted) != OIDC_OK, "byte %zu", at);
        token[at] = before;
    }
    for (size_t len = strlen(token); len-- > 0;) {
        token[len] = '\0';
        ck_assert_int_ne(check_at(token, &wanted), OIDC_OK);
    }
}
END_TEST

static const char *const forms[] = {
    "",
    ".",
    "..",
    "...",
    "a.b.c",
    "e30.e30.",
    "e30.e30.e30.e30",
    "e30.e30.e30.",
    "e30.e30",
    " e30.e30.e30",
    "e30=.e30.e30",
    "e30.e30.e3+",
    "bnVsbA.e30.AA",
    /* { "alg": "none" } . {} . nothing */
    "eyJhbGciOiJub25lIn0.e30.",
};

START_TEST(what_is_none)
{
    ck_assert_int_ne(check_at(forms[_i], &wanted), OIDC_OK);
}
END_TEST

START_TEST(one_that_is_too_long)
{
    static char token[OIDC_TOKEN_MAX + 2];
    memset(token, 'a', OIDC_TOKEN_MAX + 1);
    ck_assert_int_eq(check_at(token, &wanted), OIDC_BAD_TOKEN);
}
END_TEST

/* A signature of RSA has no key of another one beside it: two of a kind need ids. */
START_TEST(without_an_id_there_is_one_key)
{
    char jwk[ISSUER_TEXT], text[3 * ISSUER_TEXT], token[ISSUER_TEXT];
    issuer_jwk(ISSUER_ES256, jwk);
    (void)snprintf(text, sizeof text, "{\"keys\":[{\"kid\":\"a\",%s},{\"kid\":\"b\",%s}]}", jwk,
                   jwk);
    oidc_keys_destroy(keys);
    keys = oidc_keys_read(text, strlen(text));
    issuer_sign(ISSUER_ES256, "{\"alg\":\"ES256\"}", RIGHT, token);
    ck_assert_int_eq(check_at(token, &wanted), OIDC_UNKNOWN_KEY);
    expect(ISSUER_ES256, "{\"alg\":\"ES256\",\"kid\":\"b\"}", RIGHT, OIDC_OK);
}
END_TEST

Suite *token_suite(void)
{
    Suite *suite = suite_create("token");
    TCase *tcase = tcase_create("token");
    tcase_add_unchecked_fixture(tcase, issuer_begin, issuer_end);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, one_that_is_right, 0, ISSUER_KINDS);
    tcase_add_loop_test(tcase, what_it_says, 0, sizeof claims / sizeof claims[0]);
    tcase_add_loop_test(tcase, subjects_have_a_length, 0, 2);
    tcase_add_loop_test(tcase, how_it_is_signed, 0, sizeof headers / sizeof headers[0]);
    tcase_add_loop_test(tcase, every_byte_counts, 0, ISSUER_KINDS);
    tcase_add_loop_test(tcase, what_is_none, 0, sizeof forms / sizeof forms[0]);
    tcase_add_test(tcase, one_that_is_too_long);
    tcase_add_test(tcase, without_an_id_there_is_one_key);
    suite_add_tcase(suite, tcase);
    return suite;
}
