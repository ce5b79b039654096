/*
 * What carries the messages of a client to its server and back: the network, or anything else that
 * keeps the same promises, such as a server in the same process.
 */
#ifndef WIRE_CARRIER_H
#define WIRE_CARRIER_H

#include <stdbool.h>
#include <wire/socket.h>

/*
 * The functions promise what those of wire/socket.h do that are called alike, callbacks included:
 * they come from the loop, never from within a call, and none comes after `closed`. A connection is
 * whatever `open` returns.
 */
struct wire_carrier {
    uv_loop_t *loop;
    void *ctx;
    void *(*open)(void *ctx, const struct wire_url *url, const struct wire_socket_events *events,
                  void *user);
    bool (*send)(void *connection, const char *bytes, size_t len);
    void (*close)(void *connection);
    void (*cut)(void *connection);
    /* What one that is of no use yet waits for: words that follow on "cannot be reached: ". */
    const char *(*waits_for)(void *connection);
};

/* WebSockets to the address that is asked for. */
struct wire_carrier wire_carrier_network(struct wire_context *context);

#endif
