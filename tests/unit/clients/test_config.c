/* The file of what a person always wants: what it may say, and what is said of mistakes. */
#include "client_run.h"
#include "suites.h"
#include <cli/command.h>
#include <cli/encoding.h>
#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL                                                                                        \
    "server = wss://example.org\nname=Ana B.\n\n# no more colours\n  color = no\nascii = yes\n"    \
    "\tsmall =yes \nprofile = red_1\n"

static const struct {
    const char *text, *problem; /* "": it is well */
} files[] = {
    {"", ""},
    {ALL, ""},
    {"#", ""},
    {"ascii = yes", ""},
    {"ascii = no\nascii = yes\n", ""},
    {"color = yes\n", ""},
    {"colour = no\n", "F:1: there is no key 'colour'; the keys are server, name, profile, color, "
                      "ascii, small"},
    {"\n\nSERVER = x\n", "F:3: there is no key 'SERVER'"},
    {"= x\n", "F:1: there is no key ''"},
    {"name Ana\n", "F:1: a line is `key = value`, not 'name Ana'"},
    {"ascii = yes\nserver = ftp://x\n", "F:2: server: 'ftp://x' is no address of a server"},
    {"server =\n", "F:1: server: '' is no address"},
    {"name = \n", "F:1: name: a name has 1 to 24 characters"},
    {"profile = a b\n", "F:1: profile: a profile is a word"},
    {"color = never\n", "F:1: color: yes or no, not 'never'"},
    {"ascii = 1\n", "F:1: ascii: yes or no, not '1'"},
    {"\xef\xbb\xbfname = Ana\n", ""},
    {"\xef\xbb\xbf", ""},
    {"name = Jos\xc3\xa9\n", ""},
    {"ascii = no\nname = Jos\xe9\n", "F:2: name: this is not UTF-8, nor text of the locale's"},
    {"ascii = no\n\xef\xbb\xbfsmall = no\n", "F:2: there is no key"},
    {"small = YES\n", "F:1: small: yes or no, not 'YES'"},
};

START_TEST(lines)
{
    struct config config;
    char problem[CONFIG_PROBLEM] = "";
    const char *text = files[_i].text;
    const bool read = config_parse(&config, "F", text, strlen(text), problem);
    ck_assert_msg(strncmp(problem, files[_i].problem, strlen(files[_i].problem)) == 0, "%s",
                  problem);
    ck_assert_int_eq(read, *files[_i].problem == '\0');
}
END_TEST

static const struct {
    const char *in, *encoding, *out; /* NULL: it is none */
} encodings[] = {
    {"Jos\xe9", "ISO-8859-1", "José"},
    {"\xa4", "ISO-8859-15", "€"},
    {"\xb4\xeb", "EUC-KR", "대"},
    {"Jos\xe9", "UTF-8", NULL},
    {"Jos\xe9", "ANSI_X3.4-1968", NULL},
    {"\x81", "SHIFT_JIS", NULL}, /* half of a character */
    {"Jos\xe9", "no such encoding", NULL},
    {"twelve \xe9\xe9\xe9\xe9\xe9\xe9\xe9", "ISO-8859-1", NULL}, /* too long */
    {"twelve \xe9\xe9", "ISO-8859-1", "twelve éé"},
};

START_TEST(other_encodings)
{
    char out[16];
    const bool converted =
        encoding_to_utf8(out, sizeof out, encodings[_i].in, encodings[_i].encoding);
    ck_assert_int_eq(converted, encodings[_i].out != NULL);
    if (converted)
        ck_assert_str_eq(out, encodings[_i].out);
}
END_TEST

/* What is UTF-8 stays, whatever the locale; what is not is converted from it or refused. */
START_TEST(utf8_is_not_converted)
{
    static const char text[] = "José", other[] = "Jos\xe9";
    char out[64];
    ck_assert_ptr_eq(encoding_read(out, sizeof out, text), text);
    ck_assert_ptr_null(encoding_read(out, sizeof out, other));
}
END_TEST

START_TEST(says_all)
{
    struct config config;
    char problem[CONFIG_PROBLEM], with_crlf[512], *to = with_crlf;
    for (const char *from = ALL; *from; from++) {
        if (*from == '\n')
            *to++ = '\r';
        *to++ = *from;
    }
    ck_assert(config_parse(&config, "F", with_crlf, (size_t)(to - with_crlf), problem));
    ck_assert_str_eq(config.server, "wss://example.org");
    ck_assert_str_eq(config.name, "Ana B.");
    ck_assert_str_eq(config.profile, "red_1");
    ck_assert(config.no_color && config.ascii && config.small);
    ck_assert(config_parse(&config, "F", "color = yes\nascii = no", 22, problem));
    ck_assert(!config.no_color && !config.ascii && !config.small);
    ck_assert_str_eq(config.server, "");
}
END_TEST

START_TEST(is_bounded)
{
    static char bytes[2000];
    struct config config;
    char problem[CONFIG_PROBLEM];
    memset(bytes, 'x', sizeof bytes);
    ck_assert(!config_parse(&config, "F", bytes, sizeof bytes, problem));
    ck_assert_str_eq(problem, "F:1: this line is too long, or no text");
    ck_assert(!config_parse(&config, "F", "a\0b", 3, problem));
    memcpy(bytes, "name = ", 7);
    bytes[200] = '\0';
    ck_assert(!config_parse(&config, "F", bytes, 200, problem));
    ck_assert_ptr_nonnull(strstr(problem, "F:1: name: "));
    bytes[7 + PROTOCOL_NAME_BYTES] = '\0';
    ck_assert(config_parse(&config, "F", bytes, 7 + PROTOCOL_NAME_BYTES, problem));
}
END_TEST

Suite *config_suite(void)
{
    Suite *suite = suite_create("config");
    TCase *tcase = tcase_create("config");
    tcase_add_loop_test(tcase, other_encodings, 0, sizeof encodings / sizeof encodings[0]);
    tcase_add_test(tcase, utf8_is_not_converted);
    tcase_add_loop_test(tcase, lines, 0, sizeof files / sizeof files[0]);
    tcase_add_test(tcase, says_all);
    tcase_add_test(tcase, is_bounded);
    suite_add_tcase(suite, tcase);
    return suite;
}
