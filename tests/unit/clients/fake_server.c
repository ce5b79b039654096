#include "fake_server.h"

#include <check.h>
#include <libwebsockets.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    struct line *next;
    size_t len, at, fragment;
    bool binary;
    unsigned char bytes[];
};

struct fake_server {
    uv_loop_t *loop;
    struct lws_context *lws;
    struct lws *wsi;
    int connections;
    fake_message_fn *on_message;
    void *user;
    struct line *first;
    char partial[2 * PROTOCOL_MESSAGE_BYTES]; /* of a message that comes in pieces */
    size_t partial_len;
    int close_code; /* -1: stay */
    char close_reason[128];
    uv_timer_t *closer;
    struct fake_server_seen seen;
};

static void drop_lines(struct fake_server *server)
{
    while (server->first) {
        struct line *line = server->first;
        server->first = line->next;
        free(line);
    }
}

/* Outside of libwebsockets' callbacks, where it does write the close frame. */
static void on_close(uv_timer_t *timer)
{
    struct fake_server *server = timer->data;
    if (!server->wsi)
        return;
    if (server->close_code > 0)
        lws_close_reason(server->wsi, (enum lws_close_status)server->close_code,
                         (unsigned char *)server->close_reason, strlen(server->close_reason));
    lws_set_timeout(server->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

/* One frame for each writable callback. */
static int write_some(struct fake_server *server)
{
    struct line *line = server->first;
    if (!line) {
        if (server->close_code >= 0)
            uv_timer_start(server->closer, on_close, 0, 0);
        return 0;
    }
    size_t left = line->len - line->at;
    size_t now = line->fragment > 0 && line->fragment < left ? line->fragment : left;
    int flags = lws_write_ws_flags(line->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT, line->at == 0,
                                   now == left);
    unsigned char *frame = malloc(LWS_PRE + now);
    ck_assert_ptr_nonnull(frame);
    memcpy(frame + LWS_PRE, line->bytes + line->at, now);
    int written = lws_write(server->wsi, frame + LWS_PRE, now, (enum lws_write_protocol)flags);
    free(frame);
    line->at += now;
    if (line->at == line->len) {
        server->first = line->next;
        free(line);
    }
    lws_callback_on_writable(server->wsi);
    return written < (int)now ? -1 : 0;
}

static void receive(struct fake_server *server, const char *bytes, size_t len)
{
    ck_assert_uint_le(server->partial_len + len, sizeof server->partial);
    memcpy(server->partial + server->partial_len, bytes, len);
    server->partial_len += len;
    if (!lws_is_final_fragment(server->wsi) || lws_remaining_packet_payload(server->wsi) > 0)
        return;
    json_t *message = json_loadb(server->partial, server->partial_len, 0, NULL);
    ck_assert_msg(message, "the client sent: %.*s", (int)server->partial_len, server->partial);
    server->partial_len = 0;
    server->on_message(server->user, server->connections, message);
    json_decref(message);
}

/* Who has come, and to which server it thinks that it has come. */
static void look_at(struct fake_server *server, struct lws *wsi)
{
    struct fake_server_seen *seen = &server->seen;
    lws_get_peer_simple(wsi, seen->address, sizeof seen->address);
    lws_hdr_copy(wsi, seen->host, sizeof seen->host, WSI_TOKEN_HOST);
    seen->close_code = 0;
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct fake_server *server = lws_context_user(lws_get_context(wsi));
    (void)user;
    if (reason == LWS_CALLBACK_ESTABLISHED) {
        server->wsi = wsi;
        server->connections++;
        server->close_code = -1;
        server->partial_len = 0;
        drop_lines(server);
        look_at(server, wsi);
    } else if (reason == LWS_CALLBACK_WS_PEER_INITIATED_CLOSE && len >= 2) {
        server->seen.close_code = ((unsigned char *)in)[0] << 8 | ((unsigned char *)in)[1];
    } else if (reason == LWS_CALLBACK_RECEIVE) {
        receive(server, in, len);
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE) {
        return write_some(server);
    } else if (reason == LWS_CALLBACK_CLOSED) {
        server->wsi = server->wsi == wsi ? NULL : server->wsi;
        server->seen.closes++;
    }
    return 0;
}

struct fake_server *fake_server_create(uv_loop_t *loop, fake_message_fn *on_message, void *user)
{
    static const struct lws_protocols protocols[] = {
        {.name = PROTOCOL_SUBPROTOCOL, .callback = on_lws, .rx_buffer_size = 8192},
        {.name = NULL},
    };
    struct fake_server *server = calloc(1, sizeof *server);
    ck_assert_ptr_nonnull(server);
    *server = (struct fake_server){
        .loop = loop, .on_message = on_message, .user = user, .close_code = -1};
    struct lws_context_creation_info info = {
        .port = 0,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = (void *[]){loop},
        .user = server,
        .pcontext = &server->lws,
    };
    lws_set_log_level(0, NULL);
    server->lws = lws_create_context(&info);
    ck_assert_ptr_nonnull(server->lws);
    server->closer = malloc(sizeof *server->closer);
    ck_assert_ptr_nonnull(server->closer);
    uv_timer_init(loop, server->closer);
    server->closer->data = server;
    return server;
}

static void note_closing(uv_handle_t *handle, void *any)
{
    *(int *)any |= uv_is_closing(handle);
}

void fake_server_destroy(struct fake_server *server)
{
    struct lws_context *lws = server->lws;
    int closing = 1;
    uv_close((uv_handle_t *)server->closer, (uv_close_cb)free);
    lws_context_destroy(lws);
    while (closing) {
        closing = 0;
        uv_run(server->loop, UV_RUN_NOWAIT);
        uv_walk(server->loop, note_closing, &closing);
    }
    if (server->lws)
        lws_context_destroy(lws);
    drop_lines(server);
    free(server);
}

int fake_server_port(const struct fake_server *server)
{
    return lws_get_vhost_listen_port(lws_get_vhost_by_name(server->lws, "default"));
}

const struct fake_server_seen *fake_server_seen(const struct fake_server *server)
{
    return &server->seen;
}

static void put_line(struct fake_server *server, struct line *line)
{
    struct line **at = &server->first;
    while (*at)
        at = &(*at)->next;
    *at = line;
    lws_callback_on_writable(server->wsi);
}

static struct line *make_line(size_t len, size_t fragment)
{
    struct line *line = malloc(sizeof *line + len);
    ck_assert_ptr_nonnull(line);
    *line = (struct line){.len = len, .fragment = fragment};
    return line;
}

void fake_server_send(struct fake_server *server, const char *text, size_t fragment)
{
    struct line *line = make_line(strlen(text), fragment);
    memcpy(line->bytes, text, line->len);
    put_line(server, line);
}

void fake_server_send_much(struct fake_server *server, size_t len, size_t fragment)
{
    struct line *line = make_line(len, fragment);
    for (size_t at = 0; at < len; at++)
        line->bytes[at] = fake_server_byte(at);
    put_line(server, line);
}

void fake_server_send_binary(struct fake_server *server)
{
    struct line *line = make_line(1, 0);
    line->bytes[0] = 'x';
    line->binary = true;
    put_line(server, line);
}

unsigned char fake_server_byte(size_t at)
{
    return (unsigned char)('a' + at % 23);
}

void fake_server_close(struct fake_server *server, int code, const char *reason)
{
    server->close_code = code;
    (void)snprintf(server->close_reason, sizeof server->close_reason, "%s", reason);
    lws_callback_on_writable(server->wsi);
}
