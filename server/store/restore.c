#include "restore.h"

#include "database.h"
#include "files.h"
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <store/push_key.h>
#include <store/signing.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stores that were replaced are kept until the operator deletes them. */
enum { KEPT_MAX = 99 };

/* What belongs to a store's file. The index of the log (-shm) is made anew. */
static const char *const logs[] = {"-wal", "-journal"};
enum { LOGS = sizeof logs / sizeof logs[0], LOG_BYTES = 16 };

/* directory/taluva.db.WORD-N */
static bool numbered_path(char path[FILES_PATH_SIZE], const char *directory, const char *word,
                          int number)
{
    char name[64];
    snprintf(name, sizeof name, STORE_FILE ".%s-%d", word, number);
    return files_join(path, directory, name);
}

static void with_log(char out[FILES_PATH_SIZE + LOG_BYTES], const char *path, size_t log)
{
    snprintf(out, FILES_PATH_SIZE + LOG_BYTES, "%s%s", path, logs[log]);
}

/* ---- finishing one that is decided */

/* The number of what is to be put in place; 0: nothing is. */
static int number_decided(const char *directory)
{
    char path[FILES_PATH_SIZE];
    for (int number = 1; number <= KEPT_MAX; number++) {
        if (numbered_path(path, directory, "restored", number) && files_exists(path))
            return number;
    }
    return 0;
}

static enum store_result move_away(const char *from, const char *to,
                                   char message[STORE_MESSAGE_MAX])
{
    if (!files_exists(from))
        return STORE_OK;
    if (files_exists(to)) {
        errno = EEXIST;
        return files_fail("moving the store before to", to, message);
    }
    return rename(from, to) == 0 ? STORE_OK : files_fail("moving away", from, message);
}

/* The store goes before its logs: without a store nobody takes them for those of another one. */
static enum store_result move_store_away(const char *store, const char *before,
                                         char message[STORE_MESSAGE_MAX])
{
    char from[FILES_PATH_SIZE + LOG_BYTES], to[FILES_PATH_SIZE + LOG_BYTES];
    enum store_result result = move_away(store, before, message);
    for (size_t i = 0; result == STORE_OK && i < LOGS; i++) {
        with_log(from, store, i);
        with_log(to, before, i);
        result = move_away(from, to, message);
    }
    snprintf(from, sizeof from, "%s-shm", store);
    if (result == STORE_OK && unlink(from) != 0 && errno != ENOENT)
        result = files_fail("removing", from, message);
    if (result == STORE_OK && !new_file_sync_folder(store))
        result = files_fail("syncing the folder of", store, message);
    return result;
}

enum store_result restore_finish(const char *directory, char message[STORE_MESSAGE_MAX])
{
    char store[FILES_PATH_SIZE], ready[FILES_PATH_SIZE], before[FILES_PATH_SIZE];
    const int number = number_decided(directory);
    if (number == 0)
        return STORE_OK;
    if (!files_join(store, directory, STORE_FILE) ||
        !numbered_path(ready, directory, "restored", number) ||
        !numbered_path(before, directory, "before", number))
        return files_fail("restoring", directory, message);
    const enum store_result result = move_store_away(store, before, message);
    if (result != STORE_OK)
        return result;
    if (rename(ready, store) != 0 || !new_file_sync_folder(store))
        return files_fail("restoring", store, message);
    return STORE_OK;
}

enum store_result restore_check_done(const char *path, char message[STORE_MESSAGE_MAX])
{
    char name[FILES_PATH_SIZE], folder[FILES_PATH_SIZE];
    snprintf(name, sizeof name, "%s", path);
    snprintf(folder, sizeof folder, "%s", path);
    if (strcmp(basename(name), STORE_FILE) != 0 || number_decided(dirname(folder)) == 0)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX,
             "%.300s is being restored, and that was cut short: the next start of the server or "
             "`taluvad restore` finishes it",
             path);
    return STORE_REFUSED;
}

static bool has_file(const char *directory, const char *name)
{
    char path[FILES_PATH_SIZE];
    return files_join(path, directory, name) && files_exists(path);
}

bool sqlite_store_missing(const char *directory, const char *keys)
{
    return !has_file(directory, STORE_FILE) && number_decided(directory) == 0 &&
           (has_file(keys, SIGNING_FILE) || has_file(keys, PUSH_KEY_FILE));
}

/* ---- deciding one */

/* A number that nothing was kept under; 0: there is none. */
static int free_number(const char *directory)
{
    char path[FILES_PATH_SIZE], log[FILES_PATH_SIZE + LOG_BYTES];
    for (int number = 1; number <= KEPT_MAX; number++) {
        if (!numbered_path(path, directory, "before", number))
            return 0;
        bool taken = files_exists(path);
        for (size_t i = 0; i < LOGS && !taken; i++) {
            with_log(log, path, i);
            taken = files_exists(log);
        }
        if (!taken)
            return number;
    }
    return 0;
}

static enum store_result check_other(const char *copy, const char *store,
                                     char message[STORE_MESSAGE_MAX])
{
    struct stat here, there;
    if (stat(copy, &there) != 0)
        return files_fail("reading", copy, message);
    if (stat(store, &here) != 0 || here.st_dev != there.st_dev || here.st_ino != there.st_ino)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "%.300s is the store itself", copy);
    return STORE_REFUSED;
}

/* Root restores for the service's user, whose the folder is. */
static bool give_to_owner(int fd, const char *directory)
{
    struct stat status;
    if (geteuid() != 0)
        return true;
    return stat(directory, &status) == 0 && fchown(fd, status.st_uid, status.st_gid) == 0;
}

static enum store_result fill_file(const struct new_file *file, const char *copy,
                                   const char *directory, char message[STORE_MESSAGE_MAX])
{
    sqlite3 *source = NULL;
    enum store_result result = database_open_unchanged(copy, &source, message);
    if (result == STORE_OK)
        result = database_copy_into(file->part, source, message);
    sqlite3_close(source);
    if (result == STORE_OK && !give_to_owner(file->fd, directory))
        result = files_fail("writing", file->part, message);
    return result;
}

static enum store_result decide_on(const char *directory, const char *copy, int number,
                                   char message[STORE_MESSAGE_MAX])
{
    char ready[FILES_PATH_SIZE];
    struct new_file file;
    if (number == 0 || !numbered_path(ready, directory, "restored", number)) {
        snprintf(message, STORE_MESSAGE_MAX,
                 "%.300s has %d stores from before (" STORE_FILE ".before-N): remove some",
                 directory, KEPT_MAX);
        return STORE_FAILED;
    }
    enum store_result result = files_begin(&file, ready, message);
    if (result != STORE_OK)
        return result;
    result = fill_file(&file, copy, directory, message);
    if (result == STORE_OK)
        return files_keep(&file, NEW_FILE_REFUSE, message);
    new_file_drop(&file);
    return result;
}

static enum store_result restore_locked(const char *directory, const char *copy,
                                        char before[static STORE_PATH_MAX],
                                        char message[STORE_MESSAGE_MAX])
{
    char store[FILES_PATH_SIZE];
    if (!files_join(store, directory, STORE_FILE))
        return files_fail("restoring", directory, message);
    enum store_result result = restore_finish(directory, message);
    if (result == STORE_OK)
        result = check_other(copy, store, message);
    const int number = free_number(directory);
    if (result == STORE_OK)
        result = decide_on(directory, copy, number, message);
    if (result == STORE_OK)
        result = restore_finish(directory, message);
    if (result == STORE_OK &&
        (!numbered_path(before, directory, "before", number) || !files_exists(before)))
        before[0] = '\0';
    return result;
}

enum store_result sqlite_store_restore(const char *directory, const char *copy,
                                       char before[static STORE_PATH_MAX],
                                       char message[static STORE_MESSAGE_MAX])
{
    int lock = -1;
    before[0] = '\0';
    enum store_result result = store_folder_take(directory, &lock, message);
    if (result == STORE_OK && !give_to_owner(lock, directory))
        result = files_fail("locking", directory, message);
    if (result == STORE_OK)
        result = restore_locked(directory, copy, before, message);
    if (lock >= 0)
        close(lock);
    return result;
}
