/* The file of the bans: none at first, replaced whole, and not taken if it cannot be one. */
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

static enum store_result save(const char *text)
{
    return bans_save(scratch.root, text, strlen(text), message);
}

START_TEST(test_saved)
{
    struct stat status;
    name_files();
    holds(NULL);
    ck_assert_int_eq(save("first and long"), STORE_OK);
    holds("first and long");
    ck_assert_int_eq(save("second"), STORE_OK);
    holds("second");
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    ck_assert_int_ne(access(part, F_OK), 0);
}
END_TEST

/* What a crash has left is in nobody's way. */
START_TEST(test_part_is_left)
{
    name_files();
    FILE *file = fopen(part, "we");
    ck_assert(fputs("half", file) > 0 && fclose(file) == 0);
    holds(NULL);
    ck_assert_int_eq(save("whole"), STORE_OK);
    holds("whole");
}
END_TEST

START_TEST(test_not_saved)
{
    name_files();
    ck_assert_int_eq(save("first"), STORE_OK);
    ck_assert_int_eq(mkdir(part, 0700), 0);
    ck_assert_int_eq(save("second"), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, path));
    holds("first");
    ck_assert_int_eq(bans_save("/no/such/folder", "x", 1, message), STORE_FAILED);
}
END_TEST

START_TEST(test_too_long)
{
    char *text, *most = malloc(BANS_BYTES_MAX + 1);
    size_t len;
    name_files();
    memset(most, 'x', BANS_BYTES_MAX + 1);
    ck_assert_int_eq(bans_save(scratch.root, most, BANS_BYTES_MAX, message), STORE_OK);
    ck_assert_int_eq(bans_load(scratch.root, &text, &len, message), STORE_OK);
    ck_assert_uint_eq(len, BANS_BYTES_MAX);
    free(text);
    ck_assert_int_eq(bans_save(scratch.root, most, BANS_BYTES_MAX + 1, message), STORE_OK);
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
    tcase_add_test(tests, test_saved);
    tcase_add_test(tests, test_part_is_left);
    tcase_add_test(tests, test_not_saved);
    tcase_add_test(tests, test_too_long);
    tcase_add_loop_test(tests, test_no_file_of_ours, 0, 2);
}
