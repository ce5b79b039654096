/* Folders and files by themselves: names as long as they may be, and what the system refuses. */
#include "cases.h"
#include <errno.h>
#include <files.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char message[STORE_MESSAGE_MAX];

/* ---- names */

/* directory, a slash, and a name, so many bytes in all */
static bool join_of_len(size_t len)
{
    static char directory[FILES_PATH_SIZE + 8], path[FILES_PATH_SIZE];
    memset(directory, 'd', sizeof directory);
    directory[len - strlen("/name")] = 0;
    bool joined = files_join(path, directory, "name");
    ck_assert(!joined || (strlen(path) == len && strcmp(path + len - 5, "/name") == 0));
    return joined;
}

START_TEST(a_name_that_does_not_fit_is_refused)
{
    ck_assert(join_of_len(20));
    ck_assert(join_of_len(FILES_PATH_SIZE - 1));
    errno = 0;
    ck_assert(!join_of_len(FILES_PATH_SIZE));
    ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

START_TEST(a_path_without_links_is_found)
{
    char resolved[FILES_PATH_SIZE], path[256], expected[256];
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    snprintf(path, sizeof path, "%s/link", scratch.root);
    ck_assert_int_eq(symlink("data", path), 0);
    snprintf(path, sizeof path, "%s/link/file", scratch.root);
    snprintf(expected, sizeof expected, "%s/file", scratch.folder);
    ck_assert(files_resolve(resolved, path));
    ck_assert_str_eq(resolved, expected);
    ck_assert_int_eq(chdir(scratch.folder), 0);
    ck_assert(files_resolve(resolved, "file"));
    ck_assert_str_eq(resolved, expected);
    ck_assert(files_resolve(resolved, "/file"));
    ck_assert_str_eq(resolved, "//file");
    ck_assert(!files_resolve(resolved, "no/such/folder"));
    static char endless[FILES_PATH_SIZE + 1];
    memset(endless, '/', FILES_PATH_SIZE);
    errno = 0;
    ck_assert(!files_resolve(resolved, endless));
    ck_assert_int_eq(errno, ENAMETOOLONG);
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

static const struct {
    int error;
    enum store_result result;
} errors[] = {
    {ENOSPC, STORE_FULL}, {EDQUOT, STORE_FULL},   {EFBIG, STORE_FULL}, {EACCES, STORE_FAILED},
    {EIO, STORE_FAILED},  {ENOENT, STORE_FAILED}, {0, STORE_FAILED},
};

START_TEST(errors_of_the_system_are_told)
{
    errno = errors[_i].error;
    ck_assert_int_eq(files_fail("doing", "/the/file", message), errors[_i].result);
    ck_assert_ptr_nonnull(strstr(message, "doing /the/file: "));
    ck_assert_ptr_nonnull(strstr(message, strerror(errors[_i].error)));
}
END_TEST

/* ---- folders */

START_TEST(a_folder_is_made_with_those_above)
{
    char path[256];
    struct stat status;
    snprintf(path, sizeof path, "%s/a/b/c", scratch.root);
    for (int turn = 0; turn < 2; turn++)
        ck_assert_int_eq(files_make_directory(path, message), STORE_OK);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert(S_ISDIR(status.st_mode));
    ck_assert_int_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(chdir(path), 0);
    errno = 0; /* what was left there is not looked at */
    ck_assert_int_eq(files_make_directory("d", message), STORE_OK);
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

static void check_folder_refused(const char *path, const char *say)
{
    ck_assert_int_eq(files_make_directory(path, message), STORE_FAILED);
    ck_assert_msg(strstr(message, say), "%s: %s", path, message);
}

START_TEST(a_folder_that_cannot_be_made_is_told_why)
{
    static char endless[FILES_PATH_SIZE + 1];
    char path[256];
    memset(endless, 'd', FILES_PATH_SIZE);
    check_folder_refused("", "no usable name");
    check_folder_refused(endless, "no usable name");
    check_folder_refused("/proc/no", "making the folder /proc/no: No such file");
    spit(scratch.folder, "file", 4);
    check_folder_refused(scratch.folder, "Not a directory");
    snprintf(path, sizeof path, "%s/under", scratch.folder);
    check_folder_refused(path, "making the folder");
    /* A link that leads nowhere is there for mkdir, and not for stat. */
    snprintf(path, sizeof path, "%s/link", scratch.root);
    ck_assert_int_eq(symlink("nowhere", path), 0);
    check_folder_refused(path, "making the folder");
}
END_TEST

/* ---- files */

START_TEST(a_lock_keeps_others_out)
{
    char path[256];
    int fd = -1, mine = -1;
    ck_assert_int_eq(files_lock("/no/such", &mine, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "opening /no/such/lock: No such file"));
    ck_assert_int_eq(mine, -1);
    static char endless[FILES_PATH_SIZE];
    memset(endless, 'd', FILES_PATH_SIZE - 1);
    ck_assert_int_eq(files_lock(endless, &mine, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "locking ddd"));
    ck_assert_int_eq(files_lock(scratch.root, &fd, message), STORE_OK);
    ck_assert_int_ge(fd, 0);
    pid_t child = fork();
    if (child == 0) {
        int other = -1;
        char expected[STORE_MESSAGE_MAX];
        snprintf(expected, sizeof expected, "another server (process %ld) uses the store in %s",
                 (long)getppid(), scratch.root);
        enum store_result result = files_lock(scratch.root, &other, message);
        _exit(result == STORE_FENCED && strcmp(message, expected) == 0 ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(fd);
    /* A lock that is a link is not ours. */
    snprintf(path, sizeof path, "%s/lock", scratch.root);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink("elsewhere", path), 0);
    ck_assert_int_eq(files_lock(scratch.root, &mine, message), STORE_FAILED);
}
END_TEST

START_TEST(a_file_is_written_once_or_replaced)
{
    char path[256];
    size_t len;
    snprintf(path, sizeof path, "%s/no/file", scratch.root);
    ck_assert_int_eq(files_write(path, "x", 1, NEW_FILE_REFUSE, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "No such file"));
    snprintf(path, sizeof path, "%s/file", scratch.root);
    ck_assert_int_eq(files_write(path, "first", 5, NEW_FILE_REFUSE, message), STORE_OK);
    ck_assert_int_eq(files_write(path, "other", 5, NEW_FILE_REFUSE, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "File exists"));
    unsigned char *bytes = slurp(path, &len);
    ck_assert_str_eq((char *)bytes, "first");
    free(bytes);
    ck_assert_int_eq(files_write(path, "other", 5, NEW_FILE_REPLACE, message), STORE_OK);
    bytes = slurp(path, &len);
    ck_assert_str_eq((char *)bytes, "other");
    free(bytes);
}
END_TEST

static const struct {
    const char *file, *log; /* NULL: none. A file is a page that begins so, or "cut" */
    enum store_result result;
} wholes[] = {
    {NULL, NULL, STORE_OK},
    {NULL, "", STORE_OK},
    {NULL, "log", STORE_CORRUPT},
    {"", NULL, STORE_CORRUPT},
    {"", "log", STORE_CORRUPT},
    {"cut", NULL, STORE_CORRUPT},
    {"cut", "log", STORE_CORRUPT},
    {"file", NULL, STORE_OK},
    {"file", "log", STORE_CORRUPT},
    {"eighteen bytes and\1\1", "", STORE_OK},
    {"eighteen bytes and\1\1", "log", STORE_CORRUPT},
    {"eighteen bytes and\2\2", "log", STORE_OK},
};

START_TEST(a_log_belongs_to_a_file)
{
    const char *file = wholes[_i].file;
    char path[256], log[272], page[512] = {0};
    snprintf(path, sizeof path, "%s/file", scratch.root);
    snprintf(log, sizeof log, "%s-wal", path);
    if (file)
        memcpy(page, file, strlen(file));
    if (file)
        spit(path, page, strlen(file) < 4 ? strlen(file) : sizeof page);
    if (wholes[_i].log)
        spit(log, wholes[_i].log, strlen(wholes[_i].log));
    ck_assert_int_eq(files_check_whole(path, message), wholes[_i].result);
}
END_TEST

/* ---- the latest time in a store */

START_TEST(the_latest_time_is_that_of_anything)
{
    static const char *const rows[] = {"INSERT INTO event (at_ms) VALUES (3), (1)",
                                       "INSERT INTO archived_event (at_ms) VALUES (5)",
                                       "INSERT INTO session (seen_ms) VALUES (7)",
                                       "INSERT INTO event (at_ms) VALUES (9)"};
    static const int64_t times[] = {3, 5, 7, 9};
    int64_t latest_ms = -1;
    ck_assert_int_eq(sqlite_store_latest(scratch.file, &latest_ms, message), STORE_FAILED);
    sqlite_store_close(scratch_open(&scratch));
    ck_assert_int_eq(sqlite_store_latest(scratch.file, &latest_ms, message), STORE_OK);
    ck_assert_int_eq(latest_ms, 0);
    scratch_sql(&scratch, "DROP TABLE event; DROP TABLE archived_event; DROP TABLE session;"
                          "CREATE TABLE event (at_ms); CREATE TABLE archived_event (at_ms);"
                          "CREATE TABLE session (seen_ms)");
    for (size_t at = 0; at < sizeof rows / sizeof rows[0]; at++) {
        scratch_sql(&scratch, rows[at]);
        ck_assert_int_eq(sqlite_store_latest(scratch.file, &latest_ms, message), STORE_OK);
        ck_assert_int_eq(latest_ms, times[at]);
    }
    spit(scratch.file, "no database at all, but long enough to be looked at", 51);
    ck_assert_int_eq(sqlite_store_latest(scratch.file, &latest_ms, message), STORE_FAILED);
}
END_TEST

void add_files_tests(TCase *tests)
{
    tcase_add_test(tests, a_name_that_does_not_fit_is_refused);
    tcase_add_test(tests, a_path_without_links_is_found);
    tcase_add_loop_test(tests, errors_of_the_system_are_told, 0, sizeof errors / sizeof errors[0]);
    tcase_add_test(tests, a_folder_is_made_with_those_above);
    tcase_add_test(tests, a_folder_that_cannot_be_made_is_told_why);
    tcase_add_test(tests, a_lock_keeps_others_out);
    tcase_add_test(tests, a_file_is_written_once_or_replaced);
    tcase_add_test(tests, the_latest_time_is_that_of_anything);
    tcase_add_loop_test(tests, a_log_belongs_to_a_file, 0, sizeof wholes / sizeof wholes[0]);
}
