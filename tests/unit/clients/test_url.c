#include "suites.h"
#include <string.h>
#include <wire/url.h>

/* `want` NULL: refused. */
static const struct {
    const char *in, *want;
} CASES[] = {
    {"ws://127.0.0.1:7400/ws", "ws://127.0.0.1:7400/ws"},
    {"ws://127.0.0.1:7400", "ws://127.0.0.1:7400/ws"},
    {"ws://127.0.0.1:7400/", "ws://127.0.0.1:7400/ws"},
    {"Example.ORG", "ws://example.org:7400/ws"},
    {"example.org:81/taluva/ws", "ws://example.org:81/taluva/ws"},
    {"wss://example.org", "wss://example.org:443/ws"},
    {"ws://[::1]:9", "ws://[::1]:9/ws"},
    {"[fe80::1]", "ws://[fe80::1]:7400/ws"},
    {"", NULL},
    {"http://example.org", "ws://example.org:80/ws"},
    {"http://127.0.0.1:7399", "ws://127.0.0.1:7399/ws"},
    {"https://example.org/", "wss://example.org:443/ws"},
    {"https://example.org:8443/taluva/ws", "wss://example.org:8443/taluva/ws"},
    {"HTTP://example.org", "ws://example.org:80/ws"},
    {"Wss://Example.org", "wss://example.org:443/ws"},
    {"http://127.0.0.1:7400/#/room/k3m9x0aq", "ws://127.0.0.1:7400/ws"},
    {"http://127.0.0.1:7400#/", "ws://127.0.0.1:7400/ws"},
    {"https://example.org/?lang=fr#link=x", "wss://example.org:443/ws"},
    {"https://example.org?a", "wss://example.org:443/ws"},
    {"https://example.org/index.html#/", "wss://example.org:443/ws"},
    {"\xef\xbb\xbfhttps://example.org", "wss://example.org:443/ws"},
    {"https://example.org/other.html#/", NULL},
    {"https://example.org/\xc3\xa9#", NULL},
    {"ws://host#x", NULL},
    {"ftp://example.org", NULL},
    {"http://", NULL},
    {"ws://", NULL},
    {"ws://:80", NULL},
    {"ws://host:0", NULL},
    {"ws://host:65536", NULL},
    {"ws://host:80x", NULL},
    {"ws://host:", NULL},
    {"ws://user@host", NULL},
    {"ws://host/a b", NULL},
    {"ws://host/?token=1", NULL},
    {"ws://host/#x", NULL},
    {"ws://[::1", NULL},
    {"ws://ho\nst", NULL},
    {"ws://host:1", "ws://host:1/ws"},
    {"ws://host:65535", "ws://host:65535/ws"},
    {"ws://host:-1", NULL},
    {"ws://host: 80", NULL},
    {"ws://a_b-c.d", "ws://a_b-c.d:7400/ws"},
    {"ws://a+b", NULL},
    {"a:b", NULL},
    {"[::1]x", NULL},
    {"[]", NULL},
    {"[::g!]", NULL},
    {"wss://host:80/a", "wss://host:80/a"},
    {"wss://[::1]", "wss://[::1]:443/ws"},
    {"ws://host/!~", "ws://host:7400/!~"},
    {"ws://host/\x7f", NULL},
    {"ws://host/\x01", NULL},
    {"ws://host/\xc3\xa9", NULL},
    {"host/a:b", "ws://host:7400/a:b"},
};

START_TEST(parse)
{
    struct wire_url url;
    char text[WIRE_URL_TEXT];
    bool ok = wire_url_parse(&url, CASES[_i].in);
    ck_assert_msg(ok == (CASES[_i].want != NULL), "%s", CASES[_i].in);
    if (!ok)
        return;
    wire_url_format(&url, text);
    ck_assert_str_eq(text, CASES[_i].want);
}
END_TEST

static const struct {
    const char *text;
    bool is_local;
} machines[] = {
    {"ws://127.0.0.1", true},       {"127.1.2.3:80", true},    {"localhost", true},
    {"LOCALHOST:7401", true},       {"ws://[::1]:7400", true}, {"127.example.org", false},
    {"ws://127.0.0.1.evil", false}, {"192.168.1.5", false},    {"[fe80::1]", false},
    {"localhost.example", false},   {"example.org", false},
};

START_TEST(this_machine)
{
    struct wire_url url;
    ck_assert_msg(wire_url_parse(&url, machines[_i].text), "%s", machines[_i].text);
    ck_assert_msg(wire_url_is_local(&url) == machines[_i].is_local, "%s", machines[_i].text);
}
END_TEST

START_TEST(too_long)
{
    char text[WIRE_URL_HOST + 8];
    struct wire_url url;
    memset(text, 'a', sizeof text);
    text[WIRE_URL_HOST - 1] = '\0';
    ck_assert(wire_url_parse(&url, text));
    text[WIRE_URL_HOST - 1] = 'a';
    text[WIRE_URL_HOST] = '\0';
    ck_assert(!wire_url_parse(&url, text));
}
END_TEST

START_TEST(too_long_a_path)
{
    static const char host[] = "ws://h";
    char text[sizeof host + WIRE_URL_PATH + 1];
    struct wire_url url;
    memset(text, 'a', sizeof text);
    memcpy(text, host, sizeof host - 1);
    char *path = text + sizeof host - 1;
    path[0] = '/';
    path[WIRE_URL_PATH - 1] = '\0';
    ck_assert(wire_url_parse(&url, text));
    ck_assert_str_eq(url.path, path);
    path[WIRE_URL_PATH - 1] = 'a';
    path[WIRE_URL_PATH] = '\0';
    ck_assert(!wire_url_parse(&url, text));
}
END_TEST

Suite *url_suite(void)
{
    Suite *suite = suite_create("url");
    TCase *tcase = tcase_create("url");
    tcase_add_loop_test(tcase, parse, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tcase, this_machine, 0, sizeof machines / sizeof machines[0]);
    tcase_add_test(tcase, too_long);
    tcase_add_test(tcase, too_long_a_path);
    suite_add_tcase(suite, tcase);
    return suite;
}
