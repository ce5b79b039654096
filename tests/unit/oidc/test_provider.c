/*
 * A provider that says what it should, and one that does not: what it is asked, how often, and what
 * becomes of what it answers.
 */
#include "issuer.h"
#include "suites.h"
#include <oidc/provider.h>
#include <stdio.h>
#include <string.h>

enum { NOW_S = 1800000000 };
#define ISSUER "https://id.example"

static const struct oidc_options options = {.issuer = ISSUER,
                                            .client = "talu va",
                                            .secret = "a:b",
                                            .redirect = "https://club.example/enter/back"};
static const struct oidc_attempt attempt = {.state = "S", .nonce = "N", .verifier = "V"};

static struct {
    const char *discovery; /* what is said instead; NULL: what is right */
    int status;            /* of all but what is said of itself; 0: away */
    bool away;
    char token[ISSUER_TEXT], keys[ISSUER_TEXT];
    unsigned asked, asked_keys;
    bool named;
    char url[512];
    char form[4096];
    char user[64], password[64];
} there;

static struct oidc_provider *provider;
static struct oidc_time now;
static char why[OIDC_WHY_MAX];

static const char discovery[] =
    "{\"issuer\":\"" ISSUER "\",\"authorization_endpoint\":\"" ISSUER "/a?x=1\",\"token_endpoint\":"
    "\"" ISSUER "/t\",\"jwks_uri\":\"https://keys.example/k\"}";

static void keep(const struct oidc_asked *asked)
{
    there.asked++;
    there.named = asked->named;
    (void)snprintf(there.url, sizeof there.url, "%s", asked->url);
    (void)snprintf(there.form, sizeof there.form, "%s", asked->form ? asked->form : "");
    (void)snprintf(there.user, sizeof there.user, "%s", asked->user ? asked->user : "");
    (void)snprintf(there.password, sizeof there.password, "%s",
                   asked->password ? asked->password : "");
}

static int fetch(void *ctx, const struct oidc_asked *asked, char *answer, size_t *len,
                 char reason[static 128])
{
    (void)ctx;
    const char *text = there.discovery ? there.discovery : discovery;
    keep(asked);
    if (there.away) {
        strcpy(reason, "no route");
        return 0;
    }
    const bool itself = strstr(asked->url, "/.well-known/openid-configuration");
    if (strstr(asked->url, "/k")) {
        there.asked_keys++;
        text = there.keys;
    } else if (!itself) {
        text = there.token;
    }
    *len = strlen(text);
    memcpy(answer, text, *len);
    return itself ? 200 : there.status;
}

static void set_keys(enum issuer_kind kind, const char *id)
{
    char jwk[ISSUER_TEXT / 2];
    char text[ISSUER_TEXT];
    issuer_jwk(kind, text);
    (void)snprintf(jwk, sizeof jwk, "%.2000s", text);
    (void)snprintf(there.keys, sizeof there.keys, "{\"keys\":[{\"kid\":\"%s\",%s}]}", id, jwk);
}

static void set_token(enum issuer_kind kind, const char *id, const char *nonce)
{
    char header[64], claims[256], token[ISSUER_TEXT];
    (void)snprintf(header, sizeof header, "{\"alg\":\"%s\",\"kid\":\"%s\"}", issuer_alg(kind), id);
    (void)snprintf(claims, sizeof claims,
                   "{\"iss\":\"" ISSUER "\",\"aud\":\"talu va\",\"exp\":1800000300,"
                   "\"iat\":1800000000,\"nonce\":\"%s\",\"sub\":\"u-1\"}",
                   nonce);
    issuer_sign(kind, header, claims, token);
    (void)snprintf(there.token, sizeof there.token, "{\"id_token\":\"%.4000s\"}", token);
}

static void set_up(void)
{
    const struct oidc_fetcher fetcher = {fetch, NULL};
    memset(&there, 0, sizeof there);
    there.status = 200;
    now = (struct oidc_time){.now_ms = 5000, .now_s = NOW_S};
    why[0] = '\0';
    set_keys(ISSUER_ES256, "a");
    set_token(ISSUER_ES256, "a", "N");
    provider = oidc_provider_create(&options, &fetcher);
    ck_assert_ptr_nonnull(provider);
}

static void tear_down(void)
{
    oidc_provider_destroy(provider);
}

static enum oidc_result begin(void)
{
    char url[OIDC_URL_MAX + 1];
    return oidc_begin(provider, now, &attempt, url, why);
}

static enum oidc_result finish(void)
{
    char subject[OIDC_SUBJECT_MAX + 1] = "";
    const enum oidc_result result = oidc_finish(provider, now, &attempt, "c&d", subject, why);
    ck_assert_str_eq(subject, result == OIDC_DONE ? "u-1" : "");
    return result;
}

START_TEST(there_and_back)
{
    char url[OIDC_URL_MAX + 1];
    ck_assert_int_eq(oidc_begin(provider, now, &attempt, url, why), OIDC_DONE);
    ck_assert_str_eq(url, ISSUER "/a?x=1&response_type=code&scope=openid&client_id=talu%20va"
                                 "&redirect_uri=https%3A%2F%2Fclub.example%2Fenter%2Fback&state=S"
                                 "&nonce=N&code_challenge_method=S256&code_challenge="
                                 "3lpveBFuymLX_FzhWdI65riJs2Whc5rSzzb5JaFA0Mw");
    ck_assert_str_eq(there.url, ISSUER "/.well-known/openid-configuration");
    ck_assert(there.named);
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert(!there.named); /* the keys are somewhere else */
    ck_assert_uint_eq(there.asked, 3);
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert_uint_eq(there.asked, 4);
    ck_assert_str_eq(there.url, ISSUER "/t");
    ck_assert_str_eq(there.form, "grant_type=authorization_code&code=c%26d&redirect_uri="
                                 "https%3A%2F%2Fclub.example%2Fenter%2Fback&code_verifier=V");
    ck_assert_str_eq(there.user, "talu%20va");
    ck_assert_str_eq(there.password, "a%3Ab");
}
END_TEST

START_TEST(a_secret_in_the_body)
{
    there.discovery = "{\"issuer\":\"" ISSUER "\",\"authorization_endpoint\":\"" ISSUER
                      "/a\",\"token_endpoint\":\"" ISSUER "/t\",\"jwks_uri\":\"" ISSUER
                      "/k\",\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]}";
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert_str_eq(there.user, "");
    ck_assert_ptr_nonnull(strstr(there.form, "&client_id=talu%20va&client_secret=a%3Ab"));
}
END_TEST

START_TEST(it_is_away)
{
    there.away = true;
    ck_assert_int_eq(begin(), OIDC_AWAY);
    ck_assert_str_eq(why, "the provider is not reached: no route");
    ck_assert_int_eq(begin(), OIDC_AWAY);
    ck_assert_int_eq(finish(), OIDC_AWAY);
    ck_assert_uint_eq(there.asked, 1); /* nobody waits for it meanwhile */
    there.away = false;
    now.now_ms += OIDC_AWAY_MS;
    ck_assert_int_eq(begin(), OIDC_DONE);
}
END_TEST

START_TEST(it_has_an_error_of_its_own)
{
    ck_assert_int_eq(begin(), OIDC_DONE);
    there.status = 500;
    ck_assert_int_eq(finish(), OIDC_AWAY);
    there.status = 400;
    now.now_ms += OIDC_AWAY_MS;
    ck_assert_int_eq(finish(), OIDC_REFUSED);
    ck_assert_str_eq(why, "the provider does not take the code: 400");
}
END_TEST

START_TEST(what_it_says_of_itself_is_known_for_a_day)
{
    ck_assert_int_eq(begin(), OIDC_DONE);
    now.now_ms += OIDC_SAID_MS - 1;
    ck_assert_int_eq(begin(), OIDC_DONE);
    ck_assert_uint_eq(there.asked, 1);
    now.now_ms++;
    there.away = true; /* what it said before is better than nothing */
    ck_assert_int_eq(begin(), OIDC_DONE);
    ck_assert_uint_eq(there.asked, 2);
}
END_TEST

START_TEST(other_keys_are_looked_for_now_and_then)
{
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert_uint_eq(there.asked_keys, 1);
    set_keys(ISSUER_EDDSA, "b");
    set_token(ISSUER_EDDSA, "b", "N");
    now.now_ms += OIDC_KEYS_AGAIN_MS - 1;
    ck_assert_int_eq(finish(), OIDC_REFUSED);
    ck_assert_uint_eq(there.asked_keys, 1);
    now.now_ms++;
    ck_assert_int_eq(finish(), OIDC_DONE);
    ck_assert_uint_eq(there.asked_keys, 2);
    set_token(ISSUER_EDDSA, "c", "N");
    ck_assert_int_eq(finish(), OIDC_REFUSED);
    now.now_ms += OIDC_KEYS_AGAIN_MS;
    ck_assert_int_eq(finish(), OIDC_REFUSED);
    ck_assert_uint_eq(there.asked_keys, 3);
    ck_assert_str_eq(why, "the ID token is refused: unknown_key");
}
END_TEST

/* What is wrong otherwise is no reason to ask. */
START_TEST(another_nonce)
{
    ck_assert_int_eq(finish(), OIDC_DONE);
    set_token(ISSUER_ES256, "a", "other");
    now.now_ms += OIDC_KEYS_AGAIN_MS;
    ck_assert_int_eq(finish(), OIDC_REFUSED);
    ck_assert_uint_eq(there.asked_keys, 1);
    ck_assert_str_eq(why, "the ID token is refused: other_nonce");
}
END_TEST

static const char *const tokens[] = {
    "", "{}", "[]", "{\"id_token\":7}", "{\"id_token\":\"\"}", "{\"access_token\":\"a\"}"};

START_TEST(no_token)
{
    strcpy(there.token, tokens[_i]);
    ck_assert_int_eq(finish(), OIDC_REFUSED);
}
END_TEST

#define SAYS(issuer, a, t, k)                                                                      \
    "{\"issuer\":\"" issuer "\",\"authorization_endpoint\":\"" a "\",\"token_endpoint\":\"" t      \
    "\",\"jwks_uri\":\"" k "\""
#define FINE SAYS(ISSUER, ISSUER "/a", ISSUER "/t", ISSUER "/k")
static const char *const discoveries[] = {
    "",
    "null",
    SAYS(ISSUER "/", ISSUER "/a", ISSUER "/t", ISSUER "/k") "}",
    SAYS(ISSUER, "http://id.example/a", ISSUER "/t", ISSUER "/k") "}",
    SAYS(ISSUER, "javascript:a", ISSUER "/t", ISSUER "/k") "}",
    SAYS(ISSUER, ISSUER "/a", "http://127.0.0.1/t", ISSUER "/k") "}", /* of this machine */
    SAYS(ISSUER, ISSUER "/a", ISSUER "/t", "ftp://id.example/k") "}",
    FINE ",\"id_token_signing_alg_values_supported\":[\"HS256\",\"none\"]}",
    FINE ",\"code_challenge_methods_supported\":[\"plain\"]}",
    "{\"issuer\":\"" ISSUER "\"}",
};

START_TEST(what_is_no_provider)
{
    there.discovery = discoveries[_i];
    ck_assert_int_eq(begin(), OIDC_AWAY);
    ck_assert_ptr_nonnull(strstr(why, "cannot be used"));
    there.discovery = FINE "}";
    ck_assert_int_eq(begin(), OIDC_DONE);
}
END_TEST

Suite *provider_suite(void)
{
    Suite *suite = suite_create("provider");
    TCase *tcase = tcase_create("provider");
    tcase_add_unchecked_fixture(tcase, issuer_begin, issuer_end);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, there_and_back);
    tcase_add_test(tcase, a_secret_in_the_body);
    tcase_add_test(tcase, it_is_away);
    tcase_add_test(tcase, it_has_an_error_of_its_own);
    tcase_add_test(tcase, what_it_says_of_itself_is_known_for_a_day);
    tcase_add_test(tcase, other_keys_are_looked_for_now_and_then);
    tcase_add_test(tcase, another_nonce);
    tcase_add_loop_test(tcase, no_token, 0, sizeof tokens / sizeof tokens[0]);
    tcase_add_loop_test(tcase, what_is_no_provider, 0, sizeof discoveries / sizeof discoveries[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
