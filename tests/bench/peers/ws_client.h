/*
 * WebSocket connections to a server on this machine as cheap as they can be, so that the driver is
 * not the limit: frames are written in one piece, at once, and read where they arrived. Speaks the
 * text and the binary frames of other frameworks, which <wire/socket.h> has no use for. What a
 * benchmark can do nothing about ends it (drive_fail).
 */
#ifndef BENCH_WS_CLIENT_H
#define BENCH_WS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct ws_client;

struct ws_client_events {
    void (*opened)(void *user);
    /* One whole message; its bytes are gone after the call. */
    void (*message)(void *user, const char *bytes, size_t len);
};

/* To 127.0.0.1; `path` with its query. It stays open until the program ends. */
struct ws_client *ws_client_open(uv_loop_t *loop, uint16_t port, const char *path,
                                 const struct ws_client_events *events, void *user);

void ws_client_send_text(struct ws_client *client, const char *bytes, size_t len);
void ws_client_send_binary(struct ws_client *client, const char *bytes, size_t len);

#endif
