/*
 * WebSocket connections to a server, any number of them on one libuv loop: open, text out, text in,
 * closed. No other part of the clients uses libwebsockets.
 *
 * Does not interpret messages. Never blocks the loop: host names are looked up in threads.
 * Callbacks come from the loop, never from within a call, and none comes after `closed`.
 */
#ifndef WIRE_SOCKET_H
#define WIRE_SOCKET_H

#include <stddef.h>
#include <uv.h>
#include <wire/url.h>

enum {
    WIRE_MESSAGE_BYTES_MAX =
        8 * 1024 * 1024,               /* a longer message from the server ends the connection */
    WIRE_QUEUE_BYTES_MAX = 256 * 1024, /* of messages not yet written */

    /*
     * Close codes of our own, where the server sent none. (libwebsockets 4.1.6 knows neither 1012
     * nor 1013 and says 1002, protocol error, for them.)
     */
    WIRE_CLOSED_UNREACHABLE = -1, /* never was open */
    WIRE_CLOSED_LOST = -2,        /* was open, ended without a close frame */
};

struct wire_context;

/*
 * `ca_file` names the only certificate authority to trust (PEM), NULL: the system's. A server that
 * has not answered the request to connect after `answer_s` seconds counts as unreachable. NULL on
 * failure.
 */
enum { WIRE_ANSWER_S = 20 }; /* for persons */
struct wire_context *wire_context_create(uv_loop_t *loop, const char *ca_file, unsigned answer_s);

/*
 * Closes every connection (no `closed` is called for them) and lets go of the loop, which must not
 * be running; it is run here until all is closed. NULL is allowed.
 */
void wire_context_destroy(struct wire_context *context);

/* Connect from this address of ours ("": the system chooses), from now on. False: too long. */
enum { WIRE_SOURCE_TEXT = 64 };
bool wire_context_source(struct wire_context *context, const char *address);

uv_loop_t *wire_context_loop(const struct wire_context *context);

struct wire_socket;

struct wire_socket_events {
    void (*opened)(void *user);
    void (*message)(void *user, const char *bytes, size_t len); /* one whole text message */
    /*
     * `code` is the server's close code or one of ours, `reason` the server's, or why it cannot be
     * reached, as a part of a sentence; the socket is gone after the call.
     */
    void (*closed)(void *user, int code, const char *reason);
};

/* NULL if memory ran out. A failure to connect is reported by `closed`, later. */
struct wire_socket *wire_socket_open(struct wire_context *context, const struct wire_url *url,
                                     const struct wire_socket_events *events, void *user);

/* Writes it, or queues a copy. False if the queue is full, memory ran out, or the socket ends. */
bool wire_socket_send(struct wire_socket *socket, const char *bytes, size_t len);

/* Stops or resumes reading, once it is open: a slow reader. */
void wire_socket_read(struct wire_socket *socket, bool on);

/* Bytes queued and not yet written. */
size_t wire_socket_queued(const struct wire_socket *socket);

/* Writes what is queued, closes with 1000, and forgets the socket: no callback comes any more. */
void wire_socket_close(struct wire_socket *socket);

/* Lets the connection drop at once, as a cut cable would; `closed` follows. For tests. */
void wire_socket_cut(struct wire_socket *socket);

#endif
