#include "listen.h"

#include "connection.h"
#include "log_limit.h"
#include "metrics.h"
#include "net_private.h"
#include "sockets/acceptor.h"
#include "sockets/address.h"
#include "sockets/address_counts.h"
#include "sockets/address_rates.h"
#include "sockets/listen_address.h"
#include "transport.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/clock.h>
#include <net/log.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static enum net_result fail_listen(char message[NET_MESSAGE_MAX], enum net_result result,
                                   const char *where, const char *why)
{
    snprintf(message, NET_MESSAGE_MAX, "cannot listen on %.300s: %s", where, why);
    return result;
}

void listen_remove_stale(const union socket_address *address, socklen_t len)
{
    struct stat status;
    const char *path = address->local.sun_path;
    if (lstat(path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (connect(fd, &address->any, len) != 0 && errno == ECONNREFUSED)
        unlink(path);
    close(fd);
}

/* Sockets that are accepted inherit these. */
static void set_options(int fd, bool is_unix)
{
    static const int on = 1, send_bytes = SOCKET_SEND_BYTES;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
    if (is_unix)
        return;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* The address in numbers, and the port that the system chose for port 0. */
static void write_url(struct listener *listener, const char *where, bool tls)
{
    union socket_address bound = {.any = {0}};
    socklen_t len = sizeof bound;
    char host[ADDRESS_TEXT_MAX];
    const char *const scheme = tls ? "https" : "http";
    if (listener->is_unix || getsockname(listener->acceptor.fd, &bound.any, &len) != 0) {
        snprintf(listener->url, URL_MAX, "%.140s", where);
        return;
    }
    const bool is_ipv6 = bound.any.sa_family == AF_INET6;
    const void *const from =
        is_ipv6 ? (const void *)&bound.ipv6.sin6_addr : (const void *)&bound.ipv4.sin_addr;
    if (!inet_ntop(bound.any.sa_family, from, host, sizeof host))
        host[0] = 0;
    snprintf(listener->url, URL_MAX, is_ipv6 ? "%s://[%s]:%u" : "%s://%s:%u", scheme, host,
             ntohs(listen_address_port(&bound)));
}

static void refuse_socket(struct net *net, int fd, enum net_refusal why)
{
    close(fd);
    net->metrics.refused[why]++;
    log_text(LOG_DEBUG, "connection_refused", "why", refusal_name(why));
}

/* Cuts the HTTP connection that has been idle longest: an honest client is quick. False: none. */
static bool make_room(struct net *net)
{
    struct connection *oldest = NULL;
    for (struct connection *connection = net->connections.first; connection;
         connection = connection->next) {
        if (connection->is_http && (!oldest || connection->since_ms <= oldest->since_ms))
            oldest = connection;
    }
    if (!oldest)
        return false;
    connection_cut(oldest);
    net->metrics.refused[REFUSED_FULL]++;
    return true;
}

/* Who is connected goes on, and the store and the operator find descriptors. */
static bool has_descriptor(struct net *net)
{
    int64_t unsaid;
    if (net->connections.count < net->listen.sockets_most)
        return true;
    if (log_limit_take(&net->listen.said, (int64_t)uv_now(&net->loop), &unsaid))
        log_number(LOG_WARN, "sockets_at_file_limit", "more", unsaid);
    return make_room(net);
}

/* A trusted proxy has many clients: they are counted by the address that it reports, see http.c. */
static bool may_come(struct net *net, const struct address *address, enum net_refusal *why)
{
    *why = REFUSED_ADDRESS;
    if (address_counts_get(&net->connections.counts, address) >=
        net->config.http_sockets_per_address)
        return false;
    *why = REFUSED_RATE;
    return address_rates_connect(&net->connections.rates, address, net_now_ms(net));
}

static void say_no_memory(struct net *net)
{
    int64_t unsaid;
    net->metrics.refused[REFUSED_MEMORY]++;
    if (log_limit_take(&net->listen.said, (int64_t)uv_now(&net->loop), &unsaid))
        log_text_number(LOG_WARN, "connection_failed", "why", "out of memory", "more", unsaid);
}

static void adopt_socket(struct net *net, struct connection *connection, int fd)
{
    switch (transport_adopt(net, connection, fd)) {
    case ADOPTED:
        break;
    case ADOPTION_CLOSED:
        net->metrics.tls_failures += net->options->tls_cert != NULL;
        log_text(LOG_DEBUG, "connection_closed", "why",
                 net->options->tls_cert ? "it did not begin with a TLS handshake"
                                        : "it has closed already");
        break;
    case ADOPTION_FAILED:
        say_no_memory(net);
        break;
    }
}

static void admit_address(struct net *net, int fd, const struct address *address, bool proxied)
{
    enum net_refusal why;
    if (!proxied && !may_come(net, address, &why)) {
        refuse_socket(net, fd, why);
        return;
    }
    if (!has_descriptor(net)) {
        refuse_socket(net, fd, REFUSED_FILES);
        return;
    }
    if ((int64_t)net->connections.http_count >= net->config.http_sockets)
        (void)make_room(net);
    struct connection *connection = connection_create(net, address, proxied);
    if (connection)
        adopt_socket(net, connection, fd);
    else
        refuse_socket(net, fd, REFUSED_MEMORY);
}

static void take_socket(struct acceptor *acceptor, int fd, const union socket_address *from)
{
    struct net *net = acceptor->data;
    struct address address;
    bool inet = address_of_socket(&address, &from->any);
    bool proxied =
        inet ? address_is_trusted(&address, net->listen.proxies, net->listen.proxies_count)
             : net->listen.unix_is_proxy;
    admit_address(net, fd, &address, proxied);
}

/* 0, or the error. */
static int open_socket(const struct listener *listener, const union socket_address *address,
                       socklen_t len, int *fd)
{
    *fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    set_options(*fd, listener->is_unix);
    if (listener->is_unix)
        listen_remove_stale(address, len);
    if (bind(*fd, &address->any, len) == 0 && listen(*fd, BACKLOG) == 0)
        return 0;
    const int error = errno;
    close(*fd);
    return error;
}

/* Few are open below that of a listener which are not open for as long as the server runs. */
static void plan_sockets(struct net *net, int fd)
{
    const int64_t left = net->listen.files - net->listen.files_kept - fd;
    net->listen.sockets_most = left > 1 ? (size_t)left : 1;
}

static void start_listener(struct net *net, struct listener *listener, int fd, const char *where)
{
    plan_sockets(net, fd);
    listener->open = true;
    net->listen.count++;
    if (listener->is_unix)
        listener->unlink_path = where + strlen("unix:");
    listener->acceptor = (struct acceptor){.whose = "players",
                                           .failures = &net->metrics.accept_failures[ACCEPT_PLAYER],
                                           .take = take_socket,
                                           .data = net};
    acceptor_start(&listener->acceptor, &net->loop, fd);
    write_url(listener, where, net->options->tls_cert != NULL);
}

/* A name often has an address of a protocol that this machine does not use. */
static bool may_be_left_out(int error, const struct listen_addresses *addresses)
{
    return addresses->count > 1 && (error == EADDRNOTAVAIL || error == EAFNOSUPPORT);
}

static in_port_t bound_port(const struct listener *listener)
{
    union socket_address bound = {.any = {0}};
    socklen_t len = sizeof bound;
    return getsockname(listener->acceptor.fd, &bound.any, &len) == 0 ? listen_address_port(&bound)
                                                                     : 0;
}

static enum net_result open_all(struct net *net, const char *where,
                                struct listen_addresses *addresses, char message[NET_MESSAGE_MAX])
{
    const size_t before = net->listen.count;
    int error = 0;
    for (size_t i = 0; i < addresses->count; i++) {
        if (net->listen.count >= LISTENERS_MAX)
            return fail_listen(message, NET_BAD_OPTION, where, "too many addresses to listen on");
        struct listener *const listener = &net->listen.listeners[net->listen.count];
        union socket_address *const address = &addresses->list[i];
        listener->is_unix = address->any.sa_family == AF_UNIX;
        if (net->listen.count > before)
            listen_address_set_port(address, bound_port(listener - 1));
        int fd;
        const int failed = open_socket(listener, address, addresses->len[i], &fd);
        if (failed == 0)
            start_listener(net, listener, fd, where);
        else if (!may_be_left_out(failed, addresses))
            return fail_listen(message, NET_UNAVAILABLE, where, strerror(failed));
        else
            error = failed;
    }
    return net->listen.count > before
               ? NET_OK
               : fail_listen(message, NET_UNAVAILABLE, where, strerror(error));
}

enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX])
{
    struct listen_addresses addresses;
    const char *why;
    const enum net_result result = listen_addresses_read(&addresses, where, &why);
    return result == NET_OK ? open_all(net, where, &addresses, message)
                            : fail_listen(message, result, where, why);
}

void listen_close_all(struct net *net)
{
    for (size_t at = 0; at < net->listen.count; at++) {
        struct listener *listener = &net->listen.listeners[at];
        if (!listener->open)
            continue;
        listener->open = false;
        if (listener->unlink_path)
            unlink(listener->unlink_path);
        acceptor_close(&listener->acceptor);
    }
}
