#define _GNU_SOURCE /* statx */
#include "moved.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/*
 * The times are not asked for: who asks for them makes the kernel note a finer one at the next
 * write, which the file system then has to write too.
 *
 * A file that was not there yet is taken as it is when it is seen first.
 */
static bool is_in_place(const char *path, struct file_identity *identity, int64_t *size)
{
    struct statx status;
    *size = 0;
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_SIZE, &status) != 0)
        return identity->inode == 0;
    *size = (int64_t)status.stx_size;
    const dev_t device = makedev(status.stx_dev_major, status.stx_dev_minor);
    if (identity->inode == 0)
        *identity = (struct file_identity){device, status.stx_ino};
    return identity->inode == status.stx_ino && identity->device == device;
}

bool store_files_init(struct store_files *files, const char *path)
{
    int64_t ignored;
    int len = snprintf(files->log_path, sizeof files->log_path, "%s-wal", path);
    if (len < 0 || len >= (int)sizeof files->log_path)
        return false;
    snprintf(files->path, sizeof files->path, "%s", path);
    is_in_place(files->path, &files->file, &ignored);
    is_in_place(files->log_path, &files->log, &ignored);
    return true;
}

static enum store_result fail_at(const char *path, const char *what,
                                 char message[STORE_MESSAGE_MAX])
{
    snprintf(message, STORE_MESSAGE_MAX, "%.300s %s", path, what);
    return STORE_FAILED;
}

enum store_result store_files_check(struct store_files *files, int64_t log_bytes,
                                    char message[STORE_MESSAGE_MAX])
{
    static const char gone[] = "was moved away, replaced or deleted: put it back";
    int64_t size;
    if (!files->path[0])
        return STORE_OK;
    if (!is_in_place(files->path, &files->file, &size))
        return fail_at(files->path, gone, message);
    if (!is_in_place(files->log_path, &files->log, &size))
        return fail_at(files->log_path, gone, message);
    if (size < log_bytes)
        return fail_at(files->log_path, "was cut while the server was using it", message);
    return STORE_OK;
}
