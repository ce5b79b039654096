/* A connection between two nodes in libwebsockets: proof, then frames (relay_frames.c). */
#include "relay_conn.h"

#include "relay_end.h"
#include "relay_frames.h"
#include "relay_nodes.h"
#include "relay_tls.h"
#include <libwebsockets.h>
#include <net/log.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- proof */

/* The name that the other says it has is the path; the certificate has to say the same. */
static void check_request(struct relay_conn *conn, struct lws *wsi)
{
    struct relay *const relay = conn->relay;
    char path[NET_RELAY_NAME_MAX + 2];
    struct relay_node *node;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) <= 0 ||
        lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) < 2 || path[0] != '/')
        relay_conn_refuse(conn, RELAY_REFUSED_REQUEST, "not a request for a link");
    else if (!relay_name_is_valid(path + 1) || !relay_tls_is(lws_get_ssl(wsi), path + 1))
        relay_conn_refuse(conn, RELAY_REFUSED_NAME, "the certificate is not for that node");
    else if ((node = relay_find(relay, path + 1)) == NULL)
        relay_conn_refuse(conn, RELAY_REFUSED_UNKNOWN, path + 1);
    else if (relay_dials(relay, node->name))
        relay_conn_refuse(conn, RELAY_REFUSED_ROLE, node->name);
    else
        conn->node = node;
}

/*
 * Both have proven who they are. Of two links with the same node the newer one counts: nobody else
 * can have asked for it, and who asks for another one has none, whatever it looks like from here.
 */
static void begin_link(struct relay_conn *conn)
{
    struct relay *const relay = conn->relay;
    struct relay_node *const node = conn->node;
    if (conn->state != RELAY_PROVING || !node) {
        relay_conn_end(conn, "not a node any more");
        return;
    }
    if (!relay_tls_is(lws_get_ssl(conn->wsi), node->name)) {
        relay_conn_refuse(conn, RELAY_REFUSED_NAME, "the certificate is not for that node");
        return;
    }
    if (node->link) {
        relay->figures.replaced++;
        relay_conn_end(node->link, "replaced");
    }
    conn->end = relay->ends->open(relay->ctx, node->name);
    if (!conn->end) {
        relay_conn_refuse(conn, RELAY_REFUSED_MEMORY, "out of memory");
        return;
    }
    if (conn->dialled)
        node->trial = NULL;
    relay_conn_stop_counting(conn);
    conn->state = RELAY_LINK;
    conn->ticks = conn->silent = 0;
    conn->units = relay->limits->units_per_s * RELAY_TICK_MS / 1000;
    node->link = conn;
    relay->figures.opened++;
    log_text(LOG_INFO, "relay_up", "node", node->name);
    relay_conn_flush(conn);
}

/* ---- time */

/* With a byte in it: libwebsockets does not tell of a pong without one. */
static void write_control(struct relay_conn *conn, enum lws_write_protocol kind)
{
    unsigned char byte[LWS_PRE + 1] = {0};
    if (!lws_partial_buffered(conn->wsi) && lws_write(conn->wsi, byte + LWS_PRE, 1, kind) < 0)
        relay_conn_end(conn, "cannot be written to");
}

/* Does it live, and take nothing? */
static bool is_stuck(struct relay_conn *conn)
{
    const bool waits = conn->relay->ends->queued(conn->end) > 0 || lws_partial_buffered(conn->wsi);
    conn->stuck = waits ? conn->stuck + 1 : 0;
    return conn->stuck * RELAY_TICK_MS > conn->relay->limits->stuck_ms;
}

/*
 * Silence is counted in ticks that there were, not in time: it is no fault of the other node if
 * this one stood still. Who reads no more for a while does not see pings either, so it sends pongs
 * that nobody has asked for.
 */
static void tick_link(struct relay_conn *conn)
{
    const struct relay_limits *const limits = conn->relay->limits;
    const int64_t per_tick = limits->units_per_s * RELAY_TICK_MS / 1000;
    conn->units = conn->units + per_tick < per_tick ? conn->units + per_tick : per_tick;
    if (is_stuck(conn)) {
        relay_conn_end(conn, "takes nothing");
        return;
    }
    if (conn->paused) {
        relay_conn_pause(conn, conn->units <= 0);
        conn->silent = 0;
        if (conn->ticks * RELAY_TICK_MS % limits->ping_ms == 0)
            write_control(conn, LWS_WRITE_PONG);
        return;
    }
    const int64_t silent_ms = ++conn->silent * RELAY_TICK_MS;
    if (silent_ms > limits->silent_ms)
        relay_conn_end(conn, "silent");
    else if (silent_ms % limits->ping_ms == 0)
        write_control(conn, LWS_WRITE_PING);
}

void relay_conn_tick(struct relay_conn *conn)
{
    conn->ticks++;
    switch (conn->state) {
    case RELAY_PROVING:
        if (conn->ticks * RELAY_TICK_MS > conn->relay->limits->proof_ms)
            relay_conn_refuse(conn, RELAY_REFUSED_SLOW, "too slow");
        break;
    case RELAY_LINK:
        tick_link(conn);
        break;
    case RELAY_GONE:
        break;
    }
}

/* ---- libwebsockets */

/*
 * Of one certificate of the peer's chain. The name is looked at here already, before anything is
 * asked for: another node that is found at the address would take it for a link with itself.
 * Returns what libwebsockets wants: 0 if it is believed.
 */
static int judge_peer(struct relay_conn *conn, X509_STORE_CTX *judgement, bool believed)
{
    if (!conn)
        return 1;
    if (believed && conn->dialled && X509_STORE_CTX_get_error_depth(judgement) == 0 &&
        (!conn->node ||
         !relay_tls_has_name(X509_STORE_CTX_get_current_cert(judgement), conn->node->name))) {
        X509_STORE_CTX_set_error(judgement, X509_V_ERR_HOSTNAME_MISMATCH);
        believed = false;
    }
    if (!believed)
        relay_conn_note(conn, RELAY_REFUSED_CERTIFICATE,
                        X509_verify_cert_error_string(X509_STORE_CTX_get_error(judgement)));
    return believed ? 0 : 1;
}

static void conn_destroyed(struct relay_conn *conn)
{
    conn->wsi = NULL;
    relay_conn_conclude(conn, "closed by the other end");
    relay_conn_free(conn);
}

static void on_conn(struct relay_conn *conn, enum lws_callback_reasons reason, void *in, size_t len)
{
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        relay_conn_note(conn, RELAY_REFUSED_REQUEST, "");
        if (reason == LWS_CALLBACK_HTTP)
            relay_conn_end(conn, "not a request for a link");
        break;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        check_request(conn, conn->wsi);
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        relay_conn_note(conn, conn->refusal, in ? in : "");
        break;
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        begin_link(conn);
        break;
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE:
        relay_conn_receive(conn, in, len);
        break;
    case LWS_CALLBACK_RECEIVE_PONG:
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        conn->silent = 0;
        break;
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        relay_conn_flush(conn);
        break;
    default:
        break;
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct relay *const relay = lws_context_user(lws_get_context(wsi));
    if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS) {
        relay->server = user;
        relay_tls_prepare(&relay->tls, relay->server);
        return 0;
    }
    struct relay_conn *const conn = lws_get_opaque_user_data(wsi);
    if (reason == LWS_CALLBACK_OPENSSL_PERFORM_CLIENT_CERT_VERIFICATION ||
        reason == LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION)
        return judge_peer(conn, user, len != 0);
    if (!conn)
        return 0;
    conn->wsi = wsi; /* the first time while it is being made */
    if (reason == LWS_CALLBACK_WSI_DESTROY) {
        lws_set_opaque_user_data(wsi, NULL);
        conn_destroyed(conn);
        return 0;
    }
    on_conn(conn, reason, in, len);
    return conn->state == RELAY_GONE ? -1 : 0;
}

static const struct lws_protocols protocols[] = {
    {.name = RELAY_SUBPROTOCOL,
     .callback = on_event,
     .rx_buffer_size = RELAY_MESSAGE_BYTES,
     .tx_packet_size = 65536},
    {0},
};

enum { RECORD_BYTES = 16384 }; /* the longest of TLS: read whole, as READ_BYTES of net_private.h */

/* Its own pings count in seconds. */
static const lws_retry_bo_t no_pings = {0};

enum net_result relay_conns_create(struct relay *relay, char message[static NET_MESSAGE_MAX])
{
    enum { SOCKETS = 4 * NET_RELAY_NODES_MAX + 128 };
    void *loops[] = {relay->loop};
    const unsigned timeout_s = (unsigned)(relay->limits->proof_ms + 1999) / 1000;
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX |
                   LWS_SERVER_OPTION_REQUIRE_VALID_OPENSSL_CLIENT_CERT,
        .foreign_loops = loops,
        .gid = -1,
        .uid = -1,
        .timeout_secs = timeout_s,
        .connect_timeout_secs = timeout_s,
        .fd_limit_per_thread = SOCKETS,
        .pt_serv_buf_size = RECORD_BYTES,
        .user = relay,
        .alpn = "http/1.1",
        .protocols = protocols,
        .retry_and_idle_policy = &no_pings,
        .provided_client_ssl_ctx = relay->client,
        .vhost_name = "relay",
    };
    snprintf(message, NET_MESSAGE_MAX, "libwebsockets cannot start for the links to other nodes");
    relay->lws = lws_create_context(&info);
    if (!relay->lws)
        return NET_UNAVAILABLE;
    relay->vhost = lws_create_vhost(relay->lws, &info);
    if (!relay->vhost || !relay->server)
        return NET_UNAVAILABLE;
    lws_set_proxy(relay->vhost, "none:0"); /* whatever the environment says */
    return NET_OK;
}

static bool has_more(const struct relay_conn *conn, struct lws_pollfd *fd)
{
    return conn->state == RELAY_LINK && !conn->paused && conn->received &&
           (SSL_pending(lws_get_ssl(conn->wsi)) > 0 || poll(fd, 1, 0) > 0);
}

/*
 * libwebsockets reads one record in each turn of the loop. What many clients ask comes as many
 * short ones, and a loop that rests between its turns (net/loop.c) would read them too slowly.
 */
void relay_conn_read(struct relay_conn *conn)
{
    struct lws_context *const lws = conn->relay->lws;
    struct lws_pollfd fd = {.fd = lws_get_socket_fd(conn->wsi), .events = LWS_POLLIN};
    bool gone = false;
    conn->destroyed = &gone;
    for (int records = 0; records < RELAY_RECORDS_A_TURN && has_more(conn, &fd); records++) {
        conn->received = false;
        fd.revents = LWS_POLLIN;
        (void)lws_service_fd(lws, &fd);
        if (gone)
            return;
    }
    conn->destroyed = NULL;
    conn->received = false;
}

/* Without a connection of libwebsockets. */
static void abandon_conn(struct relay_conn *conn, enum net_relay_refusal refusal, const char *why)
{
    relay_conn_note(conn, refusal, why);
    relay_conn_conclude(conn, why);
    relay_conn_free(conn);
}

void relay_adopt(struct relay *relay, int fd, bool near)
{
    struct relay_conn *const conn = relay_conn_create(relay, NULL, near);
    if (!conn) {
        close(fd);
        relay_refused(relay, RELAY_REFUSED_MEMORY, "");
        return;
    }
    bool gone = false;
    lws_adopt_desc_t info = {
        .vh = relay->vhost,
        .type = LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL,
        .fd.sockfd = fd,
        .opaque = conn,
    };
    conn->destroyed = &gone;
    struct lws *const wsi = lws_adopt_descriptor_vhost_via_info(&info);
    if (gone)
        return;
    conn->destroyed = NULL;
    if (wsi)
        conn->wsi = wsi;
    else if (!conn->wsi)
        abandon_conn(conn, RELAY_REFUSED_MEMORY, "out of memory or file descriptors");
}

void relay_dial(struct relay *relay, struct relay_node *node)
{
    char path[NET_RELAY_NAME_MAX + 2];
    bool gone = false;
    relay->figures.dialled++;
    struct relay_conn *const conn = relay_conn_create(relay, node, false);
    if (!conn) {
        relay_retry_later(relay, node);
        return;
    }
    snprintf(path, sizeof path, "/%s", relay->options->name);
    const struct lws_client_connect_info info = {
        .context = relay->lws,
        .vhost = relay->vhost,
        .address = node->host,
        .port = node->port,
        .path = path,
        .host = node->name,
        .protocol = RELAY_SUBPROTOCOL,
        .ssl_connection = LCCSCF_USE_SSL | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK,
        .retry_and_idle_policy = &no_pings,
        .opaque_user_data = conn,
        .alpn = "http/1.1",
    };
    node->trial = conn;
    conn->destroyed = &gone;
    struct lws *const wsi = lws_client_connect_via_info(&info);
    if (gone)
        return;
    conn->destroyed = NULL;
    if (wsi)
        conn->wsi = wsi;
    else
        abandon_conn(conn, RELAY_REFUSED_HANDSHAKE, "cannot be connected to");
}
