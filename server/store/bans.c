#include <store/bans.h>

#include "files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The length, or -1 and errno. */
static ssize_t read_all(int fd, char *text, size_t size)
{
    size_t len = 0;
    while (len < size) {
        const ssize_t count = read(fd, text + len, size - len);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        len += (size_t)count;
    }
    return (ssize_t)len;
}

static enum store_result load_text(int fd, const char *path, char **text, size_t *len,
                                   char message[static STORE_MESSAGE_MAX])
{
    char *bytes = malloc(BANS_BYTES_MAX + 1);
    const ssize_t count = bytes ? read_all(fd, bytes, BANS_BYTES_MAX + 1) : -1;
    if (count < 0 || count > BANS_BYTES_MAX) {
        errno = count < 0 ? errno : EFBIG;
        free(bytes);
        return count < 0 ? files_fail("reading", path, message)
                         : (files_fail("reading", path, message), STORE_CORRUPT);
    }
    *text = bytes;
    *len = (size_t)count;
    return STORE_OK;
}

enum store_result bans_load(const char *directory, char **text, size_t *len,
                            char message[static STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    *text = NULL;
    *len = 0;
    if (!files_join(path, directory, BANS_FILE))
        return files_fail("opening", directory, message);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? STORE_OK : files_fail("opening", path, message);
    const enum store_result result = load_text(fd, path, text, len, message);
    close(fd);
    return result;
}
