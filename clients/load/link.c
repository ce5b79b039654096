#include "link.h"

#include <protocol/limits.h>

#include <assert.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES = 4096, /* what is read at once; longer messages are put together */
    MESSAGE_BYTES_MAX = 1 << 20,
    BACKLOG_BYTES_MAX = 1 << 16, /* requests waiting for a full socket */
};

struct link_pool {
    struct lws_context *context;
    struct link_target target;
    struct link_handler handler;
    char origin_host[280];
};

struct link {
    struct link_pool *pool;
    struct lws *wsi;
    void *user;
    struct buffer inbound; /* a message in several pieces */
    struct buffer backlog; /* whole messages, each behind its length; empty nearly always */
    int close_code;
    bool opening; /* link_open is still under way */
    bool open, closing, dead;
};

bool link_target_parse(struct link_target *target, const char *url)
{
    *target = (struct link_target){.port = 80};
    if (strncmp(url, "wss://", 6) == 0) {
        target->tls = true;
        target->port = 443;
        url += 6;
    } else if (strncmp(url, "ws://", 5) == 0) {
        url += 5;
    } else {
        return false;
    }
    const bool bracketed = url[0] == '[';
    const size_t host_len = bracketed ? strcspn(++url, "]") : strcspn(url, ":/");
    if (host_len == 0 || host_len >= sizeof(target->host)) {
        return false;
    }
    memcpy(target->host, url, host_len);
    url += host_len;
    if (bracketed && *url++ != ']') {
        return false;
    }
    if (*url == ':') {
        char *end;
        const unsigned long port = strtoul(url + 1, &end, 10);
        if (end == url + 1 || port == 0 || port > UINT16_MAX) {
            return false;
        }
        target->port = (uint16_t)port;
        url = end;
    }
    if (*url != '\0' && *url != '/') {
        return false;
    }
    const int len = snprintf(target->path, sizeof(target->path), "%s", *url == '/' ? url : "/ws");
    return len > 0 && (size_t)len < sizeof(target->path);
}

size_t link_headroom(void)
{
    return LWS_PRE;
}

static int send_now(struct link *link, char *payload, size_t len)
{
    return lws_write(link->wsi, (unsigned char *)payload, len, LWS_WRITE_TEXT);
}

bool link_send(struct link *link, struct buffer *message)
{
    assert(link->open && message->headroom >= LWS_PRE && !message->failed);
    bool sent = true;
    if (link->backlog.len == 0 && !lws_send_pipe_choked(link->wsi)) {
        sent = send_now(link, message->bytes + message->headroom, message->len) >= 0;
    } else {
        const uint32_t len = (uint32_t)message->len;
        buffer_append(&link->backlog, &len, sizeof(len));
        buffer_append(&link->backlog, message->bytes + message->headroom, message->len);
        lws_callback_on_writable(link->wsi);
        sent = !link->backlog.failed;
    }
    buffer_clear(message);
    if (!sent) {
        link_close(link);
    }
    return sent;
}

/* The first message of the backlog; the rest moves up. */
static int send_backlog(struct link *link)
{
    if (link->backlog.len == 0) {
        return 0;
    }
    char *at = link->backlog.bytes + link->backlog.headroom;
    uint32_t len;
    memcpy(&len, at, sizeof(len));
    struct buffer message;
    buffer_init(&message, LWS_PRE, MESSAGE_BYTES_MAX);
    buffer_append(&message, at + sizeof(len), len);
    link->backlog.len -= sizeof(len) + len;
    memmove(at, at + sizeof(len) + len, link->backlog.len);
    const int result = message.failed ? -1 : send_now(link, message.bytes + LWS_PRE, len);
    buffer_release(&message);
    if (link->backlog.len > 0) {
        lws_callback_on_writable(link->wsi);
    }
    return result < 0 ? -1 : 0;
}

static void receive(struct link *link, const char *bytes, size_t len)
{
    const bool last =
        lws_is_final_fragment(link->wsi) && lws_remaining_packet_payload(link->wsi) == 0;
    if (last && link->inbound.len == 0) {
        link->pool->handler.message(link->user, bytes, len);
        return;
    }
    buffer_append(&link->inbound, bytes, len);
    if (link->inbound.failed) {
        link_close(link);
    } else if (last) {
        link->pool->handler.message(link->user, buffer_payload(&link->inbound), link->inbound.len);
        buffer_clear(&link->inbound);
    }
}

static void release(struct link *link)
{
    buffer_release(&link->inbound);
    buffer_release(&link->backlog);
    free(link);
}

static void finish(struct link *link)
{
    link->open = false;
    if (link->opening) { /* link_open will say so itself */
        link->dead = true;
        return;
    }
    link->pool->handler.closed(link->user, link->close_code);
    release(link);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct link *link = user;
    if (reason == LWS_CALLBACK_CLIENT_ESTABLISHED) {
        link->open = true;
        link->pool->handler.opened(link->user);
    } else if (reason == LWS_CALLBACK_CLIENT_RECEIVE) {
        receive(link, in, len);
    } else if (reason == LWS_CALLBACK_CLIENT_WRITEABLE) {
        return link->closing ? -1 : send_backlog(link);
    } else if (reason == LWS_CALLBACK_WS_PEER_INITIATED_CLOSE) {
        if (len >= 2) {
            const unsigned char *code = in;
            link->close_code = code[0] << 8 | code[1];
        }
    } else if (reason == LWS_CALLBACK_CLIENT_CONNECTION_ERROR ||
               reason == LWS_CALLBACK_CLIENT_CLOSED) {
        if (link != NULL) {
            lws_set_wsi_user(wsi, NULL);
            finish(link);
        }
        return 0;
    }
    return link != NULL && link->closing ? -1 : 0;
}

static const struct lws_protocols protocols[] = {
    {PROTOCOL_SUBPROTOCOL, on_event, 0, CHUNK_BYTES, 0, NULL, 1 << 16},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

struct link_pool *link_pool_create(uv_loop_t *loop, const struct link_target *target,
                                   const struct link_handler *handler)
{
    struct link_pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL) {
        return NULL;
    }
    pool->target = *target;
    pool->handler = *handler;
    (void)snprintf(pool->origin_host, sizeof(pool->origin_host), "%s:%u", target->host,
                   target->port);
    lws_set_log_level(LLL_ERR, NULL);
    void *loops[] = {loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options =
            LWS_SERVER_OPTION_LIBUV | (target->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .foreign_loops = loops,
        .gid = -1,
        .uid = -1,
        .pt_serv_buf_size = CHUNK_BYTES,
    };
    pool->context = lws_create_context(&info);
    if (pool->context == NULL) {
        free(pool);
        return NULL;
    }
    return pool;
}

void link_pool_destroy(struct link_pool *pool)
{
    if (pool != NULL) {
        lws_context_destroy(pool->context);
        free(pool);
    }
}

struct link *link_open(struct link_pool *pool, void *user)
{
    struct link *link = calloc(1, sizeof(*link));
    if (link == NULL) {
        return NULL;
    }
    *link = (struct link){.pool = pool, .user = user};
    buffer_init(&link->inbound, 0, MESSAGE_BYTES_MAX);
    buffer_init(&link->backlog, 0, BACKLOG_BYTES_MAX);
    const struct lws_client_connect_info info = {
        .context = pool->context,
        .address = pool->target.host,
        .port = pool->target.port,
        .path = pool->target.path,
        .host = pool->origin_host,
        .iface = pool->target.source[0] != '\0' ? pool->target.source : NULL,
        .ssl_connection = pool->target.tls ? LCCSCF_USE_SSL : 0,
        .protocol = PROTOCOL_SUBPROTOCOL,
        .local_protocol_name = PROTOCOL_SUBPROTOCOL,
        .userdata = link,
    };
    link->opening = true;
    link->wsi = lws_client_connect_via_info(&info);
    link->opening = false;
    if (link->wsi == NULL || link->dead) {
        release(link);
        return NULL;
    }
    return link;
}

void link_close(struct link *link)
{
    if (!link->closing) {
        link->closing = true;
        lws_set_timeout(link->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
}

void link_read(struct link *link, bool on)
{
    (void)lws_rx_flow_control(link->wsi, on ? 1 : 0);
}
