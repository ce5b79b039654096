/*
 * A mock WebSocket server: it sends what the test passes to it, on the same loop as the client. It
 * serves one connection at a time and knows only the name of the protocol.
 */
#ifndef TESTS_UNIT_CLIENTS_FAKE_SERVER_H
#define TESTS_UNIT_CLIENTS_FAKE_SERVER_H

#include <jansson.h>
#include <stddef.h>
#include <uv.h>

struct fake_server;

/* Every message of the client, parsed. `connection` counts from 1. */
typedef void fake_message_fn(void *user, int connection, const json_t *message);

struct fake_server *fake_server_create(uv_loop_t *loop, fake_message_fn *on_message, void *user);
void fake_server_destroy(struct fake_server *server);
int fake_server_port(const struct fake_server *server);

/* The latest connection. */
struct fake_server_seen {
    char address[64], host[320]; /* whence, and the header Host */
    int close_code;              /* with which the client closed it; 0: it did not */
    int closes;                  /* of all connections, whoever closed */
};
const struct fake_server_seen *fake_server_seen(const struct fake_server *server);

/* Sends a text, `fragment` bytes a frame (0: in one). */
void fake_server_send(struct fake_server *server, const char *text, size_t fragment);
/* The same with a text of so many bytes, each of which fake_server_byte tells. */
void fake_server_send_much(struct fake_server *server, size_t len, size_t fragment);
unsigned char fake_server_byte(size_t at);
void fake_server_send_binary(struct fake_server *server);
/* Sends what is queued, then closes the connection; code 0 just drops it. */
void fake_server_close(struct fake_server *server, int code, const char *reason);

#endif
