/*
 * The port for nodes that connect to this one. Who comes has proven nothing yet, so what it may
 * cost is little: a few connections a second, and a few at a time that have proven nothing, for all
 * strangers together. Addresses at which nodes are known have a share of their own, so that
 * strangers cannot keep nodes out.
 */
#include "relay_accept.h"

#include "relay_conn.h"
#include "relay_nodes.h"
#include "sockets/acceptor.h"
#include "sockets/listen_address.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/log.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 128, TEXT_MAX = INET6_ADDRSTRLEN };

static enum net_result fail_accept(const struct relay *relay, enum net_result result,
                                   const char *why, char message[static NET_MESSAGE_MAX])
{
    snprintf(message, NET_MESSAGE_MAX, "cannot listen on %.300s for other nodes: %s",
             relay->options->listen, why);
    return result;
}

/* ---- who comes */

static void write_host(const union socket_address *from, char text[TEXT_MAX])
{
    const struct in6_addr *const six = &from->ipv6.sin6_addr;
    text[0] = '\0';
    if (from->any.sa_family == AF_INET)
        inet_ntop(AF_INET, &from->ipv4.sin_addr, text, TEXT_MAX);
    else if (from->any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(six))
        inet_ntop(AF_INET, six->s6_addr + 12, text, TEXT_MAX);
    else if (from->any.sa_family == AF_INET6)
        inet_ntop(AF_INET6, six, text, TEXT_MAX);
}

static bool is_near(const struct relay *relay, const union socket_address *from)
{
    char host[TEXT_MAX];
    write_host(from, host);
    for (size_t at = 0; host[0] && at < relay->nodes_count; at++) {
        if (strcmp(relay->nodes[at]->host, host) == 0)
            return true;
    }
    return false;
}

static bool may_come(struct relay *relay, bool near)
{
    const struct relay_limits *const limits = relay->limits;
    const int64_t per_s = near ? limits->neighbours_per_s : limits->strangers_per_s;
    const struct bucket_rule rule = {.burst = 2 * per_s, .count = per_s, .per_ms = 1000};
    if (relay->unproven[near] >= (near ? limits->neighbours : limits->strangers)) {
        relay_refused(relay, RELAY_REFUSED_FULL, "");
        return false;
    }
    if (!bucket_take(&relay->arrivals[near], &rule, relay_now_ms(relay))) {
        relay_refused(relay, RELAY_REFUSED_RATE, "");
        return false;
    }
    return true;
}

static void take_socket(struct acceptor *acceptor, int fd, const union socket_address *from)
{
    struct relay *const relay = acceptor->data;
    const bool near = is_near(relay, from);
    if (may_come(relay, near))
        relay_adopt(relay, fd, near);
    else
        close(fd);
}

/* ---- the port */

/* 0, or the error. */
static int open_socket(const union socket_address *address, socklen_t len, int *fd)
{
    static const int on = 1;
    *fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(*fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (bind(*fd, &address->any, len) == 0 && listen(*fd, BACKLOG) == 0)
        return 0;
    const int error = errno;
    close(*fd);
    return error;
}

static void start_conn(struct relay *relay, int fd)
{
    struct acceptor *const listener = &relay->listeners[relay->listeners_count++];
    *listener = (struct acceptor){.whose = "nodes",
                                  .failures = &relay->figures.accept_failures,
                                  .take = take_socket,
                                  .data = relay};
    acceptor_start(listener, relay->loop, fd);
}

unsigned relay_listen_port(const struct relay *relay)
{
    union socket_address bound = {.any = {0}};
    socklen_t len = sizeof bound;
    if (relay->listeners_count == 0 || getsockname(relay->listeners[0].fd, &bound.any, &len) != 0)
        return 0;
    return ntohs(listen_address_port(&bound));
}

enum net_result relay_listen(struct relay *relay, char message[static NET_MESSAGE_MAX])
{
    struct listen_addresses addresses;
    const char *why;
    int error = EINVAL;
    const enum net_result result = listen_addresses_read(&addresses, relay->options->listen, &why);
    if (result != NET_OK)
        return fail_accept(relay, result, why, message);
    if (addresses.list[0].any.sa_family == AF_UNIX)
        return fail_accept(relay, NET_BAD_OPTION, "not a port that other machines can reach",
                           message);
    for (size_t at = 0; at < addresses.count; at++) {
        int fd;
        if (relay->listeners_count > 0)
            listen_address_set_port(&addresses.list[at], htons((uint16_t)relay_listen_port(relay)));
        error = open_socket(&addresses.list[at], addresses.len[at], &fd);
        if (error == 0) /* a name often has an address of a protocol that is not used here */
            start_conn(relay, fd);
    }
    return relay->listeners_count > 0
               ? NET_OK
               : fail_accept(relay, NET_UNAVAILABLE, strerror(error), message);
}

void relay_stop_listening(struct relay *relay)
{
    for (size_t at = 0; at < relay->listeners_count; at++)
        acceptor_close(&relay->listeners[at]);
    relay->listeners_count = 0;
}
