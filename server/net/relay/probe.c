/* Links as they are begun, without libwebsockets and without a loop: each call waits. */
#include <net/probe.h>

#include "relay_tls.h"
#include "sockets/listen_address.h"
#include <errno.h>
#include <openssl/err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { BACKLOG = 16 };

struct net_probe {
    const struct net_relay_options *options;
    struct relay_tls tls;
    SSL_CTX *client, *server;
    int fd; /* is listened on; -1: none is */
};

static SSL_CTX *make_context(struct net_probe *probe, const SSL_METHOD *method)
{
    SSL_CTX *const context = SSL_CTX_new(method);
    if (!context)
        return NULL;
    relay_tls_prepare(&probe->tls, context);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    return context;
}

/* In TLS 1.3 a client has done its handshake before the other has judged its certificate, and never
 * hears that this was accepted. In TLS 1.2, which nodes speak as well, the handshake ends with it.
 */
static bool hear_judgement(SSL_CTX *client)
{
    return SSL_CTX_set_max_proto_version(client, TLS1_2_VERSION) == 1;
}

struct net_probe *net_probe_create(const struct net_relay_options *options,
                                   char message[static NET_MESSAGE_MAX])
{
    struct net_probe *const probe = calloc(1, sizeof *probe);
    snprintf(message, NET_MESSAGE_MAX, "out of memory");
    if (!probe)
        return NULL;
    *probe = (struct net_probe){.options = options, .fd = -1};
    if (relay_tls_read(&probe->tls, options, message)) {
        probe->client = make_context(probe, TLS_client_method());
        probe->server = make_context(probe, TLS_server_method());
    }
    if (probe->client && probe->server && hear_judgement(probe->client))
        return probe;
    net_probe_destroy(probe);
    return NULL;
}

void net_probe_destroy(struct net_probe *probe)
{
    if (!probe)
        return;
    if (probe->fd >= 0)
        close(probe->fd);
    SSL_CTX_free(probe->client);
    SSL_CTX_free(probe->server);
    relay_tls_release(&probe->tls);
    free(probe);
}

int64_t net_probe_certificate_s(const struct net_probe *probe)
{
    return relay_tls_ends_s(&probe->tls);
}

const char *net_probe_why_not(const struct net_probe *probe)
{
    return relay_tls_why_not(&probe->tls);
}

/* ---- sockets */

static void set_timeouts(int fd, int64_t wait_ms)
{
    const struct timeval wait = {.tv_sec = (time_t)(wait_ms / 1000),
                                 .tv_usec = (suseconds_t)(wait_ms % 1000 * 1000)};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
}

/* Numbers only, as nodes have them. */
static bool read_address(struct listen_addresses *found, const char *address, const char **why)
{
    return listen_addresses_read(found, address, why) == NET_OK && found->count > 0;
}

bool net_probe_listen(struct net_probe *probe, char message[static NET_MESSAGE_MAX])
{
    const char *const where = probe->options->listen, *why = "no address";
    struct listen_addresses found;
    const int on = 1;
    int fd = -1;
    if (read_address(&found, where, &why))
        fd = socket(found.list[0].any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd, &found.list[0].any, found.len[0]) == 0 && listen(fd, BACKLOG) == 0) {
        probe->fd = fd;
        return true;
    }
    snprintf(message, NET_MESSAGE_MAX, "cannot listen on %.300s: %s", where,
             errno ? strerror(errno) : why);
    if (fd >= 0)
        close(fd);
    return false;
}

/* ---- who comes */

static int find_proven(SSL *ssl, const struct net_relay_node nodes[], size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (relay_tls_is(ssl, nodes[at].name))
            return (int)at;
    }
    return -1;
}

int net_probe_take(struct net_probe *probe, const struct net_relay_node nodes[], size_t count,
                   int64_t wait_ms)
{
    struct pollfd readable = {.fd = probe->fd, .events = POLLIN};
    if (poll(&readable, 1, (int)wait_ms) <= 0)
        return -1;
    const int fd = accept(probe->fd, NULL, NULL);
    if (fd < 0)
        return -1;
    set_timeouts(fd, wait_ms);
    SSL *const ssl = SSL_new(probe->server);
    int found = -1;
    if (ssl && SSL_set_fd(ssl, fd) == 1 && SSL_accept(ssl) == 1)
        found = find_proven(ssl, nodes, count);
    SSL_free(ssl);
    close(fd);
    ERR_clear_error();
    return found;
}

/* ---- who is connected to */

static bool fail_because(char message[static NET_MESSAGE_MAX], const char *why)
{
    snprintf(message, NET_MESSAGE_MAX, "%s", why);
    return false;
}

/* Has the other said what is wrong? What it says is numbered from there on. */
static bool is_alert(unsigned long error)
{
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) >= SSL_AD_REASON_OFFSET;
}

/* Why TLS has failed: what was wrong with the other's certificate, or what the other has said. When
 * it has shown its own, ours is all that is left to be judged. */
static bool tls_failed(SSL *ssl, int result, char message[static NET_MESSAGE_MAX])
{
    const long verified = SSL_get_verify_result(ssl);
    const unsigned long error = ERR_peek_last_error();
    const char *const reason = ERR_reason_error_string(error);
    if (verified != X509_V_OK)
        snprintf(message, NET_MESSAGE_MAX, "its certificate is not accepted: %s",
                 X509_verify_cert_error_string(verified));
    else if (SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ)
        snprintf(message, NET_MESSAGE_MAX, "no answer in time");
    else if (SSL_get0_peer_certificate(ssl))
        snprintf(message, NET_MESSAGE_MAX, "it does not accept the certificate of this node: %s",
                 reason && is_alert(error) ? reason : "it has ended the connection");
    else
        snprintf(message, NET_MESSAGE_MAX, "it does not speak as a node does%s%s",
                 reason ? ": " : "", reason ? reason : "");
    return false;
}

/* For the log of the other: this was no link. */
static void say_farewell(SSL *ssl)
{
    static const char nothing[] = "GET / HTTP/1.1\r\nHost: node\r\n\r\n";
    (void)SSL_write(ssl, nothing, sizeof nothing - 1);
}

static bool prove_name(SSL *ssl, const char *name, char message[static NET_MESSAGE_MAX])
{
    ERR_clear_error();
    const int result = SSL_connect(ssl);
    if (result != 1)
        return tls_failed(ssl, result, message);
    if (!relay_tls_is(ssl, name))
        return fail_because(message, "it is another node: its certificate is not for that name");
    say_farewell(ssl);
    return true;
}

static bool dial_node(struct net_probe *probe, int fd, const struct net_relay_node *node,
                      const struct listen_addresses *to, char message[static NET_MESSAGE_MAX])
{
    if (connect(fd, &to->list[0].any, to->len[0]) != 0)
        return fail_because(message, errno == EINPROGRESS || errno == EAGAIN
                                         ? "no answer, as behind a firewall"
                                         : strerror(errno));
    SSL *const ssl = SSL_new(probe->client);
    const bool proven = ssl && SSL_set_fd(ssl, fd) == 1 && prove_name(ssl, node->name, message);
    SSL_free(ssl);
    ERR_clear_error();
    return proven;
}

bool net_probe_dial(struct net_probe *probe, const struct net_relay_node *node, int64_t wait_ms,
                    char message[static NET_MESSAGE_MAX])
{
    struct listen_addresses to;
    const char *why = "no address";
    snprintf(message, NET_MESSAGE_MAX, "out of memory");
    if (!read_address(&to, node->address, &why))
        return fail_because(message, why);
    const int fd = socket(to.list[0].any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail_because(message, strerror(errno));
    set_timeouts(fd, wait_ms);
    const bool proven = dial_node(probe, fd, node, &to, message);
    close(fd);
    return proven;
}
