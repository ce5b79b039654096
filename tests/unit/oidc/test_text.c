/* Addresses of providers: which are taken, and what is put into one. */
#include "suites.h"
#include "text.h"
#include <oidc/provider.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *url;
    bool fine;
} urls[] = {
    {"https://id.example", true},
    {"https://id.example/", true},
    {"https://id.example:8443/realms/club?x=1&y=%20", true},
    {"https://[2001:db8::1]:8443/a", true},
    {"http://127.0.0.1:9000", true},
    {"http://localhost/a", true},
    {"http://[::1]:1/a", true},
    {"http://id.example/", false},
    {"http://127.0.0.1.example/", false},
    {"http://localhost.example/", false},
    {"http://localhost@id.example/", false},
    {"https://user@id.example/", false},
    {"https://user:word@id.example/", false},
    {"https://id.example:0/", false},
    {"https://id.example:/", false},
    {"https://id.example:123456/", false},
    {"https://id.example#a", false},
    {"https://id.example/#a", false},
    {"https://id.example/a b", false},
    {"https://id.example/\r\nset-cookie: a", false},
    {"https://id.example/\"", false},
    {"https://ID.example/", false},
    {"https:///a", false},
    {"https://", false},
    {"https://[]/", false},
    {"HTTPS://id.example", false},
    {"//id.example", false},
    {"/authorize", false},
    {"javascript:alert(1)", false},
    {"data:text/html,a", false},
    {"file:///etc/passwd", false},
    {"", false},
};

START_TEST(which_are_taken)
{
    ck_assert_int_eq(text_is_url(urls[_i].url, 512), urls[_i].fine);
}
END_TEST

START_TEST(they_have_a_length)
{
    const char *url = "https://id.example/abc";
    ck_assert(text_is_url(url, strlen(url)));
    ck_assert(!text_is_url(url, strlen(url) - 1));
}
END_TEST

START_TEST(issuers_have_no_query)
{
    ck_assert(oidc_issuer_is_valid("https://id.example/realms/club"));
    ck_assert(!oidc_issuer_is_valid("https://id.example/?a"));
    ck_assert(oidc_client_is_valid("taluva", 6));
    ck_assert(!oidc_client_is_valid("taluva", 5));
    ck_assert(!oidc_client_is_valid("", 5));
    ck_assert(!oidc_client_is_valid("a b", 5));
}
END_TEST

START_TEST(origins)
{
    ck_assert(text_same_origin("https://id.example/a", "https://id.example"));
    ck_assert(text_same_origin("https://id.example?a", "https://id.example/b"));
    ck_assert(!text_same_origin("https://id.example:444/a", "https://id.example"));
    ck_assert(!text_same_origin("https://id.example.evil/a", "https://id.example"));
    ck_assert(!text_same_origin("http://id.example", "https://id.example"));
    ck_assert(!text_same_origin("", ""));
}
END_TEST

START_TEST(what_is_escaped)
{
    char space[32];
    struct text text = {space, space + sizeof space, false};
    text_put(&text, "a=");
    text_put_escaped(&text, "b&c=%\r\xc3\xa9~");
    ck_assert(!text.full);
    ck_assert_str_eq(space, "a=b%26c%3D%25%0D%C3%A9~");
    text_put_escaped(&text, "         ");
    ck_assert(text.full);
    ck_assert_uint_lt(strlen(space), sizeof space);
}
END_TEST

START_TEST(bytes)
{
    uint8_t space[2];
    ck_assert_uint_eq(text_bytes(space, sizeof space, "AAA", 3), 2);
    ck_assert_uint_eq(text_bytes(space, sizeof space, "AAAA", 4), 0); /* no room */
    ck_assert_uint_eq(text_bytes(space, sizeof space, "AA=", 3), 0);
    ck_assert_uint_eq(text_bytes(space, sizeof space, "AB", 2), 0); /* bits that say nothing */
    ck_assert_uint_eq(text_bytes(space, sizeof space, "A+", 2), 0);
    ck_assert_uint_eq(text_bytes(space, sizeof space, "", 0), 0);
}
END_TEST

Suite *text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(tcase, which_are_taken, 0, sizeof urls / sizeof urls[0]);
    tcase_add_test(tcase, they_have_a_length);
    tcase_add_test(tcase, issuers_have_no_query);
    tcase_add_test(tcase, origins);
    tcase_add_test(tcase, what_is_escaped);
    tcase_add_test(tcase, bytes);
    suite_add_tcase(suite, tcase);
    return suite;
}
