#define _GNU_SOURCE /* accept4 */
#include "acceptor.h"

#include "log_limit.h"
#include <errno.h>
#include <net/log.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a pause */

static void on_readable(uv_poll_t *poll, int status, int events);

static void on_retry(uv_timer_t *timer)
{
    struct acceptor *acceptor = timer->data;
    uv_poll_start(&acceptor->poll, UV_READABLE, on_readable);
}

static void say_failed(struct acceptor *acceptor, int error)
{
    int64_t unsaid;
    if (!log_limit_take(&acceptor->said, (int64_t)uv_now(acceptor->poll.loop), &unsaid))
        return;
    if (unsaid > 0)
        log_number(LOG_WARN, "accept_failed_more", "count", unsaid);
    log_texts(LOG_WARN, "accept_failed", "of", acceptor->whose, "why", strerror(error));
}

static void pause_for(struct acceptor *acceptor, int64_t wait_ms)
{
    uv_poll_stop(&acceptor->poll);
    uv_timer_start(&acceptor->retry, on_retry, (uint64_t)wait_ms, 0);
}

static void pause_accepting(struct acceptor *acceptor, int error)
{
    const int64_t next_ms = 2 * acceptor->wait_ms;
    acceptor->wait_ms = next_ms < ACCEPTOR_WAIT_FIRST_MS  ? ACCEPTOR_WAIT_FIRST_MS
                        : next_ms > ACCEPTOR_WAIT_MOST_MS ? ACCEPTOR_WAIT_MOST_MS
                                                          : next_ms;
    ++*acceptor->failures;
    pause_for(acceptor, acceptor->wait_ms);
    say_failed(acceptor, error);
}

/* ---- connections */

/* It is about that connection, which is gone, and says nothing of the next. */
static bool is_of_one(int error)
{
    switch (error) {
    case ECONNABORTED:
    case EINTR:
    case EPROTO: /* these: what the network had to say of it, see accept(2) */
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case ENETUNREACH:
        return true;
    default:
        return false;
    }
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct acceptor *acceptor = poll->data;
    (void)status, (void)events;
    for (int count = 0; count < ACCEPTS_AT_ONCE; count++) {
        if (acceptor->has_room && count > 0)
            return; /* it is asked for who is there only */
        if (acceptor->has_room && !acceptor->has_room(acceptor)) {
            pause_for(acceptor, ACCEPTOR_NO_ROOM_MS);
            return;
        }
        union socket_address from = {.any = {0}};
        socklen_t len = sizeof from;
        const int fd = accept4(acceptor->fd, &from.any, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        const int error = errno;
        if (fd >= 0) {
            acceptor->wait_ms = 0;
            acceptor->take(acceptor, fd, &from);
        } else if (error == EAGAIN) {
            return;
        } else if (!is_of_one(error)) {
            pause_accepting(acceptor, error);
            return;
        }
    }
}

/* ---- beginning and end */

void acceptor_start(struct acceptor *acceptor, uv_loop_t *loop, int fd)
{
    acceptor->fd = fd;
    uv_poll_init(loop, &acceptor->poll, fd);
    uv_timer_init(loop, &acceptor->retry);
    acceptor->poll.data = acceptor->retry.data = acceptor;
    uv_poll_start(&acceptor->poll, UV_READABLE, on_readable);
}

static void on_closed(uv_handle_t *handle)
{
    const struct acceptor *acceptor = handle->data;
    close(acceptor->fd);
}

void acceptor_close(struct acceptor *acceptor)
{
    uv_close((uv_handle_t *)&acceptor->poll, on_closed);
    uv_close((uv_handle_t *)&acceptor->retry, NULL);
}
