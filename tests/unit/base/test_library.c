#include "suites.h"
#include <base/library.h>
#include <string.h>

static double (*cosine)(double);
static int (*nothing)(void);

START_TEST(test_finds_what_is_there)
{
    const struct library_function functions[] = {{"cos", &cosine}, {NULL, NULL}};
    char message[64] = "as before";
    ck_assert(library_load("libm.so.6", functions, message, sizeof message));
    ck_assert_double_eq(cosine(0), 1);
    ck_assert_str_eq(message, "as before");
}
END_TEST

START_TEST(test_says_what_is_not_there)
{
    const struct library_function functions[] = {
        {"cos", &cosine}, {"no_such_function", &nothing}, {NULL, NULL}};
    char message[256], little[8];
    ck_assert(!library_load("libm.so.6", functions, message, sizeof message));
    ck_assert_ptr_nonnull(strstr(message, "no_such_function"));
    ck_assert(!cosine && !nothing);
    ck_assert(!library_load("libno-such-library.so.1", functions, message, sizeof message));
    ck_assert_ptr_nonnull(strstr(message, "libno-such-library.so.1"));
    ck_assert(!library_load("libno-such-library.so.1", functions, little, sizeof little));
    ck_assert_uint_eq(strlen(little), sizeof little - 1);
}
END_TEST

Suite *library_suite(void)
{
    Suite *suite = suite_create("library");
    TCase *tests = tcase_create("library");
    tcase_add_test(tests, test_finds_what_is_there);
    tcase_add_test(tests, test_says_what_is_not_there);
    suite_add_tcase(suite, tests);
    return suite;
}
