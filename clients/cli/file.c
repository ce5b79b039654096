#include <cli/file.h>

#include <cli/encoding.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail(const char *path, const char *why)
{
    fprintf(stderr, "taluva: %s: %s\n", path, why);
    return false;
}

/* All that is read is text, and some editors mark it as such. */
static void drop_mark(struct file *file)
{
    const char *text = encoding_skip_mark(file->bytes, file->len);
    file->len -= (size_t)(text - file->bytes);
    memmove(file->bytes, text, file->len + 1);
}

static bool read_all(struct file *file, FILE *in)
{
    size_t size = 0;
    while (!feof(in) && !ferror(in)) {
        if (file->len + 1 >= size) {
            size = size ? 2 * size : 65536;
            char *more = size <= FILE_BYTES_MAX ? realloc(file->bytes, size) : NULL;
            if (!more) {
                errno = size <= FILE_BYTES_MAX ? ENOMEM : EFBIG;
                return false;
            }
            file->bytes = more;
        }
        file->len += fread(file->bytes + file->len, 1, size - file->len - 1, in);
    }
    if (ferror(in))
        return false;
    file->bytes[file->len] = '\0';
    drop_mark(file);
    return true;
}

bool file_read(struct file *file, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *file = (struct file){0};
    FILE *in = is_stdin ? stdin : fopen(path, "rb");
    if (!in)
        return fail(path, strerror(errno));
    bool done = read_all(file, in);
    int error = errno;
    if (!is_stdin)
        fclose(in);
    if (done)
        return true;
    file_release(file);
    return fail(path, strerror(error));
}

void file_release(struct file *file)
{
    free(file->bytes);
    *file = (struct file){0};
}

static bool ends_with_crlf(const struct file *file)
{
    size_t feeds = 0;
    for (size_t i = 0; i < file->len; i++) {
        feeds += file->bytes[i] == '\n';
        if (file->bytes[i] == '\n' && (i == 0 || file->bytes[i - 1] != '\r'))
            return false;
        if (file->bytes[i] == '\r' && (i + 1 == file->len || file->bytes[i + 1] != '\n'))
            return false;
    }
    return feeds > 0;
}

void file_unix_lines(struct file *file)
{
    size_t len = 0;
    if (!ends_with_crlf(file))
        return;
    for (size_t i = 0; i < file->len; i++) {
        if (file->bytes[i] != '\r')
            file->bytes[len++] = file->bytes[i];
    }
    file->bytes[len] = '\0';
    file->len = len;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, bytes, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        len -= (size_t)written;
    }
    return true;
}

bool file_replace(const char *path, const void *bytes, size_t len, bool is_private)
{
    char temporary[4096];
    int length = snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    unlink(temporary); /* of an earlier process that had our number and died */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
    if (fd < 0)
        return false;
    bool done = write_all(fd, bytes, len) && fsync(fd) == 0;
    done = close(fd) == 0 && done;
    if (done && rename(temporary, path) == 0)
        return true;
    int error = errno;
    unlink(temporary);
    errno = error;
    return false;
}

bool file_create(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool done = write_all(fd, bytes, len) && fsync(fd) == 0;
    done = close(fd) == 0 && done;
    if (done)
        return true;
    int error = errno;
    unlink(path);
    errno = error;
    return false;
}

bool file_may_create(const char *path)
{
    return file_create(path, "", 0) && unlink(path) == 0;
}
