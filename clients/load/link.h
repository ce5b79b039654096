/*
 * One WebSocket connection of the load tester, and the loop that many of them share.
 *
 * Knows libuv, libwebsockets and bytes; never what a message means. A link is given back through
 * `closed`, exactly once, also when it never opened; after that it is gone.
 */
#ifndef LOAD_LINK_H
#define LOAD_LINK_H

#include <protocol/buffer.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct link_pool;
struct link;

struct link_target {
    char host[256];
    char path[256];
    char source[64]; /* address to connect from, or "": the system chooses */
    uint16_t port;
    bool tls;
};

struct link_handler {
    void (*opened)(void *user);
    void (*message)(void *user, const char *bytes, size_t len); /* one whole text message */
    void (*closed)(void *user, int code); /* close code, 0 if there was none */
};

/* Reads ws://HOST[:PORT][/PATH] (or wss://); false if it is none. */
bool link_target_parse(struct link_target *target, const char *url);

/* NULL if the event loop or the library cannot be set up. All links are closed before the pool is
 * destroyed. */
struct link_pool *link_pool_create(uv_loop_t *loop, const struct link_target *target,
                                   const struct link_handler *handler);
void link_pool_destroy(struct link_pool *pool);

/* NULL if not even a try was possible; `closed` is not called then. */
struct link *link_open(struct link_pool *pool, void *user);
void link_close(struct link *link);

/* What has to stand before the payload of a buffer given to link_send. */
size_t link_headroom(void);

/* Sends the payload as one message and clears the buffer (its bytes are masked in place). False:
 * the link is breaking; `closed` follows. */
bool link_send(struct link *link, struct buffer *message);

/* Stops or resumes reading: a slow reader. */
void link_read(struct link *link, bool on);

#endif
