#include <wire/carrier.h>

#include "socket_internal.h"

static void *open_socket(void *ctx, const struct wire_url *url,
                         const struct wire_socket_events *events, void *user)
{
    return wire_socket_open(ctx, url, events, user);
}

static bool send_text(void *socket, const char *bytes, size_t len)
{
    return wire_socket_send(socket, bytes, len);
}

static void close_socket(void *socket)
{
    wire_socket_close(socket);
}

static void cut_socket(void *socket)
{
    wire_socket_cut(socket);
}

static const char *socket_waits_for(void *socket)
{
    return wire_socket_waits_for(socket);
}

struct wire_carrier wire_carrier_network(struct wire_context *context)
{
    return (struct wire_carrier){
        .loop = wire_context_loop(context),
        .ctx = context,
        .open = open_socket,
        .send = send_text,
        .close = close_socket,
        .cut = cut_socket,
        .waits_for = socket_waits_for,
    };
}
