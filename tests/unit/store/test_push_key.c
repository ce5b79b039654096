/* The file of the key for push services: made once, read again, refused if damaged or open. */
#include "cases.h"
#include <stdlib.h>
#include <store/push_key.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char message[STORE_MESSAGE_MAX], path[128];
static uint8_t secret[PUSH_KEY_BYTES], first[PUSH_KEY_BYTES];
static bool made;

static enum store_result open_key(int fresh)
{
    memset(secret, fresh, sizeof secret);
    snprintf(path, sizeof path, "%s/" PUSH_KEY_FILE, scratch.root);
    return push_key_open(scratch.root, secret, &made, message);
}

START_TEST(a_push_key_is_made_once)
{
    struct stat status;
    memset(first, 7, sizeof first);
    ck_assert_int_eq(open_key(7), STORE_OK);
    ck_assert(made);
    ck_assert_mem_eq(secret, first, sizeof first);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    ck_assert_int_eq(open_key(8), STORE_OK);
    ck_assert(!made);
    ck_assert_mem_eq(secret, first, sizeof first);
}
END_TEST

/* Each byte changed, and each length. */
START_TEST(a_damaged_push_key_is_told)
{
    size_t len;
    ck_assert_int_eq(open_key(7), STORE_OK);
    unsigned char *text = slurp(path, &len);
    for (size_t at = 0; at < len; at++) {
        text[at] ^= 0x80;
        spit(path, text, len);
        ck_assert_int_eq(open_key(8), STORE_CORRUPT);
        text[at] ^= 0x80;
        spit(path, text, at);
        ck_assert_int_eq(open_key(8), STORE_CORRUPT);
    }
    ck_assert_ptr_nonnull(strstr(message, "is damaged"));
    memset(first, 0, sizeof first);
    ck_assert_mem_eq(secret, first, sizeof first); /* nothing is used */
    free(text);
}
END_TEST

START_TEST(a_push_key_that_others_may_read_is_refused)
{
    ck_assert_int_eq(open_key(7), STORE_OK);
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(open_key(8), STORE_REFUSED);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    ck_assert_int_ne(open_key(8), STORE_OK);
}
END_TEST

void add_push_key_tests(TCase *tests)
{
    tcase_add_test(tests, a_push_key_is_made_once);
    tcase_add_test(tests, a_damaged_push_key_is_told);
    tcase_add_test(tests, a_push_key_that_others_may_read_is_refused);
}
