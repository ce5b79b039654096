/*
 * Addresses of peers: 16 bytes, IPv4 mapped into IPv6. Numbers only; no name is ever looked up.
 */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

struct address {
    uint8_t bytes[16];
};

struct network {
    struct address base;
    int prefix; /* in bits of the 128 */
};

enum { ADDRESS_TEXT_MAX = 46 };

/* False for what is neither IPv4 nor IPv6 (a Unix socket): then it is all zero. */
bool address_of_socket(struct address *address, const struct sockaddr *from);
/*
 * "192.0.2.1" and "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]" and "[2001:db8::1]:80"; IPv6 with
 * or without a zone, "fe80::1%eth0", which is left out. `len` bytes.
 */
bool address_parse(struct address *address, const char *text, size_t len);
void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX]);
bool address_is_loopback(const struct address *address);
bool address_is_ipv4(const struct address *address);

/* "10.0.0.0/8", "2001:db8::/32", or an address alone. */
bool network_parse(struct network *network, const char *text);
bool network_holds(const struct network *network, const struct address *address);

/*
 * The client of a request that came through a trusted proxy: of the list in X-Forwarded-For
 * (client, proxy, proxy ...) the last address that is not itself a trusted proxy, or the first if
 * all are. Addresses before that one may be made up by the client and are ignored. False if an
 * address that is needed cannot be read; `*client` is then undefined.
 */
bool address_behind_proxies(struct address *client, const char *forwarded_for,
                            const struct network *trusted, size_t trusted_count);
bool address_is_trusted(const struct address *address, const struct network *trusted, size_t count);

#endif
