#include "admin_audit.h"

#include <errno.h>
#include <fcntl.h>
#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 16384 };

static void write_time(struct writer *writer)
{
    struct timespec now;
    struct tm utc;
    char text[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    const size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + len, sizeof text - len, ".%03dZ", (int)(now.tv_nsec / 1000000));
    writer_key_string(writer, "time", text);
}

static void write_who(struct writer *writer, const struct admin_who *who)
{
    if (who->moderator) {
        writer_key_string(writer, "moderator", who->moderator);
        writer_key_id(writer, "session", who->session);
        return;
    }
    writer_key_int(writer, "uid", who->uid);
    writer_key_int(writer, "pid", who->pid);
    if (who->user[0])
        writer_key_string(writer, "user", who->user);
}

static void make_line(struct buffer *line, const struct admin_who *who,
                      const struct admin_request *request, const char *result)
{
    struct writer writer;
    writer_init(&writer, line);
    writer_object(&writer);
    write_time(&writer);
    write_who(&writer, who);
    admin_request_write(request, &writer);
    writer_key_string(&writer, "result", result);
    writer_end(&writer);
    buffer_append_byte(line, '\n');
}

/* What cannot be synced (a pipe, a device) has no disk to wait for. */
static bool reach_disk(int fd)
{
    return fdatasync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* 0, or the error. */
static int append_line(int fd, const struct buffer *line)
{
    struct stat before;
    if (fstat(fd, &before) != 0)
        return errno;
    errno = 0;
    const ssize_t written = write(fd, buffer_payload(line), line->len);
    if (written == (ssize_t)line->len && reach_disk(fd))
        return 0;
    const int error = errno ? errno : ENOSPC; /* a part was written: there was no room for all */
    if (S_ISREG(before.st_mode) && ftruncate(fd, before.st_size) != 0)
        return errno;
    return error;
}

bool admin_audit(const char *path, const struct admin_who *who, const struct admin_request *request,
                 const char *result, const char **why)
{
    struct buffer line;
    int error = ENOMEM;
    buffer_init(&line, 0, LINE_BYTES);
    make_line(&line, who, request, result);
    const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                        S_IRUSR | S_IWUSR);
    if (fd < 0)
        error = errno;
    else if (!line.failed)
        error = append_line(fd, &line);
    if (fd >= 0)
        close(fd);
    buffer_release(&line);
    *why = error ? strerror(error) : "";
    return error == 0;
}
