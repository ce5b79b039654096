/* Which handles there can be. */
#include "suites.h"
#include <protocol/account.h>
#include <string.h>

static const struct {
    const char *text;
    bool valid;
} handles[] = {
    {"ana", true},
    {"Ana", true},
    {"A1b", true},
    {"ana-bo", true},
    {"ana_bo", true},
    {"a-b-c_d", true},
    {"abcdefghijklmnopqrst", true},
    {"ana-bot", true},
    {"", false},
    {"an", false},
    {"abcdefghijklmnopqrstu", false},
    {"1na", false},
    {"-ana", false},
    {"_ana", false},
    {"ana-", false},
    {"ana_", false},
    {"ana--bo", false},
    {"ana-_bo", false},
    {"ana__bo", false},
    {"ana bo", false},
    {" ana", false},
    {"ana ", false},
    {"ana.bo", false},
    {"ana:bo", false},
    {"ana/bo", false},
    {"ana\nbo", false},
    {"ana\x1b[m", false},
    {"ana<b>", false},
    {"ana\"bo", false},
    {"ana%s", false},
    {"an\xc3\xa4", false},
    {"\xd0\xb0na", false},      /* Cyrillic */
    {"ana\xe2\x80\x8b", false}, /* a blank of no width */
    {"ana\x7f", false},
    {"ana@", false},
    {"a{a", false},
    {"a`a", false},
    {"a[a", false},
};

START_TEST(test_handle)
{
    const char *text = handles[_i].text;
    ck_assert_msg(handle_valid(text, strlen(text)) == handles[_i].valid, "%s", text);
}
END_TEST

START_TEST(test_handle_with_a_nul)
{
    ck_assert(!handle_valid("ana\0", 4));
    ck_assert(!handle_valid("an\0bo", 5));
}
END_TEST

Suite *account_suite(void)
{
    Suite *suite = suite_create("account");
    TCase *tests = tcase_create("handles");
    tcase_add_loop_test(tests, test_handle, 0, sizeof handles / sizeof *handles);
    tcase_add_test(tests, test_handle_with_a_nul);
    suite_add_tcase(suite, tests);
    return suite;
}
