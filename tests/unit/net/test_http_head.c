/* Heads of HTTP requests: what is read of them, and what is refused because it could be misread. */
#include "http/http_head.h"
#include "http/upgrade.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OURS "taluva.v1+json"
#define GET  "GET / HTTP/1.1\r\nHost: x\r\n"

static struct http_head head;
static size_t used;

static enum http_parsed parse(const char *text)
{
    return http_head_parse(&head, text, strlen(text), OURS, &used);
}

static const struct {
    const char *text;
    enum http_method method;
    const char *path;
    bool keep_alive;
} requests[] = {
    {GET "\r\n", HTTP_GET, "/", true},
    {"\r\n\r\n" GET "\r\n", HTTP_GET, "/", true},
    {"HEAD /a/b.c?d=e?f HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_HEAD, "/a/b.c", true},
    {"POST / HTTP/1.1\r\nHost:x\r\nContent-Length: 0\r\n\r\n", HTTP_POST, "/", true},
    {"POST / HTTP/1.1\r\nHost:x\r\nContent-Length: 12\r\n\r\n", HTTP_POST, "/", true},
    {"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n", HTTP_POST, "/", false},
    {"POST / HTTP/1.1\r\nHost:x\r\nTransfer-Encoding: chunked\r\n\r\n", HTTP_POST, "/", false},
    {"PUT / HTTP/1.1\r\nHost:x\r\nContent-Length: 12\r\n\r\n", HTTP_OTHER, "/", false},
    {"POSX / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"POSTS / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"get / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "*", true},
    {"GET http://x:80/a HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/a", true},
    {"GET HTTPS://x/a?b HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/a", true},
    {"GET / HTTP/1.0\r\n\r\n", HTTP_GET, "/", false},
    {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", HTTP_GET, "/", false},
    {GET "Connection: a, Close ,b\r\n\r\n", HTTP_GET, "/", false},
    {GET "Connection: a\r\nConnection: close\r\n\r\n", HTTP_GET, "/", false},
    {GET "Content-Length: 00\r\n\r\n", HTTP_GET, "/", true},
    {GET "Content-Length: \t7 \r\n\r\n", HTTP_GET, "/", false},
    {GET "X-Empty:\r\nX-Text: \xc3\xa9\ta\r\n\r\n", HTTP_GET, "/", true},
    {"GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/", true},
    {"GET http://x/?a/b HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/", true},
    {"aZ09!#$%&'*+-.^_`|~ / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {GET "aAzZ09!#$%&'*+-.^_`|~: x\r\n\r\n", HTTP_GET, "/", true},
    {GET "Content-Length: 000000000000000001\r\n\r\n", HTTP_GET, "/", false},
    {GET "Connection: close\r\nConnection: a\r\n\r\n", HTTP_GET, "/", false},
    {GET "Connection: closed, xclose, clos\r\n\r\n", HTTP_GET, "/", true},
    {"GET /~ HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/~", true},
    {"HEADS / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"GEX / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"HEAX / HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OTHER, "/", true},
    {"GET /%2e%2e/\\ HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_GET, "/%2e%2e/\\", true},
};

START_TEST(test_request)
{
    const char *text = requests[_i].text;
    ck_assert_int_eq(parse(text), HTTP_COMPLETE);
    ck_assert_uint_eq(used, strlen(text));
    ck_assert_int_eq(head.method, requests[_i].method);
    ck_assert_uint_eq(head.path.len, strlen(requests[_i].path));
    ck_assert_mem_eq(head.path.at, requests[_i].path, head.path.len);
    ck_assert_int_eq(head.keep_alive, requests[_i].keep_alive);
    ck_assert(!head.wants_upgrade && !head.forwarded_for && !head.has_origin);
}
END_TEST

/* What POST says of the body that follows its head. */
static const struct {
    const char *fields;
    bool has_length, waits;
    size_t length;
    const char *type;
} posts[] = {
    {"", false, false, 0, ""},
    {"Content-Length: 0\r\n", true, false, 0, ""},
    {"Content-Length: 10\r\nContent-Type: text/plain; charset=utf-8\r\n", true, false, 10,
     "text/plain; charset=utf-8"},
    {"content-type:a/b\r\nContent-Length: 999999999999999999\r\n", true, false,
     UINT64_C(999999999999999999), "a/b"},
    {"Content-Length: 0070\r\nExpect: 100-Continue\r\n", true, true, 70, ""},
    {"Content-Length: 7\r\nExpect: 200-ok\r\n", true, false, 7, ""},
    {"Transfer-Encoding: chunked\r\n", false, false, 0, ""},
};

START_TEST(test_post)
{
    char text[256];
    (void)snprintf(text, sizeof text, "POST /a HTTP/1.1\r\nHost: x\r\n%s\r\n", posts[_i].fields);
    ck_assert_int_eq(parse(text), HTTP_COMPLETE);
    ck_assert_int_eq(head.method, HTTP_POST);
    ck_assert_int_eq(head.has_length, posts[_i].has_length);
    ck_assert_int_eq(head.waits, posts[_i].waits);
    ck_assert_uint_eq(head.length, posts[_i].length);
    ck_assert_uint_eq(head.content_type.len, strlen(posts[_i].type));
    if (head.content_type.len > 0)
        ck_assert_mem_eq(head.content_type.at, posts[_i].type, head.content_type.len);
}
END_TEST

/* Every beginning of a request waits for more; what stands behind it is left alone. */
START_TEST(test_in_pieces)
{
    char text[256];
    strcpy(text, requests[_i].text);
    size_t len = strlen(text);
    for (size_t have = 0; have < len; have++) {
        char *copy = malloc(have + 1); /* so that a sanitizer sees who reads further */
        memcpy(copy, text, have);
        ck_assert_int_eq(http_head_parse(&head, copy, have, OURS, &used), HTTP_INCOMPLETE);
        free(copy);
    }
    strcat(text, "GET /next");
    ck_assert_int_eq(parse(text), HTTP_COMPLETE);
    ck_assert_uint_eq(used, len);
}
END_TEST

static const char *const bad[] = {
    "hello\r\n\r\n",
    "\x16\x03\x01",
    " GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "\rGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "G\xc3\xa9T / HTTP/1.1\r\n",
    "GET / HTTP/1.1\r\n\r\n", /* no host */
    GET "Host: x\r\n\r\n",
    "GET / HTTP/1.1 \r\nHost: x\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\ta HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET a HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET http://x HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET http:/// HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET https:///a HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET ** HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET *a HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /\x7f HTTP/1.1\r\nHost: x\r\n\r\n",
    "G(T / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1x\r\nHost: x\r\n\r\n",
    GET "A\x80: b\r\n\r\n",
    GET "A@: b\r\n\r\n",
    GET "A[: b\r\n\r\n",
    GET "A{: b\r\n\r\n",
    GET "A/: b\r\n\r\n",
    "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT x:22 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.2\r\nHost: x\r\n\r\n",
    "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
    "GET / http/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.11\r\nHost: x\r\n\r\n",
    /* Lines. */
    "GET / HTTP/1.1\nHost: x\r\n\r\n",
    GET "A: b\nC: d\r\n\r\n",
    GET "A: b\rC: d\r\n\r\n",
    GET "A: \x01\r\n\r\n",
    GET "A: \x7f\r\n\r\n",
    GET "A: b\r\n c\r\n\r\n",
    GET "A: b\r\n\tc\r\n\r\n",
    GET "A: b\r\n c: d\r\n\r\n",
    GET "(: b\r\n\r\n",
    GET "A : b\r\n\r\n",
    GET ": b\r\n\r\n",
    GET "A\r\n\r\n",
    GET "A b: c\r\n\r\n",
    /* Where the request ends. */
    GET "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
    GET "Content-Length: 1\r\ncontent-length: 2\r\n\r\n",
    GET "Content-Length: 1, 1\r\n\r\n",
    GET "Content-Length: 0x1\r\n\r\n",
    GET "Content-Length: +1\r\n\r\n",
    GET "Content-Length: -1\r\n\r\n",
    GET "Content-Length: 1 1\r\n\r\n",
    GET "Content-Length:\r\n\r\n",
    GET "Content-Length: 1234567890123456789\r\n\r\n",
    GET "Content-Length : 1\r\n\r\n",
    GET "Transfer-Encoding: chunked\r\n\r\n",
    GET "Transfer-Encoding: identity\r\n\r\n",
    GET "transfer-encoding:\r\n\r\n",
    "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Type: a/c\r\n\r\n",
    GET "Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\n",
    /* What there may be one of. */
    GET "Origin: a\r\nOrigin: a\r\n\r\n",
    GET "Upgrade: a\r\nUpgrade: a\r\n\r\n",
    GET "Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: a\r\n\r\n",
    GET "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n\r\n",
};

START_TEST(test_bad)
{
    ck_assert_msg(parse(bad[_i]) == HTTP_BAD, "%s", bad[_i]);
}
END_TEST

START_TEST(test_nul)
{
    static const char text[] = GET "A: b\0c\r\n\r\n";
    ck_assert_int_eq(http_head_parse(&head, text, sizeof text - 1, OURS, &used), HTTP_BAD);
}
END_TEST

START_TEST(test_size)
{
    char text[HTTP_HEAD_MAX + 64];
    int len = sprintf(text, GET "A: ");
    memset(text + len, 'a', sizeof text - (size_t)len);
    ck_assert_int_eq(http_head_parse(&head, text, HTTP_HEAD_MAX - 1, OURS, &used), HTTP_INCOMPLETE);
    ck_assert_int_eq(http_head_parse(&head, text, HTTP_HEAD_MAX, OURS, &used), HTTP_TOO_LARGE);
    memcpy(text + HTTP_HEAD_MAX - 4, "\r\n\r\n", 4);
    ck_assert_int_eq(http_head_parse(&head, text, HTTP_HEAD_MAX, OURS, &used), HTTP_COMPLETE);
    memset(text + HTTP_HEAD_MAX - 4, 'a', 4);
    memcpy(text + HTTP_HEAD_MAX - 3, "\r\n\r\n", 4);
    ck_assert_int_eq(http_head_parse(&head, text, HTTP_HEAD_MAX + 1, OURS, &used), HTTP_TOO_LARGE);
}
END_TEST

static const struct {
    const char *text, *word;
    bool is, accepts;
} words[] = {
    {"gzip", "gzip", true, true},
    {"GZip", "gzip", true, true},
    {"br, gzip", "gzip", false, true},
    {"gzip, br", "gzip", false, true},
    {"gzi", "gzip", false, false},
    {"gzi, zip", "gzip", false, false},
    {"", "gzip", false, false},
    {"xgzipx", "gzip", false, false},
    {"gzip;q=0", "gzip", false, false},
    {"gzip ; q=0.000, br", "gzip", false, false},
    {"br;q=1, gzip;q=0.001", "gzip", false, true},
    {"gzip;", "gzip", false, false},
    {"br;x=gzip", "gzip", false, false},
};

START_TEST(test_words)
{
    struct http_text text = {words[_i].text, strlen(words[_i].text)};
    ck_assert_int_eq(http_text_is(&text, words[_i].word), words[_i].is);
    ck_assert_int_eq(http_list_accepts(text, words[_i].word), words[_i].accepts);
    text.len = 0; /* nothing behind its end is looked at */
    ck_assert(!http_text_is(&text, words[_i].word) && !http_list_accepts(text, words[_i].word));
}
END_TEST

static const struct {
    const char *text;
    bool has;
} tags[] = {
    {"\"a1\"", true},
    {"W/\"a1\"", true},
    {"\"b\", \"a1\"", true},
    {"\"b\",W/\"a1\"", true},
    {"*", true},
    {"\"a\"", false},
    {"a1", false},
    {"w/\"a1\"", false},
    {"\"a1\"\"", false},
    {"W/", false},
    {"", false},
    {"\"b\",", false},
};

START_TEST(test_tags)
{
    const struct http_text text = {tags[_i].text, strlen(tags[_i].text)};
    ck_assert_int_eq(http_list_has_tag(text, "\"a1\""), tags[_i].has);
    ck_assert(!http_list_has_tag((struct http_text){NULL, 0}, "\"a1\""));
}
END_TEST

static void check_text(const struct http_text *text, const char *expected)
{
    ck_assert_uint_eq(text->len, strlen(expected));
    if (text->len > 0)
        ck_assert_mem_eq(text->at, expected, text->len);
}

/* Each field where it belongs, without the blanks around it. */
START_TEST(test_fields)
{
    ck_assert_int_eq(parse("GET / HTTP/1.1\r\nHOST: \t h \t\r\nOrigin:o\r\nUpgrade: u\r\n"
                           "Sec-WebSocket-Key: k\r\nSec-WebSocket-Version: v\r\n"
                           "Accept-Encoding: a, b\r\nIf-None-Match: \"n\"\r\nX-Other: x\r\n\r\n"),
                     HTTP_COMPLETE);
    check_text(&head.host, "h");
    check_text(&head.origin, "o");
    check_text(&head.upgrade, "u");
    check_text(&head.key, "k");
    check_text(&head.version, "v");
    check_text(&head.accept_encoding, "a, b");
    check_text(&head.if_none_match, "\"n\"");
    ck_assert(head.has_origin && !head.wants_upgrade && !head.offers_ours);
    ck_assert_int_eq(parse(GET "X-Other: x\r\n\r\n"), HTTP_COMPLETE);
    check_text(&head.accept_encoding, "");
    check_text(&head.if_none_match, "");
    ck_assert(!head.has_origin);
}
END_TEST

/* Fields of the same name are one list. */
START_TEST(test_forwarded)
{
    ck_assert_int_eq(parse(GET "X-Forwarded-For: a , b\r\nx-forwarded-for:c\r\n\r\n"),
                     HTTP_COMPLETE);
    ck_assert(head.forwarded_for && !head.forwarded_long);
    ck_assert_str_eq(head.forwarded, "a , b,c");
    ck_assert_int_eq(parse(GET "X-Forwarded-For:\r\n\r\n"), HTTP_COMPLETE);
    ck_assert(head.forwarded_for && !head.forwarded_long);
    ck_assert_str_eq(head.forwarded, "");
    ck_assert_int_eq(parse(GET "X-Forwarded-For:\r\nX-Forwarded-For: a\r\n\r\n"), HTTP_COMPLETE);
    ck_assert_str_eq(head.forwarded, ",a");
}
END_TEST

START_TEST(test_forwarded_is_bounded)
{
    char text[2 * HTTP_FORWARDED_MAX];
    for (int len = HTTP_FORWARDED_MAX - 2; len <= HTTP_FORWARDED_MAX + 1; len++) {
        sprintf(text, GET "X-Forwarded-For: %0*d\r\n\r\n", len, 0);
        ck_assert_int_eq(parse(text), HTTP_COMPLETE);
        ck_assert_int_eq(head.forwarded_long, len >= HTTP_FORWARDED_MAX);
        sprintf(text, GET "X-Forwarded-For: a\r\nX-Forwarded-For: %0*d\r\n\r\n", len - 2, 0);
        ck_assert_int_eq(parse(text), HTTP_COMPLETE);
        ck_assert_int_eq(head.forwarded_long, len >= HTTP_FORWARDED_MAX);
    }
}
END_TEST

/* ---- the handshake, with the key and the answer of RFC 6455, section 1.3 */

#define KEY "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define REST                                                                                       \
    "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
#define OUR_PROTOCOL "Sec-WebSocket-Protocol: chat, taluva.v1+json\r\n"
#define WS           "GET /ws HTTP/1.1\r\nHost: x\r\n"

static const struct {
    const char *text;
    int status;
} handshakes[] = {
    {WS KEY REST OUR_PROTOCOL "\r\n", 0},
    {WS KEY REST "Sec-WebSocket-Protocol: chat\r\n" OUR_PROTOCOL "\r\n", 0},
    {"GET /ws?a HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 0},
    {"GET / HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 404},
    {"GET /ws/ HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 404},
    {"POST /ws HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 400},
    {WS REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=a\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZ!==\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: !GhlIHNhbXBsZSBub25jZQ==\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQa=\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ===\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: +/09azAZbXBsZSBub25jZQ==\r\n" REST OUR_PROTOCOL "\r\n", 0},
    {"GET /wt HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 404},
    {"HEAD /ws HTTP/1.1\r\nHost: x\r\n" KEY REST OUR_PROTOCOL "\r\n", 400},
    {WS "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j!Q==\r\n" REST OUR_PROTOCOL "\r\n", 400},
    {WS KEY REST "\r\n", 400},
    {WS KEY REST "Sec-WebSocket-Protocol: taluva.v1+jsonx, TALUVA.v1+json\r\n\r\n", 400},
    {WS KEY "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n" OUR_PROTOCOL
            "\r\n",
     426},
    {WS KEY "Connection: upgrade\r\nUpgrade: websocket\r\n" OUR_PROTOCOL "\r\n", 426},
    {WS KEY "Connection: upgrade\r\nUpgrade: irc\r\nSec-WebSocket-Version: 13\r\n" OUR_PROTOCOL
            "\r\n",
     400},
};

START_TEST(test_handshake)
{
    ck_assert_int_eq(parse(handshakes[_i].text), HTTP_COMPLETE);
    ck_assert(head.wants_upgrade);
    ck_assert_int_eq(upgrade_check(&head), handshakes[_i].status);
}
END_TEST

START_TEST(test_handshake_answer)
{
    char answer[UPGRADE_ANSWER_MAX];
    ck_assert_int_eq(parse(handshakes[0].text), HTTP_COMPLETE);
    size_t len = upgrade_write_answer(&head, answer);
    ck_assert_uint_eq(len, strlen(answer));
    ck_assert_ptr_nonnull(strstr(answer, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
}
END_TEST

static const char *const no_upgrades[] = {
    WS "Upgrade: websocket\r\n\r\n",
    WS "Connection: upgrade\r\n\r\n",
    WS "Connection: upgrades\r\nUpgrade: websocket\r\n\r\n",
    "GET /ws HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
};

START_TEST(test_no_upgrade)
{
    ck_assert_int_eq(parse(no_upgrades[_i]), HTTP_COMPLETE);
    ck_assert(!head.wants_upgrade);
}
END_TEST

START_TEST(test_origin)
{
    char text[600];
    static const char *const allowed[] = {"https://club.example", NULL};
    parse(WS "\r\n");
    ck_assert(upgrade_origin_is_allowed(&head, allowed));
    parse(WS "Origin: http://x\r\n\r\n");
    ck_assert(upgrade_origin_is_allowed(&head, allowed));
    parse(WS "Origin: https://club.example\r\n\r\n");
    ck_assert(upgrade_origin_is_allowed(&head, allowed));
    parse(WS "Origin: https://other.example\r\n\r\n");
    ck_assert(!upgrade_origin_is_allowed(&head, allowed));
    parse(WS "Origin:\r\n\r\n");
    ck_assert(!upgrade_origin_is_allowed(&head, allowed));
    sprintf(text, WS "Origin: https://club.example%0*d\r\n\r\n", 300, 0);
    parse(text);
    ck_assert(!upgrade_origin_is_allowed(&head, allowed));
}
END_TEST

#define ADD_EACH(tests, test, table)                                                               \
    tcase_add_loop_test(tests, test, 0, sizeof table / sizeof table[0])

Suite *http_head_suite(void)
{
    Suite *suite = suite_create("heads");
    TCase *tests = tcase_create("heads");
    ADD_EACH(tests, test_request, requests);
    ADD_EACH(tests, test_post, posts);
    ADD_EACH(tests, test_in_pieces, requests);
    ADD_EACH(tests, test_bad, bad);
    tcase_add_test(tests, test_nul);
    tcase_add_test(tests, test_size);
    ADD_EACH(tests, test_words, words);
    ADD_EACH(tests, test_tags, tags);
    tcase_add_test(tests, test_fields);
    tcase_add_test(tests, test_forwarded);
    tcase_add_test(tests, test_forwarded_is_bounded);
    ADD_EACH(tests, test_handshake, handshakes);
    tcase_add_test(tests, test_handshake_answer);
    ADD_EACH(tests, test_no_upgrade, no_upgrades);
    tcase_add_test(tests, test_origin);
    suite_add_tcase(suite, tests);
    return suite;
}
