#define _GNU_SOURCE /* accept4 */
#include "listen.h"

#include "address.h"
#include "address_counts.h"
#include "address_rates.h"
#include "link.h"
#include "listen_address.h"
#include "metrics.h"
#include "net_private.h"
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

enum { BACKLOG = 1024, ACCEPTS_AT_ONCE = 64 };

static enum net_result fail(char message[NET_MESSAGE_MAX], enum net_result result,
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
    if (listener->is_unix || getsockname(listener->fd, &bound.any, &len) != 0) {
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

static void refuse(struct net *net, int fd, enum net_refusal why)
{
    close(fd);
    net->metrics.refused[why]++;
    log_text(LOG_DEBUG, "connection_refused", "why", refusal_name(why));
}

/* Cuts the HTTP connection that has been idle longest: an honest client is quick. */
static void make_room(struct net *net)
{
    struct link *oldest = NULL;
    for (struct link *link = net->links.first; link; link = link->next) {
        if (link->is_http && (!oldest || link->since_ms <= oldest->since_ms))
            oldest = link;
    }
    if (!oldest)
        return;
    link_cut(oldest);
    net->metrics.refused[REFUSED_FULL]++;
}

/* A trusted proxy has many clients: they are counted by the address that it reports, see http.c. */
static bool may_come(struct net *net, const struct address *address, enum net_refusal *why)
{
    *why = REFUSED_ADDRESS;
    if (address_counts_get(&net->links.counts, address) >= net->config.http_sockets_per_address)
        return false;
    *why = REFUSED_RATE;
    return address_rates_connect(&net->links.rates, address, net_now_ms(net));
}

static void adopt(struct net *net, struct link *link, int fd)
{
    switch (transport_adopt(net, link, fd)) {
    case ADOPTED:
        break;
    case ADOPTION_CLOSED:
        net->metrics.tls_failures += net->options->tls_cert != NULL;
        log_text(LOG_DEBUG, "connection_closed", "why",
                 net->options->tls_cert ? "it did not begin with a TLS handshake"
                                        : "it has closed already");
        break;
    case ADOPTION_FAILED:
        net->metrics.refused[REFUSED_MEMORY]++;
        log_text(LOG_WARN, "connection_failed", "why", "out of memory or file descriptors");
        break;
    }
}

static void admit(struct net *net, int fd, const struct address *address, bool proxied)
{
    enum net_refusal why;
    if (!proxied && !may_come(net, address, &why)) {
        refuse(net, fd, why);
        return;
    }
    if ((int64_t)net->links.http_count >= net->config.http_sockets)
        make_room(net);
    struct link *link = link_create(net, address, proxied);
    if (link)
        adopt(net, link, fd);
    else
        refuse(net, fd, REFUSED_MEMORY);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct listener *listener = poll->data;
    struct net *net = listener->poll.loop->data;
    (void)status, (void)events;
    for (int count = 0; count < ACCEPTS_AT_ONCE; count++) {
        union socket_address from;
        socklen_t len = sizeof from;
        struct address address;
        int fd = accept4(listener->fd, &from.any, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
                log_text(LOG_WARN, "accept_failed", "why", strerror(errno));
            return;
        }
        bool inet = address_of_socket(&address, &from.any);
        bool proxied =
            inet ? address_is_trusted(&address, net->listen.proxies, net->listen.proxies_count)
                 : net->listen.unix_is_proxy;
        admit(net, fd, &address, proxied);
    }
}

/* 0, or the error. */
static int open_socket(struct listener *listener, const union socket_address *address,
                       socklen_t len)
{
    listener->fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->fd < 0)
        return errno;
    set_options(listener->fd, listener->is_unix);
    if (listener->is_unix)
        listen_remove_stale(address, len);
    if (bind(listener->fd, &address->any, len) == 0 && listen(listener->fd, BACKLOG) == 0)
        return 0;
    const int error = errno;
    close(listener->fd);
    return error;
}

static void start(struct net *net, struct listener *listener, const char *where)
{
    listener->open = true;
    net->listen.count++;
    if (listener->is_unix)
        listener->unlink_path = where + strlen("unix:");
    uv_poll_init(&net->loop, &listener->poll, listener->fd);
    listener->poll.data = listener;
    uv_poll_start(&listener->poll, UV_READABLE, on_readable);
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
    return getsockname(listener->fd, &bound.any, &len) == 0 ? listen_address_port(&bound) : 0;
}

static enum net_result open_all(struct net *net, const char *where,
                                struct listen_addresses *addresses, char message[NET_MESSAGE_MAX])
{
    const size_t before = net->listen.count;
    int error = 0;
    for (size_t i = 0; i < addresses->count; i++) {
        if (net->listen.count >= LISTENERS_MAX)
            return fail(message, NET_BAD_OPTION, where, "too many addresses to listen on");
        struct listener *const listener = &net->listen.listeners[net->listen.count];
        union socket_address *const address = &addresses->list[i];
        listener->is_unix = address->any.sa_family == AF_UNIX;
        if (net->listen.count > before)
            listen_address_set_port(address, bound_port(listener - 1));
        const int failed = open_socket(listener, address, addresses->len[i]);
        if (failed == 0)
            start(net, listener, where);
        else if (!may_be_left_out(failed, addresses))
            return fail(message, NET_UNAVAILABLE, where, strerror(failed));
        else
            error = failed;
    }
    return net->listen.count > before ? NET_OK
                                      : fail(message, NET_UNAVAILABLE, where, strerror(error));
}

enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX])
{
    struct listen_addresses addresses;
    const char *why;
    const enum net_result result = listen_addresses_read(&addresses, where, &why);
    return result == NET_OK ? open_all(net, where, &addresses, message)
                            : fail(message, result, where, why);
}

static void on_closed(uv_handle_t *handle)
{
    struct listener *listener = handle->data;
    close(listener->fd);
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
        uv_close((uv_handle_t *)&listener->poll, on_closed);
    }
}
