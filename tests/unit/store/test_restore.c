/* A copy in place of a store: all steps or none, whenever the process is killed. */
#include "cases.h"
#include <fcntl.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char copy[128], before[STORE_PATH_MAX], message[STORE_MESSAGE_MAX];

/* ---- a process that is killed at a change of names */

static int renames_left = -1; /* until it is killed; -1: it is not */

int rename(const char *from, const char *to)
{
    if (renames_left == 0)
        _exit(9);
    if (renames_left > 0)
        renames_left--;
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlink(const char *path)
{
    if (renames_left == 0)
        _exit(9);
    if (renames_left > 0)
        renames_left--;
    return unlinkat(AT_FDCWD, path, 0);
}

/* ---- stores */

/* One whose newest part is in its log, as a crash leaves it. */
static void play_and_crash(const char *room_id)
{
    const pid_t child = fork();
    int status;
    if (child == 0) {
        struct sqlite_store *store = scratch_open_loaded(&scratch);
        _exit(commit_one(store, op_room(room_id)) == STORE_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A copy with one room in it, and a store that went on with another one. */
static void prepare(void)
{
    snprintf(copy, sizeof copy, "%s/copy.db", scratch.root);
    play_and_crash("room000a");
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_OK);
    play_and_crash("room000b");
}

static void write_beside(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", scratch.file, name);
    spit(path, text, strlen(text));
}

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", scratch.file, name);
    return access(path, F_OK) == 0;
}

static enum store_result restore(void)
{
    return sqlite_store_restore(scratch.folder, copy, before, message);
}

static void holds(bool first_alone)
{
    char *text = dump_folder(&scratch);
    ck_assert_ptr_nonnull(strstr(text, "room room000a"));
    ck_assert_int_eq(strstr(text, "room room000b") == NULL, first_alone);
    free(text);
}

/* What was kept is a store again when it is given its name back. */
static void kept_is_whole(const char *kept)
{
    ck_assert_int_eq(sqlite_store_restore(scratch.folder, kept, before, message), STORE_OK);
    holds(false);
}

/* ---- tests */

START_TEST(a_copy_takes_the_place_of_a_store_with_its_log)
{
    char kept[160];
    struct stat status;
    prepare();
    ck_assert(is_there("-wal"));
    write_beside("-journal", "of another one");
    ck_assert_int_eq(restore(), STORE_OK);
    snprintf(kept, sizeof kept, "%s.before-1", scratch.file);
    ck_assert_str_eq(before, kept);
    ck_assert(is_there(".before-1-wal") && is_there(".before-1-journal"));
    ck_assert(!is_there("-wal") && !is_there("-shm") && !is_there("-journal"));
    ck_assert(!is_there(".restored-1"));
    ck_assert_int_eq(stat(scratch.file, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    holds(true);
    ck_assert_int_eq(access(copy, F_OK), 0);
    unlink(strcat(strcpy(kept, scratch.file), ".before-1-journal"));
    snprintf(kept, sizeof kept, "%s.before-1", scratch.file);
    kept_is_whole(kept);
    ck_assert_ptr_nonnull(strstr(before, ".before-2"));
    ck_assert(is_there(".before-1") && is_there(".before-1-wal") && is_there(".before-2"));
}
END_TEST

/* As the operator finds it: no file, an empty one, a log alone, no folder. */
START_TEST(a_copy_is_restored_where_no_store_is)
{
    prepare();
    if (_i != 3)
        unlink(scratch.file);
    if (_i == 1)
        write_beside("", "");
    if (_i == 2)
        unlink(strcat(strcpy(before, scratch.file), "-wal"));
    if (_i == 3)
        snprintf(scratch.folder, sizeof scratch.folder, "%s/new", scratch.root);
    ck_assert_msg(restore() == STORE_OK, "%s", message);
    ck_assert_int_eq(before[0] != '\0', _i == 1);
    if (_i == 3)
        snprintf(scratch.file, sizeof scratch.file, "%s/taluva.db", scratch.folder);
    holds(true);
}
END_TEST

/* Root restores for the user that the service runs as. Others own what they make anyway. */
START_TEST(what_is_restored_belongs_to_whom_the_folder_does)
{
    enum { SOMEBODY = 12345 };
    char lock[128];
    struct stat folder, file, locked;
    prepare();
    snprintf(lock, sizeof lock, "%s/lock", scratch.folder);
    unlink(lock);
    if (geteuid() == 0)
        ck_assert_int_eq(chown(scratch.folder, SOMEBODY, SOMEBODY), 0);
    ck_assert_int_eq(restore(), STORE_OK);
    ck_assert_int_eq(stat(scratch.folder, &folder), 0);
    ck_assert_int_eq(stat(scratch.file, &file), 0);
    ck_assert_int_eq(stat(lock, &locked), 0);
    ck_assert_uint_eq(file.st_uid, folder.st_uid);
    ck_assert_uint_eq(locked.st_uid, folder.st_uid);
    ck_assert_uint_eq(file.st_gid, folder.st_gid);
}
END_TEST

static int run_killed(int after)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        renames_left = after;
        _exit(restore() == STORE_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Before the new file has its name nothing has happened; afterwards all of it happens, by the next
 * start or by restoring again. */
START_TEST(a_restore_that_is_killed_is_done_or_not_begun)
{
    int after = 0, status;
    bool was_decided = false;
    for (;; after++) {
        scratch_release(&scratch);
        scratch_init(&scratch);
        prepare();
        status = run_killed(after);
        if (status != 9)
            break;
        const bool decided = is_there(".restored-1") || !is_there("-wal");
        was_decided |= decided;
        ck_assert(decided || !was_decided);
        if (is_there(".restored-1")) {
            const struct store_check check = {.live = {0}};
            ck_assert_int_eq(sqlite_store_check(scratch.file, &check, message), STORE_REFUSED);
            ck_assert_ptr_nonnull(strstr(message, "was cut short"));
        }
        if (_i == 1)
            ck_assert_msg(restore() == STORE_OK, "%s", message);
        holds(decided || _i == 1);
        ck_assert(!is_there(".restored-1") && !is_there(".restored-2"));
        if (decided) {
            char kept[160];
            snprintf(kept, sizeof kept, "%s.before-1", scratch.file);
            kept_is_whole(kept);
        }
    }
    ck_assert_int_eq(status, 0);
    ck_assert_int_ge(after, 4);
    ck_assert(was_decided);
}
END_TEST

START_TEST(a_store_that_is_used_is_not_replaced)
{
    prepare();
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(restore() == STORE_FENCED && strstr(message, "another server") ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    sqlite_store_close(store);
    holds(false);
}
END_TEST

START_TEST(what_cannot_be_restored_changes_nothing)
{
    prepare();
    snprintf(copy, sizeof copy, "%s", scratch.file);
    ck_assert_int_eq(restore(), STORE_REFUSED);
    ck_assert_ptr_nonnull(strstr(message, "is the store itself"));
    snprintf(copy, sizeof copy, "%s/nothing.db", scratch.root);
    ck_assert_int_eq(restore(), STORE_FAILED);
    spit(copy, "this is no database, and so no store", 36);
    ck_assert_int_eq(restore(), STORE_CORRUPT);
    holds(false);
    ck_assert(!is_there(".before-1"));
}
END_TEST

START_TEST(stores_from_before_are_never_overwritten)
{
    char name[32];
    prepare();
    for (int number = 1; number <= 99; number++) {
        snprintf(name, sizeof name, ".before-%d%s", number, number == 99 ? "-wal" : "");
        write_beside(name, "kept");
    }
    ck_assert_int_eq(restore(), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "99 stores from before"));
    holds(false);
}
END_TEST

/* ---- what is no store, and must not become one */

/* Nor one of less than a page, which SQLite would take for an empty one. */
START_TEST(an_empty_file_is_not_opened_as_a_new_store)
{
    static const size_t sizes[] = {0, 1, 100, 511};
    static const char zeros[512];
    struct sqlite_store *store;
    prepare();
    spit(scratch.file, zeros, sizes[_i]);
    unlink(strcat(strcpy(before, scratch.file), "-wal"));
    ck_assert_int_eq(sqlite_store_open(scratch.folder, &store, message), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(message, "taluvad restore"));
}
END_TEST

/* Keys are made after the store: without it they say that it is lost. */
START_TEST(a_store_that_is_lost_is_told_from_a_new_one)
{
    char key[256];
    ck_assert(!sqlite_store_missing(scratch.folder, scratch.root));
    snprintf(key, sizeof key, "%s/%s", scratch.root, _i == 0 ? "signing-keys" : "push-key");
    spit(key, "", 0);
    ck_assert(sqlite_store_missing(scratch.folder, scratch.root));
    prepare();
    ck_assert(!sqlite_store_missing(scratch.folder, scratch.root));
    ck_assert_int_eq(run_killed(2), 9);
    ck_assert(!is_there(""));
    ck_assert(!sqlite_store_missing(scratch.folder, scratch.root));
}
END_TEST

/* A copy put over the file by hand, and the log forgotten: SQLite would play it into the copy. */
START_TEST(a_forgotten_log_is_told)
{
    struct sqlite_store *store;
    const struct store_check check = {.live = {0}};
    size_t len;
    prepare();
    unsigned char *bytes = slurp(copy, &len);
    spit(scratch.file, bytes, len);
    free(bytes);
    ck_assert_int_eq(sqlite_store_open(scratch.folder, &store, message), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(message, "that of another store"));
    ck_assert_int_eq(sqlite_store_check(scratch.file, &check, message), STORE_CORRUPT);
    ck_assert_int_eq(restore(), STORE_OK);
    holds(true);
}
END_TEST

/* A first start that is killed leaves no empty file that the next one refuses. */
START_TEST(a_new_store_is_whole_or_not_there)
{
    for (int after = 0;; after++) {
        int status;
        scratch_release(&scratch);
        scratch_init(&scratch);
        const pid_t child = fork();
        if (child == 0) {
            struct sqlite_store *store;
            renames_left = after;
            _exit(sqlite_store_open(scratch.folder, &store, message) == STORE_OK ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        struct stat found;
        ck_assert(stat(scratch.file, &found) != 0 || found.st_size > 0);
        sqlite_store_close(scratch_open_loaded(&scratch));
        if (WEXITSTATUS(status) == 0)
            break;
    }
}
END_TEST

void add_restore_tests(TCase *tests)
{
    tcase_add_test(tests, a_copy_takes_the_place_of_a_store_with_its_log);
    tcase_add_loop_test(tests, a_copy_is_restored_where_no_store_is, 0, 4);
    tcase_add_test(tests, what_is_restored_belongs_to_whom_the_folder_does);
    tcase_add_loop_test(tests, a_restore_that_is_killed_is_done_or_not_begun, 0, 2);
    tcase_add_test(tests, a_store_that_is_used_is_not_replaced);
    tcase_add_test(tests, what_cannot_be_restored_changes_nothing);
    tcase_add_test(tests, stores_from_before_are_never_overwritten);
    tcase_add_loop_test(tests, an_empty_file_is_not_opened_as_a_new_store, 0, 4);
    tcase_add_loop_test(tests, a_store_that_is_lost_is_told_from_a_new_one, 0, 2);
    tcase_add_test(tests, a_forgotten_log_is_told);
    tcase_add_test(tests, a_new_store_is_whole_or_not_there);
}
