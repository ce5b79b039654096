/* What signing in elsewhere reads of a request: the query, a field by its name, and the cookie. */
#include "http/enter_cookie.h"
#include "http/http_head.h"
#include "http/query.h"
#include "suites.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* ---- the query */

static const struct {
    const char *query;
    enum query_found found;
    const char *value;
} queries[] = {
    {"code=a", QUERY_FOUND, "a"},
    {"x=1&code=a%2Fb+c&y", QUERY_FOUND, "a/b c"},
    {"code=", QUERY_FOUND, ""},
    {"code=12345678", QUERY_BAD, NULL}, /* no room */
    {"code=1234567", QUERY_FOUND, "1234567"},
    {"code=a&code=a", QUERY_BAD, NULL},
    {"code=%", QUERY_BAD, NULL},
    {"code=%4", QUERY_BAD, NULL},
    {"code=%zz", QUERY_BAD, NULL},
    {"code=%00", QUERY_BAD, NULL},
    {"code=%0d%0a", QUERY_BAD, NULL},
    {"code=%7f", QUERY_BAD, NULL},
    {"code", QUERY_ABSENT, NULL},
    {"xcode=a", QUERY_ABSENT, NULL},
    {"codex=a", QUERY_ABSENT, NULL},
    {"Code=a", QUERY_ABSENT, NULL},
    {"", QUERY_ABSENT, NULL},
    {"&&", QUERY_ABSENT, NULL},
};

START_TEST(a_value_of_the_query)
{
    char value[8];
    const struct http_text query = {queries[_i].query, strlen(queries[_i].query)};
    ck_assert_int_eq(query_find(query, "code", value, sizeof value), queries[_i].found);
    if (queries[_i].found == QUERY_FOUND)
        ck_assert_str_eq(value, queries[_i].value);
}
END_TEST

START_TEST(without_a_query)
{
    char value[8];
    const struct http_text none = {NULL, 0};
    ck_assert_int_eq(query_find(none, "code", value, sizeof value), QUERY_ABSENT);
}
END_TEST

/* ---- a field */

static const struct {
    const char *fields;
    enum http_field found;
    const char *value;
} fields[] = {
    {"X-User: ana\r\n", HTTP_FOUND, "ana"},
    {"x-uSER:\tana b \r\n", HTTP_FOUND, "ana b"},
    {"X-User:\r\n", HTTP_FOUND, ""},
    {"X-User: a:b\r\nOther: c\r\n", HTTP_FOUND, "a:b"},
    {"X-User: ana\r\nOther: a\r\nx-user: bo\r\n", HTTP_TWICE, NULL},
    {"X-User-2: ana\r\nY-X-User: b\r\nOther: X-User\r\n", HTTP_ABSENT, NULL},
};

START_TEST(a_field_by_its_name)
{
    struct http_head head;
    struct http_text value = {NULL, 0};
    char text[256];
    size_t used;
    (void)snprintf(text, sizeof text, "GET /enter?a=b?c HTTP/1.1\r\nHost: x\r\n%s\r\n",
                   fields[_i].fields);
    ck_assert_int_eq(http_head_parse(&head, text, strlen(text), "p", &used), HTTP_COMPLETE);
    ck_assert_uint_eq(head.query.len, strlen("a=b?c"));
    ck_assert_int_eq(memcmp(head.query.at, "a=b?c", head.query.len), 0);
    ck_assert_int_eq(http_head_find(&head, "X-User", &value), fields[_i].found);
    if (fields[_i].found != HTTP_FOUND)
        return;
    ck_assert_uint_eq(value.len, strlen(fields[_i].value));
    ck_assert_int_eq(memcmp(value.at, fields[_i].value, value.len), 0);
}
END_TEST

/* ---- the cookie */

static const uint8_t key[ENTER_KEY_BYTES] = {1}, other_key[ENTER_KEY_BYTES] = {2};
static const struct enter_kept begun = {
    .until_ms = 1000, .state = {1}, .nonce = {2}, .verifier = {3}, .bound = {4}};

static bool read_back(const char *before, const char *text, const char *behind,
                      const uint8_t with[static ENTER_KEY_BYTES], int64_t now_ms)
{
    char cookies[512];
    struct enter_kept kept;
    const int len = snprintf(cookies, sizeof cookies, "%s%s%s", before, text, behind);
    const struct http_text field = {cookies, (size_t)len};
    if (!enter_cookie_read(&kept, field, with, now_ms))
        return false;
    ck_assert_int_eq(kept.until_ms, begun.until_ms);
    ck_assert_mem_eq(kept.state, begun.state, sizeof kept.state);
    ck_assert_mem_eq(kept.nonce, begun.nonce, sizeof kept.nonce);
    ck_assert_mem_eq(kept.verifier, begun.verifier, sizeof kept.verifier);
    ck_assert_mem_eq(kept.bound, begun.bound, sizeof kept.bound);
    return true;
}

START_TEST(what_a_browser_keeps)
{
    char text[ENTER_COOKIE_TEXT + 1], again[ENTER_COOKIE_TEXT + 1];
    enter_cookie_write(text, &begun, key);
    enter_cookie_write(again, &begun, key);
    ck_assert_str_ne(text, again); /* nobody sees that it is the same */
    ck_assert(read_back("taluva_enter=", text, "", key, 999));
    ck_assert(read_back("a=b; taluva_enter=", text, "; c=d", key, 999));
    ck_assert(!read_back("taluva_enter=", text, "", key, 1000));
    ck_assert(!read_back("taluva_enter=", text, "", other_key, 999));
    ck_assert(!read_back("taluva_ente=", text, "", key, 999));
    ck_assert(!read_back("xtaluva_enter=", text, "", key, 999));
    ck_assert(!read_back("taluva_enter=", text, "A", key, 999));
    ck_assert(!read_back("", "", "", key, 999));
}
END_TEST

START_TEST(each_of_its_bytes)
{
    char text[ENTER_COOKIE_TEXT + 1];
    enter_cookie_write(text, &begun, key);
    for (size_t at = 0; at < ENTER_COOKIE_TEXT; at++) {
        const char before = text[at];
        text[at] = before == 'A' ? 'B' : 'A';
        ck_assert_msg(!read_back("taluva_enter=", text, "", key, 999), "byte %zu", at);
        text[at] = before;
    }
}
END_TEST

Suite *enter_suite(void)
{
    Suite *suite = suite_create("enter");
    TCase *tcase = tcase_create("enter");
    tcase_add_loop_test(tcase, a_value_of_the_query, 0, sizeof queries / sizeof queries[0]);
    tcase_add_test(tcase, without_a_query);
    tcase_add_loop_test(tcase, a_field_by_its_name, 0, sizeof fields / sizeof fields[0]);
    tcase_add_test(tcase, what_a_browser_keeps);
    tcase_add_test(tcase, each_of_its_bytes);
    suite_add_tcase(suite, tcase);
    return suite;
}
