/* The file of the bans of an earlier version: read whole, and not taken if it cannot be one. */
#include "cases.h"
#include <stdlib.h>
#include <store/bans.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char message[STORE_MESSAGE_MAX], path[128], part[160];

static void name_files(void)
{
    snprintf(path, sizeof path, "%s/" BANS_FILE, scratch.root);
    snprintf(part, sizeof part, "%s.part-%ld", path, (long)getpid());
}

static void holds(const char *expected)
{
    char *text;
    size_t len;
    ck_assert_int_eq(bans_load(scratch.root, &text, &len, message), STORE_OK);
    ck_assert_uint_eq(len, expected ? strlen(expected) : 0);
    ck_assert(expected ? memcmp(text, expected, len) == 0 : !text);
    free(text);
}

static void save(const char *text)
{
    spit(path, text, strlen(text));
}

START_TEST(test_read)
{
    name_files();
    holds(NULL);
    save("first and long");
    holds("first and long");
    save("");
    holds("");
}
END_TEST

/* What a crash has left is in nobody's way. */
START_TEST(test_part_is_left)
{
    name_files();
    spit(part, "half", 4);
    holds(NULL);
    save("whole");
    holds("whole");
}
END_TEST

START_TEST(test_no_folder)
{
    char *text;
    size_t len;
    ck_assert_int_eq(bans_load("/no/such/folder", &text, &len, message), STORE_OK);
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(test_too_long)
{
    char *text, *most = malloc(BANS_BYTES_MAX + 1);
    size_t len;
    name_files();
    memset(most, 'x', BANS_BYTES_MAX + 1);
    spit(path, most, BANS_BYTES_MAX);
    ck_assert_int_eq(bans_load(scratch.root, &text, &len, message), STORE_OK);
    ck_assert_uint_eq(len, BANS_BYTES_MAX);
    free(text);
    spit(path, most, BANS_BYTES_MAX + 1);
    ck_assert_int_eq(bans_load(scratch.root, &text, &len, message), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(message, path));
    ck_assert_ptr_null(text);
    free(most);
}
END_TEST

START_TEST(test_no_file_of_ours)
{
    char *text;
    size_t len;
    name_files();
    ck_assert_int_eq(_i == 0 ? symlink("/dev/null", path) : mkdir(path, 0700), 0);
    ck_assert_int_eq(bans_load(scratch.root, &text, &len, message), STORE_FAILED);
    ck_assert_ptr_null(text);
}
END_TEST

void add_bans_tests(TCase *tests)
{
    tcase_add_test(tests, test_read);
    tcase_add_test(tests, test_part_is_left);
    tcase_add_test(tests, test_no_folder);
    tcase_add_test(tests, test_too_long);
    tcase_add_loop_test(tests, test_no_file_of_ours, 0, 2);
}
