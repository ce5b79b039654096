#include "socket_internal.h"
#include <errno.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* Silence of this long is asked about with a ping, of that long is the end of the connection. */
static const lws_retry_bo_t idle_policy = {
    .secs_since_valid_ping = 40,
    .secs_since_valid_hangup = 60,
};

/* ---- failing to connect */

/* The errno of a TCP connection that did not come about, in its time or at all. */
static int connect_error(struct lws *wsi)
{
    const int fd = lws_get_socket_fd(wsi);
    int error = 0;
    socklen_t size = sizeof error;
    if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    return error ? error : ETIMEDOUT;
}

static bool peer_has_closed(struct lws *wsi)
{
    struct pollfd poll_for = {.fd = lws_get_socket_fd(wsi), .events = POLLRDHUP};
    return poll_for.fd < 0 || (poll(&poll_for, 1, 0) > 0 && poll_for.revents != 0);
}

/* `said` by libwebsockets, NULL: nothing. Of its time limits it says nothing, but for one. */
static void say_what_failed(struct lws *wsi, struct wire_socket *socket, const char *said)
{
    SSL *ssl = socket->url.tls ? lws_get_ssl(wsi) : NULL;
    struct unreachable_facts facts = {
        .tls = socket->url.tls,
        .certificate = socket->certificate,
        .status = (int)lws_http_client_http_response(wsi),
        .location = socket->location,
        .closed = peer_has_closed(wsi),
    };
    facts.late = (!said || strncmp(said, "Timed out", 9) == 0) && !facts.closed;
    facts.handshake = ssl && !SSL_is_init_finished(ssl) && !facts.late;
    unreachable_answer(socket->reason, &facts);
}

static void try_next(struct wire_socket *socket)
{
    socket->wsi = NULL;
    socket->started = false;
    socket_do_chores(socket);
}

/*
 * A connection that fails is told as CLIENT_CONNECTION_ERROR, but one whose server does not answer
 * in time, or that is closed meanwhile, only as CLOSED_CLIENT_HTTP; and after an error that can
 * come too. Whatever comes first is the last that the socket hears of this attempt. If the address
 * was wrong, there may be another one.
 */
void connect_failed(struct wire_socket *socket, struct lws *wsi, const char *said)
{
    if (!socket->connected)
        unreachable_connect(socket->reason, connect_error(wsi));
    else
        say_what_failed(wsi, socket, said);
    if (socket->connected || !socket->events) {
        socket_wsi_ended(socket, wsi);
        return;
    }
    lws_set_wsi_user(wsi, NULL);
    try_next(socket);
}

/* Called by OpenSSL for each certificate of the server's chain. */
void connect_look_at_certificate(struct lws *wsi, X509_STORE_CTX *certificate, bool accepted)
{
    struct wire_socket *socket = lws_wsi_user(wsi);
    if (socket && !accepted)
        socket->certificate = X509_verify_cert_error_string(X509_STORE_CTX_get_error(certificate));
}

static void connect_to(struct wire_socket *socket, const char *address)
{
    struct wire_context *context = socket->context;
    char host[WIRE_URL_HOST_HEADER];
    wire_url_host_header(&socket->url, host);
    struct lws_client_connect_info info = {
        .context = context->lws,
        .address = address,
        .port = socket->url.port,
        .path = socket->url.path,
        .host = host,
        .iface = context->source[0] ? context->source : NULL,
        .protocol = PROTOCOL_SUBPROTOCOL,
        .local_protocol_name = PROTOCOL_SUBPROTOCOL,
        .ssl_connection = socket->url.tls ? LCCSCF_USE_SSL : 0,
        .retry_and_idle_policy = &idle_policy,
        .userdata = socket,
        .pwsi = &socket->wsi,
    };
    socket->started = true;
    if (lws_client_connect_via_info(&info))
        return;
    /* What fails at once is not told to on_lws, nor why. */
    unreachable_here(socket->reason);
    try_next(socket);
}

static void take_addresses(struct wire_socket *socket, const struct lookup_result *result)
{
    socket->resolving = false;
    socket->resolved = true;
    socket->addresses = *result;
    socket_do_chores(socket);
}

static void find_addresses(struct wire_socket *socket)
{
    struct lookup_result itself = {.count = 1};
    if (lookup_is_address(socket->url.host)) {
        snprintf(itself.addresses[0], LOOKUP_ADDRESS, "%.*s", LOOKUP_ADDRESS - 1, socket->url.host);
        take_addresses(socket, &itself);
        return;
    }
    socket->resolving = true;
    if (!lookups_ask(socket->context->lookups, socket->url.host)) {
        itself = (struct lookup_result){.error = EAI_MEMORY};
        take_addresses(socket, &itself);
    }
}

/* Looks up the host, then tries its addresses in turn. */
void connect_start(struct wire_socket *socket)
{
    const struct lookup_result *addresses = &socket->addresses;
    if (addresses->error != 0)
        unreachable_name(socket->reason, addresses->error);
    if (!socket->resolved)
        find_addresses(socket);
    else if (socket->tried < addresses->count)
        connect_to(socket, addresses->addresses[socket->tried++]);
    else
        socket_ended(socket);
}

void connect_looked_up(void *user, const char *host, const struct lookup_result *result)
{
    const struct wire_context *context = user;
    for (struct wire_socket *socket = context->sockets; socket; socket = socket->next) {
        if (socket->resolving && strcmp(socket->url.host, host) == 0)
            take_addresses(socket, result);
    }
}

const char *wire_socket_waits_for(const struct wire_socket *socket)
{
    if (socket->opened)
        return "it takes the connection, but does not answer our greeting";
    return socket->resolving ? "the look-up of its name takes too long" : "it does not answer";
}
