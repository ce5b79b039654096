#define _XOPEN_SOURCE 700 /* realpath */

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* EFBIG is a limit on the size of files (RLIMIT_FSIZE, or the file system's own). */
bool files_out_of_space(int system_errno)
{
    return system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG;
}

enum store_result files_fail(const char *what, const char *path, char message[STORE_MESSAGE_MAX])
{
    int error = errno;
    snprintf(message, STORE_MESSAGE_MAX, "%s %.300s: %s", what, path, strerror(error));
    return files_out_of_space(error) ? STORE_FULL : STORE_FAILED;
}

bool files_join(char path[FILES_PATH_SIZE], const char *directory, const char *name)
{
    int len = snprintf(path, FILES_PATH_SIZE, "%s/%s", directory, name);
    if (len > 0 && len < FILES_PATH_SIZE)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool files_resolve(char resolved[FILES_PATH_SIZE], const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[FILES_PATH_SIZE] = ".";
    if (strlen(path) >= sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash + 1 - path), path);
    char *real = realpath(folder, NULL);
    bool fits = real && files_join(resolved, real, slash ? slash + 1 : path);
    free(real);
    return fits;
}

enum store_result files_make_directory(const char *directory, char message[STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    if (!*directory || !files_join(path, directory, "")) {
        snprintf(message, STORE_MESSAGE_MAX, "the store's folder has no usable name");
        return STORE_FAILED;
    }
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        int made = mkdir(path, 0700);
        *slash = '/';
        if (made != 0 && errno != EEXIST)
            return files_fail("making the folder", directory, message);
    }
    struct stat status;
    if (stat(directory, &status) != 0)
        return files_fail("making the folder", directory, message);
    if (!S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return files_fail("opening the folder", directory, message);
    }
    return STORE_OK;
}

bool files_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* SQLite's smallest page: a file that is shorter it takes for an empty one, and writes over it. */
enum { STORE_LEAST_BYTES = 512 };

static bool has_bytes(const char *path, off_t least)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size >= least;
}

bool files_has_log(const char *path)
{
    char log[FILES_PATH_SIZE];
    return snprintf(log, sizeof log, "%s-wal", path) < (int)sizeof log && has_bytes(log, 1);
}

/*
 * While a server uses a store, SQLite notes in the file's head that there is a log. A copy that
 * was made by a backup has no such note: a log beside it is that of the store which was there
 * before, and SQLite would play it into the copy. The file of a server that was stopped or killed
 * has the note: whether a log is its own cannot be told, as the file does not change from when a
 * server opens it until that moves its log into it for the first time.
 */
static bool knows_of_log(const char *path)
{
    enum { HEAD_BYTES = 20, READS = 19, WITH_LOG = 2 };
    unsigned char head[HEAD_BYTES];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const ssize_t len = fd >= 0 ? read(fd, head, sizeof head) : -1;
    if (fd >= 0)
        close(fd);
    return len < HEAD_BYTES || head[READS] == WITH_LOG; /* else it is told otherwise */
}

static enum store_result not_whole(const char *path, const char *why,
                                   char message[STORE_MESSAGE_MAX])
{
    snprintf(message, STORE_MESSAGE_MAX, "%.300s %s", path, why);
    return STORE_CORRUPT;
}

enum store_result files_check_whole(const char *path, char message[STORE_MESSAGE_MAX])
{
    const bool log = files_has_log(path);
    if (log && !has_bytes(path, STORE_LEAST_BYTES))
        return not_whole(path,
                         "is missing or empty, but its log (-wal) is there: put the file back, or "
                         "restore a backup with `taluvad restore`",
                         message);
    if (files_exists(path) && !has_bytes(path, STORE_LEAST_BYTES))
        return not_whole(path,
                         "is empty or cut short, which a store never is: restore a backup with "
                         "`taluvad restore`, or remove the file if there is nothing to lose",
                         message);
    if (log && !knows_of_log(path))
        return not_whole(path,
                         "is a copy, and the log beside it (-wal) is that of another store: move "
                         "the log away, and use `taluvad restore`, which does so",
                         message);
    return STORE_OK;
}

/* The process that holds the lock, or 0 if it has just let go of it. */
static long lock_owner(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return 0;
    return (long)lock.l_pid;
}

enum store_result files_lock(const char *directory, int *fd, char message[STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    if (!files_join(path, directory, "lock"))
        return files_fail("locking", directory, message);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0)
        return files_fail("opening", path, message);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(*fd, F_SETLK, &lock) == 0)
        return STORE_OK;
    if (errno != EACCES && errno != EAGAIN)
        return files_fail("locking", path, message);
    snprintf(message, STORE_MESSAGE_MAX, "another server (process %ld) uses the store in %.300s",
             lock_owner(*fd), directory);
    return STORE_FENCED;
}

enum store_result store_folder_take(const char *directory, int *lock_fd,
                                    char message[static STORE_MESSAGE_MAX])
{
    const enum store_result result = files_make_directory(directory, message);
    return result == STORE_OK ? files_lock(directory, lock_fd, message) : result;
}

enum store_result files_keep_out(const char *path, int *fd, char message[STORE_MESSAGE_MAX])
{
    char copy[FILES_PATH_SIZE], lock_path[FILES_PATH_SIZE];
    snprintf(copy, sizeof copy, "%s", path);
    if (strcmp(basename(copy), STORE_FILE) != 0)
        return STORE_OK; /* a backup, wherever it lies */
    snprintf(copy, sizeof copy, "%s", path);
    const char *directory = dirname(copy);
    if (!files_join(lock_path, directory, "lock"))
        return files_fail("locking", directory, message);
    *fd = open(lock_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (*fd < 0)
        return errno == ENOENT ? STORE_OK : files_fail("opening", lock_path, message);
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    if (fcntl(*fd, F_SETLK, &lock) == 0)
        return STORE_OK;
    if (errno != EACCES && errno != EAGAIN)
        return files_fail("locking", lock_path, message);
    snprintf(message, STORE_MESSAGE_MAX,
             "a server (process %ld) uses the store in %.300s: check a backup of it, or stop it",
             lock_owner(*fd), directory);
    return STORE_FENCED;
}

enum store_result files_begin(struct new_file *file, const char *path,
                              char message[STORE_MESSAGE_MAX])
{
    return new_file_begin(file, path, 0600) ? STORE_OK : files_fail("writing", path, message);
}

enum store_result files_keep(struct new_file *file, enum new_file_over over,
                             char message[STORE_MESSAGE_MAX])
{
    return new_file_keep(file, over) ? STORE_OK : files_fail("writing", file->path, message);
}

enum store_result files_write(const char *path, const void *bytes, size_t len,
                              enum new_file_over over, char message[STORE_MESSAGE_MAX])
{
    return new_file_make(path, bytes, len, 0600, over) ? STORE_OK
                                                       : files_fail("writing", path, message);
}
