/*
 * A socket that is listened on, and what comes in there. If the system has no descriptor or no
 * memory for a connection, that one waits in the kernel, and a loop that looks at the socket would
 * be woken up by it again at once. So then the socket is not looked at for a while, which grows up
 * to a second; whoever is connected goes on meanwhile, and it is logged now and then.
 *
 * Knows nobody who comes; the bytes of an acceptor must outlive the loop.
 */
#ifndef NET_ACCEPTOR_H
#define NET_ACCEPTOR_H

#include "listen_address.h"
#include "log_limit.h"
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    ACCEPTOR_WAIT_FIRST_MS = 10,
    ACCEPTOR_WAIT_MOST_MS = 1000,
    ACCEPTOR_NO_ROOM_MS = 20,
    ACCEPTS_AT_ONCE = 64
};

struct acceptor {
    uv_poll_t poll;
    uv_timer_t retry;
    int fd;
    const char *whose; /* for the log */
    uint64_t *failures;
    /* Takes a connection, whose descriptor does not block and is closed by exec. */
    void (*take)(struct acceptor *acceptor, int fd, const union socket_address *from);
    /* False: whoever comes waits in the kernel for ACCEPTOR_NO_ROOM_MS, and it is asked again.
     * NULL: there is always room. */
    bool (*has_room)(struct acceptor *acceptor);
    void *data;      /* of whoever takes */
    int64_t wait_ms; /* the last; 0: a connection has come since */
    struct log_limit said;
};

/*
 * Begins to accept on `fd`, which listens and does not block, and which it owns from now on. The
 * other members are set by the caller.
 */
void acceptor_start(struct acceptor *acceptor, uv_loop_t *loop, int fd);
void acceptor_close(struct acceptor *acceptor);

#endif
