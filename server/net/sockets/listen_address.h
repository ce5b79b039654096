/*
 * What --listen may say, as addresses of sockets. Names are looked up here, once, before the loop
 * runs; nowhere else in the server.
 */
#ifndef NET_LISTEN_ADDRESS_H
#define NET_LISTEN_ADDRESS_H

#include <net/net.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LISTEN_ADDRESSES_MAX = 8 };

union socket_address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct sockaddr_un local;
};

/* Where one --listen says to listen: a name can stand for several addresses, all with one port. */
struct listen_addresses {
    union socket_address list[LISTEN_ADDRESSES_MAX];
    socklen_t len[LISTEN_ADDRESSES_MAX];
    size_t count;
};

/*
 * Reads "ADDRESS:PORT", "[ADDRESS]:PORT", "NAME:PORT", "PORT" (on 127.0.0.1) or "unix:PATH".
 * NET_BAD_OPTION if it is none of these, NET_UNAVAILABLE if the name has no address now; then `why`
 * says so, as text that stays valid.
 */
enum net_result listen_addresses_read(struct listen_addresses *addresses, const char *where,
                                      const char **why);

/* 0 for a Unix socket. */
in_port_t listen_address_port(const union socket_address *address);
void listen_address_set_port(union socket_address *address, in_port_t port);

#endif
