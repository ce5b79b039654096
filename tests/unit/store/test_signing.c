/*
 * The file of the keys: made once, read again, refused if it is damaged or open to others, and
 * replaced by one with a new key.
 */
#include "cases.h"
#include <files.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <store/signing.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOW_S = 1790000000 };

static char message[STORE_MESSAGE_MAX], path[128];
static struct record_signer signer;
static bool made;

static enum store_result open_keys(void)
{
    memset(&signer, 0, sizeof signer);
    snprintf(path, sizeof path, "%s/" SIGNING_FILE, scratch.root);
    return signing_open(scratch.root, NOW_S, &signer, &made, message);
}

static enum store_result rotate_keys(int64_t now_s, struct public_key *dropped)
{
    memset(&signer, 0, sizeof signer);
    const struct key_change change = {.from_s = now_s, .until_s = now_s};
    return signing_rotate(scratch.root, &change, &signer, dropped, message);
}

/* Nothing is left over beside the file. */
static void check_no_part(void)
{
    char part[160];
    snprintf(part, sizeof part, "%s.part-%ld", path, (long)getpid());
    ck_assert_int_ne(access(part, F_OK), 0);
}

static void check_private(void)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    check_no_part();
}

/* The secret key is the one of the first public key. */
static void check_pair(void)
{
    uint8_t bytes[KEY_BYTES];
    crypto_sign_ed25519_sk_to_pk(bytes, signer.secret);
    ck_assert_mem_eq(bytes, signer.keys.list[0].bytes, KEY_BYTES);
}

START_TEST(a_key_is_made_once)
{
    mode_t old = umask(0);
    ck_assert_int_eq(open_keys(), STORE_OK);
    umask(old);
    ck_assert(made);
    check_private();
    check_pair();
    const struct record_signer first = signer;
    ck_assert_uint_eq(first.keys.count, 1);
    ck_assert_int_eq(first.keys.list[0].from_s, NOW_S);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert(!made);
    ck_assert_str_eq(signer.keys.list[0].id, first.keys.list[0].id);
    ck_assert_mem_eq(signer.secret, first.secret, sizeof first.secret);
    ck_assert_int_eq(signer.keys.list[0].from_s, NOW_S);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert(made);
    ck_assert_str_ne(signer.keys.list[0].id, first.keys.list[0].id);
}
END_TEST

/* What a start that was cut short has left does not keep the next one from making a key. */
START_TEST(a_part_that_was_left_is_replaced)
{
    char part[160];
    snprintf(part, sizeof part, "%s/" SIGNING_FILE ".part-%ld", scratch.root, (long)getpid());
    spit(part, "half", 4);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert(made);
    check_private();
    spit(part, "half", 4);
    struct public_key dropped;
    ck_assert_int_eq(rotate_keys(NOW_S + 1, &dropped), STORE_OK);
    check_private();
}
END_TEST

static const mode_t open_modes[] = {0640, 0604, 0644, 0620, 0601, 0777};

START_TEST(a_key_that_others_may_read_is_refused)
{
    struct public_key dropped;
    static const uint8_t nothing[SIGNING_SECRET_BYTES];
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_int_eq(chmod(path, open_modes[_i]), 0);
    ck_assert_int_eq(open_keys(), STORE_REFUSED);
    ck_assert_msg(strstr(message, "set mode 0600"), "%s", message);
    ck_assert_mem_eq(signer.secret, nothing, sizeof nothing);
    ck_assert_int_eq(rotate_keys(NOW_S, &dropped), STORE_REFUSED);
    ck_assert_int_eq(chmod(path, 0600), 0);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert(!made);
}
END_TEST

START_TEST(only_a_plain_file_is_read)
{
    char other[128];
    ck_assert_int_eq(open_keys(), STORE_OK);
    snprintf(other, sizeof other, "%s/other", scratch.root);
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink("other", path), 0);
    ck_assert_int_eq(open_keys(), STORE_FAILED);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(open_keys(), STORE_REFUSED);
    ck_assert_msg(strstr(message, "is not a plain file"), "%s", message);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(open_keys(), STORE_REFUSED); /* and nothing is waited for */
}
END_TEST

/* Each length and each byte: whatever is not as it was written is refused and left alone. */
START_TEST(a_damaged_file_is_refused)
{
    static const uint8_t nothing[SIGNING_SECRET_BYTES];
    struct public_key dropped;
    size_t len, left;
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_int_eq(rotate_keys(NOW_S + 1, &dropped), STORE_OK);
    unsigned char *bytes = slurp(path, &len);
    for (size_t at = 0; at < len; at++) {
        spit(path, bytes, at);
        ck_assert_msg(open_keys() == STORE_CORRUPT, "cut at %zu", at);
        bytes[at] ^= (unsigned char)(1 + at % 127);
        spit(path, bytes, len);
        ck_assert_msg(open_keys() == STORE_CORRUPT, "changed at %zu", at);
        ck_assert_mem_eq(signer.secret, nothing, sizeof nothing);
        bytes[at] ^= (unsigned char)(1 + at % 127);
    }
    ck_assert_msg(strstr(message, "is damaged: put a backup of it back"), "%s", message);
    ck_assert_int_eq(rotate_keys(NOW_S + 2, &dropped), STORE_CORRUPT);
    free(slurp(path, &left));
    ck_assert_uint_eq(left, len);
    spit(path, bytes, len);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_uint_eq(signer.keys.count, 2);
    free(bytes);
}
END_TEST

START_TEST(more_than_a_file_may_have)
{
    static char much[1 << 16];
    size_t len;
    ck_assert_int_eq(open_keys(), STORE_OK);
    unsigned char *bytes = slurp(path, &len);
    memset(much, '\n', sizeof much);
    memcpy(much, bytes, len);
    spit(path, much, len + 1);
    ck_assert_int_eq(open_keys(), STORE_CORRUPT);
    spit(path, much, sizeof much);
    ck_assert_int_eq(open_keys(), STORE_CORRUPT);
    free(bytes);
}
END_TEST

START_TEST(a_key_is_rotated)
{
    struct public_key dropped;
    ck_assert_int_eq(open_keys(), STORE_OK);
    const struct record_signer first = signer;
    ck_assert_int_eq(rotate_keys(NOW_S + 50, &dropped), STORE_OK);
    ck_assert_str_eq(dropped.id, "");
    check_private();
    check_pair();
    const struct record_signer second = signer;
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert(!made);
    ck_assert_mem_eq(signer.secret, second.secret, sizeof second.secret);
    ck_assert_uint_eq(signer.keys.count, 2);
    ck_assert_str_ne(signer.keys.list[0].id, first.keys.list[0].id);
    ck_assert_int_eq(signer.keys.list[0].from_s, NOW_S + 50);
    ck_assert_int_eq(signer.keys.list[0].until_s, KEY_IN_USE);
    ck_assert_str_eq(signer.keys.list[1].id, first.keys.list[0].id);
    ck_assert_mem_eq(signer.keys.list[1].bytes, first.keys.list[0].bytes, KEY_BYTES);
    ck_assert_int_eq(signer.keys.list[1].from_s, NOW_S);
    ck_assert_int_eq(signer.keys.list[1].until_s, NOW_S + 50);
    /* the earlier secret is gone */
    char seed[KEY_TEXT_BYTES + 1];
    size_t len;
    key_encode(seed, first.secret);
    char *bytes = (char *)slurp(path, &len);
    ck_assert_ptr_null(strstr(bytes, seed));
    free(bytes);
}
END_TEST

/* Servers that go on sign with the earlier one for a while. */
START_TEST(two_keys_at_once)
{
    static const struct key_change change = {.from_s = NOW_S + 50, .until_s = NOW_S + 900};
    struct public_key dropped;
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_int_eq(signing_rotate(scratch.root, &change, &signer, &dropped, message), STORE_OK);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_int_eq(signer.keys.list[0].from_s, NOW_S + 50);
    ck_assert_int_eq(signer.keys.list[1].until_s, NOW_S + 900);
}
END_TEST

/* A key does not end before it began, whatever the machine's clock says. */
START_TEST(a_clock_that_was_set_back)
{
    struct public_key dropped;
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_int_eq(rotate_keys(NOW_S - 500, &dropped), STORE_OK);
    ck_assert_int_eq(signer.keys.list[0].from_s, NOW_S);
    ck_assert_int_eq(signer.keys.list[1].until_s, NOW_S);
}
END_TEST

START_TEST(the_oldest_of_many_is_dropped_and_told)
{
    struct public_key dropped;
    ck_assert_int_eq(open_keys(), STORE_OK);
    const struct public_key oldest = signer.keys.list[0];
    for (int at = 1; at < KEYS_MAX; at++) {
        ck_assert_int_eq(rotate_keys(NOW_S + at, &dropped), STORE_OK);
        ck_assert_str_eq(dropped.id, "");
    }
    ck_assert_int_eq(rotate_keys(NOW_S + KEYS_MAX, &dropped), STORE_OK);
    ck_assert_str_eq(dropped.id, oldest.id);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_uint_eq(signer.keys.count, KEYS_MAX);
    ck_assert_ptr_null(key_set_find(&signer.keys, oldest.id));
    for (size_t at = 1; at < KEYS_MAX; at++)
        ck_assert_int_eq(signer.keys.list[at].until_s, signer.keys.list[at - 1].from_s);
}
END_TEST

/* Root rotates it for the server's own user, who must be able to read it afterwards. */
START_TEST(the_owner_stays)
{
    struct public_key dropped;
    struct stat status;
    ck_assert_int_eq(open_keys(), STORE_OK);
    const bool root = geteuid() == 0;
    if (root)
        ck_assert_int_eq(chown(path, 65532, 65533), 0);
    ck_assert_int_eq(rotate_keys(NOW_S + 1, &dropped), STORE_OK);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_uid, root ? 65532 : geteuid());
    ck_assert_uint_eq(status.st_gid, root ? 65533 : getegid());
    check_private();
}
END_TEST

START_TEST(nothing_to_rotate)
{
    struct public_key dropped;
    char lock[128];
    ck_assert_int_eq(rotate_keys(NOW_S, &dropped), STORE_FAILED);
    ck_assert_msg(strstr(message, "a server makes it when it starts"), "%s", message);
    snprintf(lock, sizeof lock, "%s/lock", scratch.root);
    ck_assert_int_ne(access(lock, F_OK), 0); /* which would be the wrong user's */
}
END_TEST

START_TEST(not_while_a_server_runs)
{
    ck_assert_int_eq(open_keys(), STORE_OK);
    const struct record_signer first = signer;
    int fd = -1, status;
    ck_assert_int_eq(files_lock(scratch.root, &fd, message), STORE_OK);
    pid_t child = fork();
    if (child == 0) {
        struct public_key dropped;
        _exit(rotate_keys(NOW_S + 1, &dropped) == STORE_FENCED ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(fd);
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_str_eq(signer.keys.list[0].id, first.keys.list[0].id);
}
END_TEST

/* With a limit on the size of files, as on a full disk: what was there stays. */
START_TEST(a_disk_that_is_full)
{
    struct public_key dropped;
    struct rlimit before, none;
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 10;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    enum store_result first = open_keys();
    bool exists = access(path, F_OK) == 0;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(first, STORE_FULL);
    ck_assert(!exists && !made);
    ck_assert_msg(strstr(message, "writing "), "%s", message);
    check_no_part();
    ck_assert_int_eq(open_keys(), STORE_OK);
    const struct record_signer kept = signer;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    enum store_result second = rotate_keys(NOW_S + 1, &dropped);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(second, STORE_FULL);
    check_no_part();
    ck_assert_int_eq(open_keys(), STORE_OK);
    ck_assert_str_eq(signer.keys.list[0].id, kept.keys.list[0].id);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written)
{
    memset(&signer, 0, sizeof signer);
    ck_assert_int_eq(signing_open("/proc", NOW_S, &signer, &made, message), STORE_FAILED);
    ck_assert_msg(strstr(message, "writing /proc/" SIGNING_FILE), "%s", message);
    static char endless[FILES_PATH_SIZE];
    memset(endless, 'd', FILES_PATH_SIZE - 1);
    ck_assert_int_eq(signing_open(endless, NOW_S, &signer, &made, message), STORE_FAILED);
}
END_TEST

void add_signing_tests(TCase *tests)
{
    tcase_add_test(tests, a_key_is_made_once);
    tcase_add_test(tests, a_part_that_was_left_is_replaced);
    tcase_add_loop_test(tests, a_key_that_others_may_read_is_refused, 0,
                        sizeof open_modes / sizeof open_modes[0]);
    tcase_add_test(tests, only_a_plain_file_is_read);
    tcase_add_test(tests, a_damaged_file_is_refused);
    tcase_add_test(tests, more_than_a_file_may_have);
    tcase_add_test(tests, a_key_is_rotated);
    tcase_add_test(tests, two_keys_at_once);
    tcase_add_test(tests, a_clock_that_was_set_back);
    tcase_add_test(tests, the_oldest_of_many_is_dropped_and_told);
    tcase_add_test(tests, the_owner_stays);
    tcase_add_test(tests, nothing_to_rotate);
    tcase_add_test(tests, not_while_a_server_runs);
    tcase_add_test(tests, a_disk_that_is_full);
    tcase_add_test(tests, a_folder_that_cannot_be_written);
}
