#define _GNU_SOURCE /* accept4 */
#include "listen.h"

#include "address.h"
#include "address_counts.h"
#include "address_rates.h"
#include "link.h"
#include "metrics.h"
#include "net_private.h"
#include "transport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/clock.h>
#include <net/log.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024, ACCEPTS_AT_ONCE = 64 };

union socket_address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct sockaddr_un local;
};

static enum net_result fail(char message[NET_MESSAGE_MAX], enum net_result result,
                            const char *where, const char *why)
{
    snprintf(message, NET_MESSAGE_MAX, "cannot listen on %.300s: %s", where, why);
    return result;
}

static bool parse_port(const char *text, uint16_t *port)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > 65535)
        return false;
    *port = (uint16_t)value;
    return true;
}

static bool parse_inet(const char *where, union socket_address *address, socklen_t *len)
{
    char host[ADDRESS_TEXT_MAX + 2];
    uint16_t port;
    const char *colon = strrchr(where, ':');
    if (!colon || (size_t)(colon - where) >= sizeof host || !parse_port(colon + 1, &port))
        return false;
    memcpy(host, where, (size_t)(colon - where));
    host[colon - where] = 0;
    memset(address, 0, sizeof *address);
    size_t host_len = strlen(host);
    if (host_len > 2 && host[0] == '[' && host[host_len - 1] == ']') {
        host[host_len - 1] = 0;
        address->ipv6.sin6_family = AF_INET6;
        address->ipv6.sin6_port = htons(port);
        *len = sizeof address->ipv6;
        return inet_pton(AF_INET6, host + 1, &address->ipv6.sin6_addr) == 1;
    }
    address->ipv4.sin_family = AF_INET;
    address->ipv4.sin_port = htons(port);
    *len = sizeof address->ipv4;
    return inet_pton(AF_INET, host, &address->ipv4.sin_addr) == 1;
}

static bool parse_unix(const char *path, union socket_address *address, socklen_t *len)
{
    memset(address, 0, sizeof *address);
    if (!*path || strlen(path) >= sizeof address->local.sun_path)
        return false;
    address->local.sun_family = AF_UNIX;
    memcpy(address->local.sun_path, path, strlen(path) + 1);
    *len = sizeof address->local;
    return true;
}

/* Removes the socket of a server that was killed, but no socket that is in use and no file. */
static void remove_stale(const union socket_address *address, socklen_t len)
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

static void write_url(struct listener *listener, const char *where, bool tls)
{
    union socket_address bound = {.any = {0}};
    socklen_t len = sizeof bound;
    const char *scheme = tls ? "https" : "http";
    if (listener->is_unix || getsockname(listener->fd, &bound.any, &len) != 0) {
        snprintf(listener->url, URL_MAX, "%.140s", where);
        return;
    }
    uint16_t port =
        ntohs(bound.any.sa_family == AF_INET6 ? bound.ipv6.sin6_port : bound.ipv4.sin_port);
    const char *colon = strrchr(where, ':');
    snprintf(listener->url, URL_MAX, "%s://%.*s:%u", scheme, (int)(colon - where), where, port);
}

static void refuse(struct net *net, int fd, enum refusal why)
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
static bool may_come(struct net *net, const struct address *address, enum refusal *why)
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
    enum refusal why;
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

static enum net_result start(struct net *net, struct listener *listener, const char *where,
                             const union socket_address *address, socklen_t len,
                             char message[NET_MESSAGE_MAX])
{
    listener->fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->fd < 0)
        return fail(message, NET_UNAVAILABLE, where, strerror(errno));
    set_options(listener->fd, listener->is_unix);
    if (listener->is_unix)
        remove_stale(address, len);
    if (bind(listener->fd, &address->any, len) != 0 || listen(listener->fd, BACKLOG) != 0) {
        int error = errno;
        close(listener->fd);
        return fail(message, NET_UNAVAILABLE, where, strerror(error));
    }
    listener->open = true;
    net->listen.count++;
    if (listener->is_unix)
        listener->unlink_path = where + strlen("unix:");
    uv_poll_init(&net->loop, &listener->poll, listener->fd);
    listener->poll.data = listener;
    uv_poll_start(&listener->poll, UV_READABLE, on_readable);
    write_url(listener, where, net->options->tls_cert != NULL);
    return NET_OK;
}

enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX])
{
    union socket_address address;
    socklen_t len = 0;
    if (net->listen.count >= LISTENERS_MAX)
        return fail(message, NET_BAD_OPTION, where, "too many addresses to listen on");
    struct listener *listener = &net->listen.listeners[net->listen.count];
    listener->is_unix = strncmp(where, "unix:", 5) == 0;
    if (listener->is_unix ? !parse_unix(where + 5, &address, &len)
                          : !parse_inet(where, &address, &len))
        return fail(message, NET_BAD_OPTION, where,
                    "not ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH, with the address in numbers");
    return start(net, listener, where, &address, len, message);
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
