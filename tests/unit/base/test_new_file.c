/* Files that are there whole or not at all, whatever the file system and whoever is killed. */
#include "../../support/scratch_path.h"
#include "suites.h"
#include <base/new_file.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[SCRATCH_BYTES], path[96];

/* ---- file systems that know less: these take the place of the C library's */

static int renames_fail, links_fail, moves_fail, locks_fail; /* errno, 0: they work */
static bool locked_late; /* somebody else has been quicker, and is done */

static int refuse(int error)
{
    errno = error;
    return -1;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if ((flags & RENAME_NOREPLACE) && access(to, F_OK) == 0)
        return refuse(EEXIST); /* by the system, whatever the file system knows */
    if (renames_fail)
        return refuse(renames_fail);
    return renameat(from_folder, from, to_folder, to);
}

int link(const char *from, const char *to)
{
    return links_fail ? refuse(links_fail) : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    return moves_fail ? refuse(moves_fail) : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int flock(int fd, int how)
{
    if (locked_late) {
        (void)unlink(path);
        const int other = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        ck_assert_int_eq(write(other, "theirs", 6), 6);
        close(other);
    }
    return locks_fail ? refuse(locks_fail) : (int)syscall(SYS_flock, fd, how);
}

/* ---- a folder of its own */

static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-new-file", false)));
    snprintf(path, sizeof path, "%s/nightly.db", folder);
    renames_fail = links_fail = moves_fail = locks_fail = 0;
    locked_late = false;
}

static int count_entries(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static void end(void)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));)
        (void)unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
    ck_assert_int_eq(rmdir(folder), 0);
}

static bool make(const char *text, enum new_file_over over)
{
    return new_file_make(path, text, strlen(text), 0600, over);
}

static void holds(const char *text)
{
    char found[64] = "";
    const int fd = open(path, O_RDONLY);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_ge(read(fd, found, sizeof found - 1), 0);
    close(fd);
    ck_assert_str_eq(found, text);
}

static const struct {
    int renames, links;
} systems[] = {{0, 0}, {EINVAL, 0}, {ENOSYS, EPERM}, {EINVAL, EOPNOTSUPP}, {EINVAL, EMLINK}};

START_TEST(test_made)
{
    struct stat status;
    renames_fail = systems[_i].renames;
    links_fail = systems[_i].links;
    ck_assert(make("first", NEW_FILE_REFUSE));
    holds("first");
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    ck_assert(!make("second", NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, EEXIST);
    holds("first");
    ck_assert(make("third", NEW_FILE_REPLACE));
    holds("third");
    ck_assert_int_eq(count_entries(), 1);
}
END_TEST

/* A place that was only claimed is given up. */
START_TEST(test_not_moved)
{
    renames_fail = EINVAL;
    links_fail = EPERM;
    moves_fail = EIO;
    ck_assert(!make("first", _i == 0 ? NEW_FILE_REFUSE : NEW_FILE_REPLACE));
    ck_assert_int_eq(errno, EIO);
    ck_assert_int_eq(count_entries(), 0);
}
END_TEST

static int put_empty(void)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    return fd;
}

/* Somebody has claimed the place, and was killed; where there are links nobody claims one. */
START_TEST(test_left_claim)
{
    renames_fail = systems[_i].renames;
    links_fail = systems[_i].links;
    close(put_empty());
    ck_assert_int_eq(make("whole", NEW_FILE_REFUSE), links_fail != 0);
    holds(links_fail ? "whole" : "");
    ck_assert_int_eq(count_entries(), 1);
}
END_TEST

START_TEST(test_held_claim)
{
    renames_fail = EINVAL;
    links_fail = EPERM;
    const int fd = put_empty();
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert(!make("whole", NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, EEXIST);
    close(fd);
    holds("");
    ck_assert(make("whole", NEW_FILE_REFUSE));
    holds("whole");
}
END_TEST

/* Before the lock was there another has seen the claim, and put its own file there. */
START_TEST(test_claim_of_another)
{
    renames_fail = EINVAL;
    links_fail = EPERM;
    if (_i == 1)
        close(put_empty());
    locked_late = true;
    ck_assert(!make("ours", NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, EEXIST);
    holds("theirs");
    ck_assert_int_eq(count_entries(), 1);
}
END_TEST

/* A file system without locks: places are claimed, and none is taken for left behind. */
START_TEST(test_without_locks)
{
    renames_fail = EINVAL;
    links_fail = EPERM;
    locks_fail = ENOLCK;
    ck_assert(make("first", NEW_FILE_REFUSE));
    holds("first");
    ck_assert_int_eq(unlink(path), 0);
    close(put_empty());
    ck_assert(!make("second", NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, EEXIST);
    holds("");
}
END_TEST

START_TEST(test_link_fails)
{
    renames_fail = EINVAL;
    links_fail = EIO;
    ck_assert(!make("first", NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, EIO);
    ck_assert_int_eq(count_entries(), 0);
}
END_TEST

START_TEST(test_no_place)
{
    char long_path[NEW_FILE_PATH_SIZE + 8];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    ck_assert(!new_file_make(long_path, "", 0, 0600, NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, ENAMETOOLONG);
    ck_assert(!new_file_make("/no/such/folder/file", "", 0, 0600, NEW_FILE_REFUSE));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* In a process of its own: the limit is also on what Check writes. */
START_TEST(test_too_large)
{
    const struct rlimit limit = {4, 4};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(!make("longer", NEW_FILE_REFUSE) && errno == EFBIG ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_int_eq(count_entries(), 0);
}
END_TEST

/* ---- who is killed while writing */

/* The child writes one half, with what SQLite has beside it, and waits to be ended. */
static pid_t write_half(bool drops)
{
    int told[2];
    ck_assert_int_eq(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct new_file file;
        char beside[NEW_FILE_PATH_SIZE + 16], said = 'x';
        if (drops)
            new_file_drop_on_signals();
        if (!new_file_begin(&file, path, 0600) || !new_file_write(&file, "half", 4))
            _exit(1);
        snprintf(beside, sizeof beside, "%s-wal", file.part);
        if (open(beside, O_WRONLY | O_CREAT, 0600) < 0 || write(told[1], &said, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char said = 0;
    close(told[1]);
    ck_assert_int_eq(read(told[0], &said, 1), 1);
    close(told[0]);
    return child;
}

static void end_child(pid_t child, int number)
{
    int status;
    ck_assert_int_eq(kill(child, number), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == number);
}

START_TEST(test_ended_by_a_signal)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    end_child(write_half(true), numbers[_i]);
    ck_assert_int_eq(count_entries(), 0);
}
END_TEST

START_TEST(test_killed)
{
    end_child(write_half(false), SIGKILL);
    ck_assert_int_eq(count_entries(), 2);
    ck_assert(make("whole", NEW_FILE_REFUSE));
    holds("whole");
    ck_assert_int_eq(count_entries(), 1);
}
END_TEST

/* What is still being written, and what only has a similar name, stays. */
START_TEST(test_others_stay)
{
    static const char *const names[] = {
        ".part",    ".part-",      ".part-x",   ".part-1x",
        ".part-01", ".part-9-old", ".part--12", ".part-999999999.db"};
    char name[160];
    const pid_t child = write_half(false);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, names[i]);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
    snprintf(name, sizeof name, "%s/other.db.part-%ld", folder, (long)getpid());
    close(open(name, O_WRONLY | O_CREAT, 0600));
    ck_assert(make("whole", NEW_FILE_REFUSE));
    ck_assert_int_eq(count_entries(), 2 + 8 + 1 + 1);
    end_child(child, SIGKILL);
}
END_TEST

/* A number that we had in another life, as the first process of a container has. */
START_TEST(test_own_number)
{
    char name[160];
    snprintf(name, sizeof name, "%s.part-%ld", path, (long)getpid());
    close(open(name, O_WRONLY | O_CREAT, 0600));
    ck_assert(make("whole", NEW_FILE_REFUSE));
    holds("whole");
    ck_assert_int_eq(count_entries(), 1);
}
END_TEST

START_TEST(test_dropped)
{
    struct new_file file;
    ck_assert(new_file_begin(&file, path, 0600) && new_file_write(&file, "half", 4));
    ck_assert_int_eq(count_entries(), 1);
    errno = ENOSPC;
    new_file_drop(&file);
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_int_eq(count_entries(), 0);
}
END_TEST

Suite *new_file_suite(void)
{
    Suite *suite = suite_create("new file");
    TCase *tests = tcase_create("new file");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, test_made, 0, sizeof systems / sizeof systems[0]);
    tcase_add_loop_test(tests, test_not_moved, 0, 2);
    tcase_add_loop_test(tests, test_left_claim, 0, sizeof systems / sizeof systems[0]);
    tcase_add_test(tests, test_held_claim);
    tcase_add_loop_test(tests, test_claim_of_another, 0, 2);
    tcase_add_test(tests, test_without_locks);
    tcase_add_test(tests, test_link_fails);
    tcase_add_test(tests, test_no_place);
    tcase_add_test(tests, test_too_large);
    tcase_add_loop_test(tests, test_ended_by_a_signal, 0, 3);
    tcase_add_test(tests, test_killed);
    tcase_add_test(tests, test_others_stay);
    tcase_add_test(tests, test_own_number);
    tcase_add_test(tests, test_dropped);
    suite_add_tcase(suite, tests);
    return suite;
}
