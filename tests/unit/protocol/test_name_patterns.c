/* What nobody is to be called: by what it looks like, and within a bound. */
#include "suites.h"
#include <protocol/name_patterns.h>
#include <stdio.h>
#include <string.h>

static struct name_patterns patterns;

static void reads(const char *text)
{
    size_t line;
    ck_assert_msg(name_patterns_read(&patterns, text, strlen(text), &line), "line %zu", line);
}

static const struct {
    const char *name, *skeleton;
} skeletons[] = {
    {"Ana", "ana"}, {"A-n a_", "ana"}, {"B4d W0rd!", "badwordl"},          {"corn", "com"},
    {"vvvv", "ww"}, {"vvv", "wv"},     {"\u00c9t\u00e9", "\u00c9t\u00e9"}, {"$@|37", "salet"},
    {"...", ""},
};

START_TEST(test_skeletons)
{
    char skeleton[NAME_SKELETON_BYTES + 1];
    name_skeleton(skeletons[_i].name, skeleton);
    ck_assert_str_eq(skeleton, skeletons[_i].skeleton);
}
END_TEST

static const struct {
    const char *name;
    bool forbidden;
} names[] = {
    {"badword", true},      {"xX_B4D-w0rd_Xx", true}, {"bad", false},    {"word bad", false},
    {"root", true},         {"R00T", true},           {"r-o-o-t", true}, {"roots", false},
    {"\u574f\u86cb", true}, {"Ana", false},           {"", false},
};

START_TEST(test_names)
{
    reads("# what nobody is called\n\nBad Word  # as it looks\r\n=root\n\u574f\u86cb\n");
    ck_assert_uint_eq(patterns.count, 3);
    ck_assert(name_patterns_forbid(&patterns, names[_i].name) == names[_i].forbidden);
}
END_TEST

START_TEST(test_an_empty_list)
{
    reads("");
    ck_assert(!name_patterns_forbid(&patterns, "Ana") && !name_patterns_forbid(&patterns, ""));
    reads("#\n \n");
    ck_assert_uint_eq(patterns.count, 0);
}
END_TEST

static const struct {
    const char *text;
    size_t line;
} bad[] = {
    {"good\na", 2},      {"=\n", 1},
    {"\n\n...\n", 3},    {"123456789012345678901234567890123", 1},
    {"=x", 1},           {"good\nJos\xe9", 2}, /* in another encoding it would never be found */
    {"\xff\xfe((((", 1},
};

START_TEST(test_a_list_with_a_mark)
{
    reads("\xef\xbb\xbf"
          "badword\nother\n");
    ck_assert_uint_eq(patterns.count, 2);
    ck_assert(name_patterns_forbid(&patterns, "badword"));
}
END_TEST

START_TEST(test_bad_lists)
{
    size_t line = 0;
    ck_assert(!name_patterns_read(&patterns, bad[_i].text, strlen(bad[_i].text), &line));
    ck_assert_uint_eq(line, bad[_i].line);
}
END_TEST

START_TEST(test_a_list_with_a_zero)
{
    size_t line;
    ck_assert(!name_patterns_read(&patterns, "ab\0cd", 5, &line));
}
END_TEST

/* As many as may be, and no more; and a name as long as any is looked at whole. */
START_TEST(test_so_many_and_no_more)
{
    static char text[16 * (NAME_PATTERNS_MAX + 2)];
    char name[NAME_SKELETON_BYTES + 1];
    size_t len = 0, line;
    for (int at = 0; at < NAME_PATTERNS_MAX; at++)
        len += (size_t)snprintf(text + len, sizeof text - len, "word%dx\n", at);
    ck_assert(name_patterns_read(&patterns, text, len, &line));
    memset(name, 'z', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(!name_patterns_forbid(&patterns, name));
    memcpy(name + sizeof name - 1 - strlen("word9x"), "word9x", strlen("word9x"));
    ck_assert(name_patterns_forbid(&patterns, name));
    len += (size_t)snprintf(text + len, sizeof text - len, "more\n");
    ck_assert(!name_patterns_read(&patterns, text, len, &line));
    ck_assert_uint_eq(line, NAME_PATTERNS_MAX + 1);
}
END_TEST

Suite *name_patterns_suite(void)
{
    Suite *suite = suite_create("name patterns");
    TCase *tests = tcase_create("name patterns");
    tcase_add_loop_test(tests, test_skeletons, 0, sizeof skeletons / sizeof skeletons[0]);
    tcase_add_loop_test(tests, test_names, 0, sizeof names / sizeof names[0]);
    tcase_add_test(tests, test_an_empty_list);
    tcase_add_test(tests, test_a_list_with_a_mark);
    tcase_add_loop_test(tests, test_bad_lists, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, test_a_list_with_a_zero);
    tcase_add_test(tests, test_so_many_and_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
