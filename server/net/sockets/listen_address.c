#include "listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_MAX = 256 };

static bool parse_port(const char *text, in_port_t *port)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > UINT16_MAX)
        return false;
    *port = htons((uint16_t)value);
    return true;
}

static bool read_unix(struct listen_addresses *addresses, const char *path)
{
    struct sockaddr_un *const local = &addresses->list[0].local;
    if (!*path || strlen(path) >= sizeof local->sun_path)
        return false;
    local->sun_family = AF_UNIX;
    memcpy(local->sun_path, path, strlen(path) + 1);
    addresses->len[0] = sizeof *local;
    addresses->count = 1;
    return true;
}

static bool read_ipv4(struct listen_addresses *addresses, const char *host, in_port_t port)
{
    struct sockaddr_in *const ipv4 = &addresses->list[0].ipv4;
    if (inet_pton(AF_INET, host, &ipv4->sin_addr) != 1)
        return false;
    ipv4->sin_family = AF_INET;
    ipv4->sin_port = port;
    addresses->len[0] = sizeof *ipv4;
    addresses->count = 1;
    return true;
}

static bool read_ipv6(struct listen_addresses *addresses, const char *host, in_port_t port)
{
    struct sockaddr_in6 *const ipv6 = &addresses->list[0].ipv6;
    if (inet_pton(AF_INET6, host, &ipv6->sin6_addr) != 1)
        return false;
    ipv6->sin6_family = AF_INET6;
    ipv6->sin6_port = port;
    addresses->len[0] = sizeof *ipv6;
    addresses->count = 1;
    return true;
}

static bool is_known(const struct listen_addresses *addresses, const union socket_address *address,
                     socklen_t len)
{
    for (size_t i = 0; i < addresses->count; i++) {
        if (addresses->len[i] == len && memcmp(&addresses->list[i], address, len) == 0)
            return true;
    }
    return false;
}

/* /etc/hosts often has one address twice, and a name has one with each protocol. */
static void add_found(struct listen_addresses *addresses, const struct addrinfo *found,
                      in_port_t port)
{
    union socket_address address = {.any = {0}};
    if ((found->ai_family != AF_INET && found->ai_family != AF_INET6) ||
        found->ai_addrlen > sizeof address)
        return;
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    listen_address_set_port(&address, port);
    if (is_known(addresses, &address, found->ai_addrlen) ||
        addresses->count == LISTEN_ADDRESSES_MAX)
        return;
    addresses->list[addresses->count] = address;
    addresses->len[addresses->count++] = found->ai_addrlen;
}

static enum net_result look_up(struct listen_addresses *addresses, const char *name, in_port_t port,
                               const char **why)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int error = getaddrinfo(name, NULL, &wanted, &found);
    *why = gai_strerror(error);
    if (error != 0)
        return NET_UNAVAILABLE;
    for (const struct addrinfo *at = found; at; at = at->ai_next)
        add_found(addresses, at, port);
    freeaddrinfo(found);
    *why = "the name has no address";
    return addresses->count > 0 ? NET_OK : NET_UNAVAILABLE;
}

/* Not numbers that are no address: "127.1" is an older notation for another one than it seems. */
static bool is_name(const char *host)
{
    return host[strspn(host, "0123456789.")] && !strpbrk(host, "[]:/");
}

enum net_result listen_addresses_read(struct listen_addresses *addresses, const char *where,
                                      const char **why)
{
    char host[HOST_MAX] = "127.0.0.1";
    in_port_t port;
    const char *const colon = strrchr(where, ':');
    const size_t len = colon ? (size_t)(colon - where) : strlen(host);
    memset(addresses, 0, sizeof *addresses);
    *why = "not PORT, ADDRESS:PORT, [ADDRESS]:PORT, NAME:PORT or unix:PATH";
    if (strncmp(where, "unix:", 5) == 0)
        return read_unix(addresses, where + 5) ? NET_OK : NET_BAD_OPTION;
    if (!parse_port(colon ? colon + 1 : where, &port) || len >= sizeof host)
        return NET_BAD_OPTION;
    if (colon)
        memcpy(host, where, len);
    host[len] = 0;
    if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = 0;
        return read_ipv6(addresses, host + 1, port) ? NET_OK : NET_BAD_OPTION;
    }
    if (read_ipv4(addresses, host, port))
        return NET_OK;
    return is_name(host) ? look_up(addresses, host, port, why) : NET_BAD_OPTION;
}

in_port_t listen_address_port(const union socket_address *address)
{
    switch (address->any.sa_family) {
    case AF_INET:
        return address->ipv4.sin_port;
    case AF_INET6:
        return address->ipv6.sin6_port;
    default:
        return 0;
    }
}

void listen_address_set_port(union socket_address *address, in_port_t port)
{
    if (address->any.sa_family == AF_INET)
        address->ipv4.sin_port = port;
    else if (address->any.sa_family == AF_INET6)
        address->ipv6.sin6_port = port;
}
