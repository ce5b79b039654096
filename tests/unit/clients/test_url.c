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
    {"http://example.org", NULL},
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

START_TEST(too_long)
{
    char text[WIRE_URL_HOST + 8];
    struct wire_url url;
    memset(text, 'a', sizeof(text));
    text[WIRE_URL_HOST - 1] = '\0';
    ck_assert(wire_url_parse(&url, text));
    text[WIRE_URL_HOST - 1] = 'a';
    text[WIRE_URL_HOST] = '\0';
    ck_assert(!wire_url_parse(&url, text));
}
END_TEST

Suite *url_suite(void)
{
    Suite *suite = suite_create("url");
    TCase *tcase = tcase_create("url");
    tcase_add_loop_test(tcase, parse, 0, sizeof(CASES) / sizeof(CASES[0]));
    tcase_add_test(tcase, too_long);
    suite_add_tcase(suite, tcase);
    return suite;
}
