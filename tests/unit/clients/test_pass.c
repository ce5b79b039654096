/* Links and recovery phrases as people have them before them, QR codes, and how long ago. */
#include "suites.h"
#include <pass_text.h>
#include <qr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <when.h>

#define PASS "7zk3f09qa5vtd2e8r1x6mhbw4cbv"

/* ---- what is typed */

static const struct {
    const char *typed, *server; /* NULL: it is nothing */
} texts[] = {
    {PASS, ""},
    {"7zk3 f09q a5vt d2e8 r1x6 mhbw 4cbv", ""},
    {"  7ZK3-FO9Q-A5VT-D2E8-RIX6-MHBW-4CBV\r", ""},
    {"https://example.org/#link=" PASS, "https://example.org"},
    {" http://[::1]:7400/#link=" PASS " ", "http://[::1]:7400"},
    {"https://example.org/taluva/index.html#link=" PASS, "https://example.org"},
    {"example.org:7400#link=" PASS, "example.org:7400"},
    {"", NULL},
    {"7zk3f09qa5vtd2e8r1x6mhbw4cb", NULL},
    {PASS "0", NULL},
    {"zk73f09qa5vtd2e8r1x6mhbw4cbv", NULL},
    {"8zk3f09qa5vtd2e8r1x6mhbw4cbv", NULL},
    {"7zk3f09qa5vtd2e8r1x6mhbw4cb\xc3\xa9", NULL},
    {"https://example.org/#link=", NULL},
    {"#link=" PASS, NULL},
    {"https://#link=" PASS, NULL},
    {"ftp://example.org/#link=" PASS, NULL},
    {"https://example.org/#pass=" PASS, NULL},
};

START_TEST(is_typed)
{
    struct pass_text text;
    const bool understood = pass_text_read(&text, texts[_i].typed);
    ck_assert_int_eq(understood, texts[_i].server != NULL);
    if (!understood)
        return;
    ck_assert_str_eq(text.pass, PASS);
    ck_assert_str_eq(text.server, texts[_i].server);
}
END_TEST

START_TEST(a_server_that_is_too_long)
{
    char typed[WIRE_URL_TEXT + 64];
    struct pass_text text;
    memset(typed, 'a', sizeof typed);
    (void)snprintf(typed + WIRE_URL_TEXT + 8, 56, "#link=%s", PASS);
    ck_assert(!pass_text_read(&text, typed));
}
END_TEST

START_TEST(in_groups)
{
    char text[PASS_GROUPED];
    pass_text_group(text, PASS);
    ck_assert_str_eq(text, "7zk3 f09q a5vt d2e8 r1x6 mhbw 4cbv");
}
END_TEST

static const struct {
    const char *server, *link;
} links[] = {
    {"ws://127.0.0.1:7400/ws", "http://127.0.0.1:7400/#link=" PASS},
    {"wss://example.org/ws", "https://example.org/#link=" PASS},
    {"ws://example.org:80", "http://example.org/#link=" PASS},
    {"wss://[::1]:8443/ws", "https://[::1]:8443/#link=" PASS},
};

START_TEST(as_a_link)
{
    struct wire_url url;
    struct pass_text text;
    char link[PASS_LINK];
    ck_assert(wire_url_parse(&url, links[_i].server));
    pass_text_link(link, &url, PASS);
    ck_assert_str_eq(link, links[_i].link);
    ck_assert(pass_text_read(&text, link)); /* and it leads there again */
    ck_assert_str_eq(text.pass, PASS);
}
END_TEST

/* ---- QR codes */

/* Of versions 2, 4, 7 and 10: with one block and more, with versions written into them. */
START_TEST(codes)
{
    static const char text[] = "https://example.org/#link=" PASS;
    static struct qr qr;
    char *drawn, long_text[214];
    size_t len;
    FILE *out = open_memstream(&drawn, &len);
    ck_assert_ptr_nonnull(out);
    ck_assert(qr_make(&qr, "https://example.org/"));
    ck_assert(qr_print(&qr, 100, false, CANVAS_MONO, out));
    ck_assert(qr_make(&qr, text));
    ck_assert(qr_print(&qr, 100, false, CANVAS_MONO, out));
    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = text[i % (sizeof text - 1)];
    long_text[110] = '\0';
    ck_assert(qr_make(&qr, long_text));
    ck_assert(qr_print(&qr, 100, false, CANVAS_MONO, out));
    long_text[110] = 'x';
    long_text[213] = '\0';
    ck_assert(qr_make(&qr, long_text));
    ck_assert(qr_print(&qr, 100, false, CANVAS_MONO, out));
    (void)fclose(out);
    check_golden("tests/unit/clients/golden/qr.txt", drawn, len);
    free(drawn);
}
END_TEST

START_TEST(no_code_is_that_long)
{
    static struct qr qr;
    char text[215];
    memset(text, 'x', 214);
    text[214] = '\0';
    ck_assert(!qr_make(&qr, text));
    text[213] = '\0';
    ck_assert(qr_make(&qr, text));
    ck_assert_int_eq(qr.size, QR_SIZE_MAX);
}
END_TEST

/* The same code in each way: where it is dark, by the columns and rows of its drawing. */
static const struct {
    bool ascii;
    enum canvas_colours colours;
    const char *begins; /* a line of the border */
    int columns_least;
} ways[] = {
    {false, CANVAS_MONO, "\xe2\x96\x88\xe2\x96\x88", 29}, {false, CANVAS_16, "\033[30;107m  ", 29},
    {false, CANVAS_TRUE, "\033[38;5;16;48;5;231m  ", 29}, {true, CANVAS_MONO, "####", 58},
    {true, CANVAS_256, "\033[38;5;16;48;5;231m    ", 58},
};

START_TEST(drawn_as_the_terminal_can)
{
    static struct qr qr;
    char *drawn;
    size_t len;
    FILE *out = open_memstream(&drawn, &len);
    ck_assert_ptr_nonnull(out);
    ck_assert(qr_make(&qr, "https://example.org/"));
    ck_assert(!qr_print(&qr, ways[_i].columns_least - 1, ways[_i].ascii, ways[_i].colours, out));
    (void)fflush(out);
    ck_assert_uint_eq(len, 0);
    ck_assert(qr_print(&qr, ways[_i].columns_least, ways[_i].ascii, ways[_i].colours, out));
    (void)fclose(out);
    ck_assert_int_eq(strncmp(drawn, ways[_i].begins, strlen(ways[_i].begins)), 0);
    size_t lines = 0;
    for (const char *at = drawn; *at; at++)
        lines += *at == '\n';
    ck_assert_uint_eq(lines, ways[_i].ascii ? 29 : 15);
    if (ways[_i].ascii && ways[_i].colours == CANVAS_MONO) {
        /* Its first row: the corner of a finder, seven dark ones. */
        const char *row = strchr(strchr(drawn, '\n') + 1, '\n') + 1;
        ck_assert_int_eq(strncmp(row, "####              ##", 20), 0);
    }
    free(drawn);
}
END_TEST

/* ---- how long ago */

START_TEST(long_ago)
{
    static const struct {
        int64_t ms;
        const char *text;
    } agos[] = {
        {-5, "just now"},           {59999, "just now"},
        {60000, "1 minute ago"},    {7199999, "1 hour ago"},
        {86399999, "23 hours ago"}, {INT64_C(400) * 86400000, "400 days ago"},
    };
    char text[WHEN_AGO];
    for (size_t i = 0; i < sizeof agos / sizeof agos[0]; i++) {
        when_ago(text, agos[i].ms);
        ck_assert_str_eq(text, agos[i].text);
    }
}
END_TEST

Suite *pass_suite(void)
{
    Suite *suite = suite_create("passes");
    TCase *tests = tcase_create("passes");
    tcase_add_loop_test(tests, is_typed, 0, sizeof texts / sizeof texts[0]);
    tcase_add_test(tests, a_server_that_is_too_long);
    tcase_add_test(tests, in_groups);
    tcase_add_loop_test(tests, as_a_link, 0, sizeof links / sizeof links[0]);
    tcase_add_test(tests, codes);
    tcase_add_test(tests, no_code_is_that_long);
    tcase_add_loop_test(tests, drawn_as_the_terminal_can, 0, sizeof ways / sizeof ways[0]);
    tcase_add_test(tests, long_ago);
    suite_add_tcase(suite, tests);
    return suite;
}
