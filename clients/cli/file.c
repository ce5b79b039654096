#include <cli/file.h>

#include <base/new_file.h>
#include <cli/encoding.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool say_problem(const char *path, const char *why)
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
        return say_problem(path, strerror(errno));
    bool done = read_all(file, in);
    int error = errno;
    if (!is_stdin)
        fclose(in);
    if (done)
        return true;
    file_release(file);
    return say_problem(path, strerror(error));
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

bool file_replace(const char *path, const void *bytes, size_t len, bool is_private)
{
    return new_file_make(path, bytes, len, is_private ? 0600 : 0666, NEW_FILE_REPLACE);
}

bool file_create(const char *path, const void *bytes, size_t len)
{
    return new_file_make(path, bytes, len, 0666, NEW_FILE_REFUSE);
}

bool file_may_create(const char *path)
{
    struct new_file file;
    struct stat status;
    if (lstat(path, &status) == 0) {
        errno = EEXIST;
        return false;
    }
    if (!new_file_begin(&file, path, 0666))
        return false;
    new_file_drop(&file);
    return true;
}
