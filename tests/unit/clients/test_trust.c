/* Keys from a file, as an operator or a server hands them out; those of a server are an affair of
 * tests/e2e/signed.py. */
#include "../../support/scratch_path.h"
#include "suites.h"
#include <cli/command.h>
#include <stdio.h>
#include <stdlib.h>
#include <trust.h>
#include <unistd.h>

#define KEY                                                                                        \
    "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}"

static const struct {
    const char *text;
    int status;
    size_t count;
} FILES[] = {
    {"{\"keys\":[" KEY "]}", EXIT_OK, 1},
    {" {\"keys\": [ " KEY ", {\"kty\":\"EC\"} ], \"more\": 1}\n", EXIT_OK, 1},
    {"{\"keys\":[{\"kty\":\"EC\"}]}", EXIT_DATA, 0},
    {"{\"keys\":[]}", EXIT_DATA, 0},
    {KEY, EXIT_DATA, 0},
    {"[" KEY "]", EXIT_DATA, 0},
    {"{\"keys\":[" KEY "],\"keys\":[" KEY "]}", EXIT_DATA, 0},
    {"{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qY\"}]}", EXIT_DATA, 0},
    {"{\"keys\":[" KEY "]", EXIT_DATA, 0},
    {"", EXIT_DATA, 0},
};

START_TEST(test_file)
{
    static struct trust trust;
    char path[SCRATCH_BYTES];
    int fd = mkstemp(scratch_path(path, "taluva-keys", false));
    ck_assert_int_ge(fd, 0);
    const size_t len = strlen(FILES[_i].text);
    ck_assert_int_eq(write(fd, FILES[_i].text, len), (ssize_t)len);
    ck_assert_int_eq(close(fd), 0);
    const int status = trust_file(&trust, path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(status, FILES[_i].status);
    if (status == EXIT_OK) {
        ck_assert_uint_eq(trust.keys.count, FILES[_i].count);
        ck_assert_str_eq(trust.keys.list[0].id, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
        ck_assert_str_eq(trust.source, path);
        ck_assert(!trust.in_clear);
    }
}
END_TEST

START_TEST(test_no_file)
{
    static struct trust trust;
    ck_assert_int_eq(trust_file(&trust, "/no/such/file"), EXIT_FILE);
}
END_TEST

Suite *trust_suite(void)
{
    Suite *suite = suite_create("trust");
    TCase *tcase = tcase_create("trust");
    tcase_add_loop_test(tcase, test_file, 0, sizeof FILES / sizeof FILES[0]);
    tcase_add_test(tcase, test_no_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
