#define _GNU_SOURCE /* memmem */
#include "ws_client.h"

#include "drive.h"
#include <protocol/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum opcode { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { FINAL = 0x80, MASKED = 0x80, LEN_16 = 126, LEN_64 = 127, MESSAGE_MAX = 65535 };

struct ws_client {
    uv_tcp_t tcp;
    uv_connect_t connect;
    struct buffer rest; /* the beginning of what has not arrived whole */
    const struct ws_client_events *events;
    void *user;
    bool open;
    char path[];
};

static const char who[] = "taluva-peer-load";

/* ---- out */

static void write_now(struct ws_client *client, char *bytes, size_t len)
{
    uv_buf_t piece = uv_buf_init(bytes, (unsigned)len);
    const int written = uv_try_write((uv_stream_t *)&client->tcp, &piece, 1);
    if (written != (int)len)
        drive_fail(who, written < 0 ? uv_strerror(written) : "the server does not read");
}

/* A mask of zeros would spare the server what every browser asks of it. */
static void send_frame(struct ws_client *client, enum opcode opcode, const char *bytes, size_t len)
{
    static const unsigned char mask[4] = {0x5a, 0x17, 0xc3, 0x6e};
    static char frame[8 + MESSAGE_MAX];
    size_t at = 0;
    if (len > MESSAGE_MAX)
        drive_fail(who, "a message is too long");
    frame[at++] = (char)(FINAL | opcode);
    if (len < LEN_16) {
        frame[at++] = (char)(MASKED | len);
    } else {
        frame[at++] = (char)(MASKED | LEN_16);
        frame[at++] = (char)(len >> 8);
        frame[at++] = (char)len;
    }
    memcpy(frame + at, mask, sizeof mask);
    at += sizeof mask;
    for (size_t i = 0; i < len; i++)
        frame[at + i] = (char)(bytes[i] ^ mask[i % sizeof mask]);
    write_now(client, frame, at + len);
}

void ws_client_send_text(struct ws_client *client, const char *bytes, size_t len)
{
    send_frame(client, TEXT, bytes, len);
}

void ws_client_send_binary(struct ws_client *client, const char *bytes, size_t len)
{
    send_frame(client, BINARY, bytes, len);
}

/* ---- in */

static _Noreturn void closed(const char *bytes, size_t len)
{
    char why[160] = "without a code";
    if (len >= 2)
        (void)snprintf(why, sizeof why, "%d %.*s",
                       (unsigned char)bytes[0] << 8 | (unsigned char)bytes[1], (int)(len - 2),
                       bytes + 2);
    drive_fail("taluva-peer-load: the server has closed a connection", why);
}

static void take_frame(struct ws_client *client, unsigned char first, const char *bytes, size_t len)
{
    switch (first) {
    case FINAL | TEXT:
    case FINAL | BINARY:
        client->events->message(client->user, bytes, len);
        return;
    case FINAL | PING:
        send_frame(client, PONG, bytes, len);
        return;
    case FINAL | PONG:
        return;
    case FINAL | CLOSE:
        closed(bytes, len);
    default:
        drive_fail(who, "the server sends frames that are not expected");
    }
}

/* How many of the bytes were whole frames. */
static size_t take_frames(struct ws_client *client, const char *bytes, size_t len)
{
    size_t at = 0;
    while (len - at >= 2) {
        const unsigned char *head = (const unsigned char *)bytes + at;
        size_t header = 2;
        size_t payload = head[1];
        if (payload == LEN_16) {
            header = 4;
            if (len - at < header)
                break;
            payload = (size_t)head[2] << 8 | head[3];
        } else if (payload >= LEN_64) {
            drive_fail(who, "the server sends a longer frame than is expected");
        }
        if (len - at < header + payload)
            break;
        take_frame(client, head[0], bytes + at + header, payload);
        at += header + payload;
    }
    return at;
}

/* How many bytes the server's answer to the upgrade has; 0: it is not whole yet. */
static size_t take_upgrade(struct ws_client *client, const char *bytes, size_t len)
{
    static const char accepted[] = "HTTP/1.1 101 ", end[] = "\r\n\r\n";
    const char *found = memmem(bytes, len, end, strlen(end));
    if (!found)
        return 0;
    if (strncmp(bytes, accepted, strlen(accepted)) != 0)
        drive_fail(who, "the server refuses a connection");
    client->open = true;
    client->events->opened(client->user);
    return (size_t)(found - bytes) + strlen(end);
}

static size_t take(struct ws_client *client, const char *bytes, size_t len)
{
    const size_t head = client->open ? 0 : take_upgrade(client, bytes, len);
    return client->open ? head + take_frames(client, bytes + head, len - head) : 0;
}

static void keep_rest(struct ws_client *client, const char *bytes, size_t len)
{
    buffer_clear(&client->rest);
    buffer_append(&client->rest, bytes, len);
    if (client->rest.failed)
        drive_fail(who, "out of memory");
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *arrived)
{
    struct ws_client *client = stream->data;
    if (n < 0)
        drive_fail("taluva-peer-load: a connection was lost", uv_strerror((int)n));
    if (client->rest.len == 0) {
        const size_t taken = take(client, arrived->base, (size_t)n);
        if (taken < (size_t)n)
            keep_rest(client, arrived->base + taken, (size_t)n - taken);
        return;
    }
    buffer_append(&client->rest, arrived->base, (size_t)n);
    if (client->rest.failed)
        drive_fail(who, "a message is too long");
    const size_t taken = take(client, client->rest.bytes, client->rest.len);
    client->rest.len -= taken;
    memmove(client->rest.bytes, client->rest.bytes + taken, client->rest.len);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    static char shared[1 << 16]; /* nothing stays in it after a read */
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(shared, sizeof shared);
}

/* ---- opening */

static void on_connected(uv_connect_t *connect, int status)
{
    struct ws_client *client = connect->data;
    char request[1024];
    if (status < 0)
        drive_fail("taluva-peer-load: cannot connect", uv_strerror(status));
    uv_tcp_nodelay(&client->tcp, 1);
    const int len = snprintf(request, sizeof request,
                             "GET %s HTTP/1.1\r\n"
                             "Host: 127.0.0.1\r\n"
                             "Upgrade: websocket\r\n"
                             "Connection: Upgrade\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n",
                             client->path);
    if (len >= (int)sizeof request)
        drive_fail(who, "a path is too long");
    write_now(client, request, (size_t)len);
    uv_read_start((uv_stream_t *)&client->tcp, on_alloc, on_read);
}

struct ws_client *ws_client_open(uv_loop_t *loop, uint16_t port, const char *path,
                                 const struct ws_client_events *events, void *user)
{
    struct ws_client *client = calloc(1, sizeof *client + strlen(path) + 1);
    struct sockaddr_in address;
    if (!client)
        drive_fail(who, "out of memory");
    client->events = events;
    client->user = user;
    memcpy(client->path, path, strlen(path) + 1);
    buffer_init(&client->rest, 0, 4 * MESSAGE_MAX);
    uv_tcp_init(loop, &client->tcp);
    client->tcp.data = client->connect.data = client;
    uv_ip4_addr("127.0.0.1", port, &address);
    const int status = uv_tcp_connect(&client->connect, &client->tcp,
                                      (const struct sockaddr *)&address, on_connected);
    if (status < 0)
        drive_fail("taluva-peer-load: cannot connect", uv_strerror(status));
    return client;
}
