#include "ask.h"

#include "table.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1, READ_BYTES = 16384, BUSY_TRIES = 50, BUSY_PAUSE_MS = 100 };

/* ---- the socket */

static const char service_path[] = "/run/taluva/admin.sock";

/* Where a server puts it that no systemd has started. */
static bool home_path(char path[static ASK_PATH_MAX])
{
    const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int len = 0;
    if (xdg && *xdg == '/')
        len = snprintf(path, ASK_PATH_MAX, "%s/taluva/admin.sock", xdg);
    else if (home && *home == '/')
        len = snprintf(path, ASK_PATH_MAX, "%s/.local/state/taluva/admin.sock", home);
    return len > 0 && len < ASK_PATH_MAX;
}

static int connect_to(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    return connect(fd, (const struct sockaddr *)&address, sizeof address);
}

static int say_unreachable(const char *path)
{
    const int error = errno;
    char shown[TABLE_CELL_BYTES];
    (void)table_escape(shown, path);
    if (error == EACCES || error == EPERM) {
        (void)fprintf(stderr,
                      "taluva-admin: %s: not allowed; root may ask, and members of the group of "
                      "the server\n",
                      shown);
        return EX_NOPERM;
    }
    const char *why = error == ENOENT || error == ECONNREFUSED ? "no server listens there"
                      : error == EAGAIN                        ? "the server does not answer"
                                                               : strerror(error);
    (void)fprintf(stderr,
                  "taluva-admin: %s: %s; start taluvad, or name its socket with --socket "
                  "(taluvad --admin)\n",
                  shown, why);
    return EX_UNAVAILABLE;
}

static int connect_somewhere(int fd, const char *path)
{
    char home[ASK_PATH_MAX];
    if (path)
        return connect_to(fd, path) == 0 ? 0 : say_unreachable(path);
    if (connect_to(fd, service_path) == 0)
        return 0;
    if (errno != ENOENT || !home_path(home))
        return say_unreachable(service_path);
    return connect_to(fd, home) == 0 ? 0 : say_unreachable(home);
}

/* ---- lines */

static int say_broken(const char *why)
{
    (void)fprintf(stderr, "taluva-admin: the server %s\n", why);
    return EX_UNAVAILABLE;
}

static bool reserve_line(struct asker *asker)
{
    if (asker->size - asker->len >= READ_BYTES)
        return true;
    const size_t size = asker->size * 2 + READ_BYTES;
    char *line = size <= ASK_ANSWER_MAX ? realloc(asker->line, size) : NULL;
    if (!line)
        return false;
    asker->line = line;
    asker->size = size;
    return true;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* False: it was too long. A server that sends a byte now and then has not answered either. */
static bool wait_for_bytes(const struct asker *asker, int64_t until_ms)
{
    struct pollfd readable = {.fd = asker->fd, .events = POLLIN};
    int ready;
    do {
        const int64_t left_ms = until_ms - now_ms();
        ready = left_ms > 0 ? poll(&readable, 1, (int)left_ms) : 0;
    } while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* One line as JSON; a server sends no second one that it was not asked for. */
static int receive_line(struct asker *asker, json_t **value)
{
    const int64_t until_ms = now_ms() + asker->patience_s * INT64_C(1000);
    asker->len = 0;
    while (asker->len == 0 || asker->line[asker->len - 1] != '\n') {
        if (!reserve_line(asker))
            return say_broken("sends too much");
        if (!wait_for_bytes(asker, until_ms))
            return say_broken("does not answer");
        const ssize_t count = recv(asker->fd, asker->line + asker->len, READ_BYTES, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return say_broken("has closed the connection");
        if (count == 0)
            return say_broken("has closed the connection");
        asker->len += (size_t)count;
    }
    *value = json_loadb(asker->line, asker->len, 0, NULL);
    return json_is_object(*value) ? 0 : say_broken("sends something else than answers");
}

static int send_request(const struct asker *asker, const json_t *request)
{
    char *text = json_dumps(request, JSON_COMPACT);
    size_t len = text ? strlen(text) : 0;
    if (!text) {
        (void)fprintf(stderr, "taluva-admin: out of memory\n");
        return EX_OSERR;
    }
    text[len++] = '\n'; /* where its end was marked */
    size_t sent = 0;
    while (sent < len) {
        const ssize_t count = send(asker->fd, text + sent, len - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            break;
        sent += count > 0 ? (size_t)count : 0;
    }
    const int error = errno;
    free(text);
    errno = error;
    if (sent == len)
        return 0;
    return say_broken(errno == EAGAIN ? "does not answer" : "has closed the connection");
}

/* ---- asking */

int ask_open(struct asker *asker, const char *path, int patience_s)
{
    const struct timeval patience = {.tv_sec = patience_s};
    json_t *greeting = NULL;
    *asker = (struct asker){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                            .patience_s = patience_s};
    if (asker->fd < 0) {
        perror("taluva-admin");
        return EX_OSERR;
    }
    setsockopt(asker->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    int status = connect_somewhere(asker->fd, path);
    if (status == 0)
        status = receive_line(asker, &greeting);
    if (status == 0 && json_integer_value(json_object_get(greeting, "taluva_admin")) != VERSION) {
        (void)fprintf(stderr, "taluva-admin: this is no server of this version\n");
        status = EX_PROTOCOL;
    }
    json_decref(greeting);
    return status;
}

void ask_close(struct asker *asker)
{
    if (asker->fd >= 0)
        close(asker->fd);
    free(asker->line);
}

/* What may go well later is told apart from what will not. */
static int status_of(const char *code)
{
    static const char *const later[] = {"store_failing", "audit_failing",  "busy",
                                        "no_part",       "not_everywhere", "internal"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strcmp(code, later[i]) == 0)
            return EX_TEMPFAIL;
    }
    return EX_DATAERR;
}

static int say_refused(const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    const char *message = json_string_value(json_object_get(error, "message"));
    char shown[TABLE_CELL_BYTES];
    (void)table_escape(shown, message ? message : "the server does not say why");
    (void)fprintf(stderr, "taluva-admin: %s\n", shown);
    return status_of(code ? code : "");
}

static int exchange_lines(struct asker *asker, json_t *request, json_t **answer)
{
    json_object_set_new(request, "id", json_integer(++asker->id));
    const int status = send_request(asker, request);
    return status == 0 ? receive_line(asker, answer) : status;
}

static bool is_busy(const json_t *answer)
{
    const char *code = json_string_value(json_object_get(json_object_get(answer, "error"), "code"));
    return code && strcmp(code, "busy") == 0;
}

int ask(struct asker *asker, json_t *request, json_t **ok)
{
    const struct timespec pause = {.tv_nsec = BUSY_PAUSE_MS * 1000000L};
    json_t *answer = NULL;
    int status = exchange_lines(asker, request, &answer);
    for (int tries = 1; status == 0 && is_busy(answer) && tries < BUSY_TRIES; tries++) {
        json_decref(answer);
        answer = NULL;
        (void)nanosleep(&pause, NULL);
        status = exchange_lines(asker, request, &answer);
    }
    *ok = json_incref(json_object_get(answer, "ok"));
    if (status == 0 && !*ok)
        status = say_refused(json_object_get(answer, "error"));
    json_decref(answer);
    return status;
}
