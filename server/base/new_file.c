#define _GNU_SOURCE /* renameat2 */

#include <base/new_file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART ".part-"

/* What SQLite may leave beside a database. */
static const char *const beside[] = {"-journal", "-wal", "-shm", ""};
enum { BESIDE = sizeof beside / sizeof beside[0], BESIDE_BYTES = 8 };

/* For a signal: the part that is written, and what may lie beside it. */
static char leftovers[BESIDE][NEW_FILE_PATH_SIZE];
static atomic_bool writing;
static bool dropping; /* by signals: then it is noted */

/* ---- what others have left */

static bool folder_of(char folder[NEW_FILE_PATH_SIZE], const char *path)
{
    const char *slash = strrchr(path, '/');
    const int len = slash ? snprintf(folder, NEW_FILE_PATH_SIZE, "%.*s",
                                     slash == path ? 1 : (int)(slash - path), path)
                          : snprintf(folder, NEW_FILE_PATH_SIZE, ".");
    return len > 0 && len < NEW_FILE_PATH_SIZE;
}

/* The process in NAME.part-PROCESS, with or without what SQLite adds; 0: it is no such name. */
static pid_t process_of(const char *entry, const char *name, size_t name_len)
{
    char *end;
    if (strncmp(entry, name, name_len) != 0 ||
        strncmp(entry + name_len, PART, sizeof PART - 1) != 0)
        return 0;
    const char *digits = entry + name_len + sizeof PART - 1;
    if (*digits < '1' || *digits > '9')
        return 0;
    const long process = strtol(digits, &end, 10);
    for (size_t i = 0; i < BESIDE; i++) {
        if (strcmp(end, beside[i]) == 0)
            return (pid_t)process;
    }
    return 0;
}

/* Our own number on a part is that of an earlier process, as we write none yet. */
static bool is_gone(pid_t process)
{
    return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH);
}

static void remove_leftovers(const char *path)
{
    char folder[NEW_FILE_PATH_SIZE];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    DIR *entries = folder_of(folder, path) ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const pid_t process = process_of(entry->d_name, name, strlen(name));
        if (process > 0 && is_gone(process))
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

/* ---- signals */

static void drop_and_end(int number)
{
    for (size_t i = 0; i < BESIDE && atomic_load(&writing); i++)
        (void)unlink(leftovers[i]);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void new_file_drop_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction drop = {.sa_handler = drop_and_end}, before;
    sigemptyset(&drop.sa_mask);
    dropping = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &drop, NULL);
    }
}

static void note_part(const char *part)
{
    for (size_t i = 0; i < BESIDE && dropping; i++)
        (void)snprintf(leftovers[i], sizeof leftovers[i], "%.*s%s",
                       NEW_FILE_PATH_SIZE - BESIDE_BYTES - 1, part, beside[i]);
    atomic_store(&writing, dropping);
}

/* ---- a file */

bool new_file_begin(struct new_file *file, const char *path, mode_t mode)
{
    const int len = snprintf(file->part, NEW_FILE_PATH_SIZE - BESIDE_BYTES, "%s" PART "%ld", path,
                             (long)getpid());
    file->fd = -1;
    if (len < 0 || len >= NEW_FILE_PATH_SIZE - BESIDE_BYTES) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(file->path, path, strlen(path) + 1);
    remove_leftovers(path);
    file->fd = open(file->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file->fd < 0)
        return false;
    note_part(file->part);
    return true;
}

bool new_file_write(struct new_file *file, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        const ssize_t written = write(file->fd, at, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            new_file_drop(file);
            return false;
        }
        at += written;
        len -= (size_t)written;
    }
    return true;
}

static void close_part(struct new_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
    atomic_store(&writing, false);
}

void new_file_drop(struct new_file *file)
{
    const int error = errno;
    char path[NEW_FILE_PATH_SIZE + BESIDE_BYTES];
    for (size_t i = 0; file->fd >= 0 && i < BESIDE; i++) {
        (void)snprintf(path, sizeof path, "%s%s", file->part, beside[i]);
        (void)unlink(path);
    }
    close_part(file);
    errno = error;
}

/* ---- putting it in its place */

/* The file system cannot do it, whatever the names. */
static bool is_unknown(int error)
{
    return error == EINVAL || error == ENOSYS || error == EPERM || error == EOPNOTSUPP ||
           error == EMLINK;
}

static bool refuse(int fd, int error)
{
    if (fd >= 0)
        close(fd);
    errno = error;
    return false;
}

/* The file at that path still, and empty. */
static bool is_claim(int fd, const char *path)
{
    struct stat held, found;
    return fstat(fd, &held) == 0 && lstat(path, &found) == 0 && S_ISREG(held.st_mode) &&
           held.st_size == 0 && held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

/* A claim is held by its lock: who holds it may rename over it. Where there are no locks nobody
 * takes one for left behind. */
static bool move_over_claim(const char *part, const char *path, int fd)
{
    const bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (locked ? !is_claim(fd, path) : errno == EWOULDBLOCK)
        return refuse(fd, EEXIST);
    if (rename(part, path) != 0) {
        const int error = errno;
        (void)unlink(path);
        return refuse(fd, error);
    }
    close(fd);
    return true;
}

/* Where there are neither such renames nor links, an empty file holds the place meanwhile. */
static bool move_claiming(const char *part, const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    return fd >= 0 && move_over_claim(part, path, fd);
}

static bool knows_links(const char *part)
{
    char other[NEW_FILE_PATH_SIZE + BESIDE_BYTES];
    (void)snprintf(other, sizeof other, "%s%s", part, beside[0]);
    if (link(part, other) != 0)
        return !is_unknown(errno);
    (void)unlink(other);
    return true;
}

/* Somebody who has claimed the place may have been killed before the rename. */
static bool move_over_left(const char *part, const char *path)
{
    if (knows_links(part))
        return refuse(-1, EEXIST);
    const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
        return refuse(fd, EEXIST);
    return move_over_claim(part, path, fd);
}

static bool move_beside(const char *part, const char *path)
{
    if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EEXIST)
        return move_over_left(part, path);
    if (!is_unknown(errno))
        return false;
    if (link(part, path) == 0)
        return unlink(part) == 0;
    return is_unknown(errno) && move_claiming(part, path);
}

bool new_file_sync_folder(const char *path)
{
    char folder[NEW_FILE_PATH_SIZE];
    if (!folder_of(folder, path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: a file system that knows no such thing. */
    const bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return synced;
}

bool new_file_keep(struct new_file *file, enum new_file_over over)
{
    const bool moved =
        fsync(file->fd) == 0 && (over == NEW_FILE_REPLACE ? rename(file->part, file->path) == 0
                                                          : move_beside(file->part, file->path));
    if (!moved) {
        new_file_drop(file);
        return false;
    }
    close_part(file);
    return new_file_sync_folder(file->path);
}

bool new_file_make(const char *path, const void *bytes, size_t len, mode_t mode,
                   enum new_file_over over)
{
    struct new_file file;
    return new_file_begin(&file, path, mode) && new_file_write(&file, bytes, len) &&
           new_file_keep(&file, over);
}
