/*
 * WebSocket connections that cost as little as they can, for programs that load a server: no TLS,
 * no look-up of names, frames written in one piece at once and read where they arrived. What is for
 * people takes <wire/socket.h>, which reaches every server and says why it cannot; the functions
 * here promise the same as those there that are called alike.
 *
 * There is no time limit on connecting but the system's.
 */
#ifndef WIRE_PLAIN_H
#define WIRE_PLAIN_H

#include <wire/socket.h>

struct wire_plain_context;
struct wire_plain;

struct wire_plain_config {
    uv_loop_t *loop;
    const char *subprotocol; /* to ask for, or NULL; lives as long as the context */
    const char *source;      /* an address of ours to connect from, or NULL */
    bool binary;             /* binary messages are as good as text; else they are an error */
};

/* NULL if memory ran out, or the source is no address in numbers. */
struct wire_plain_context *wire_plain_context_create(const struct wire_plain_config *config);

/* Its connections must have ended. NULL is allowed. */
void wire_plain_context_destroy(struct wire_plain_context *context);

/* Does the address ask for nothing that is missing here? */
bool wire_plain_reaches(const struct wire_url *url);

struct wire_plain *wire_plain_open(struct wire_plain_context *context, const struct wire_url *url,
                                   const struct wire_socket_events *events, void *user);

/* At most PROTOCOL_MESSAGE_BYTES. */
bool wire_plain_send(struct wire_plain *plain, const char *bytes, size_t len);
bool wire_plain_send_binary(struct wire_plain *plain, const char *bytes, size_t len);

void wire_plain_read(struct wire_plain *plain, bool on);

void wire_plain_cut(struct wire_plain *plain);

#endif
