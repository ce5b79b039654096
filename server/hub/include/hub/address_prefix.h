/*
 * What limits per address count by: an IPv4 address, or the /64 of an IPv6 address, as one customer
 * is given all of it.
 */
#ifndef HUB_ADDRESS_PREFIX_H
#define HUB_ADDRESS_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

/* Comparable with memcmp. No IPv6 /64 in use begins with zeros, so the two kinds do not mix. */
struct address_prefix {
    uint8_t bytes[8];
};

/* Of 16 bytes, IPv4 mapped into IPv6. */
struct address_prefix address_prefix_of(const uint8_t ip[static 16]);

/* The same, but of IPv6 the /48, as one customer may be given so much: for what is shared by few.
 */
struct address_prefix address_network_of(const uint8_t ip[static 16]);

/*
 * The network of that width that it is in: 0 the same, then the /56 and the /48 of IPv6; of IPv4
 * the same again, and its /24.
 */
enum { ADDRESS_WIDTHS = 3 };
struct address_prefix address_prefix_wider(const struct address_prefix *prefix, int width);

/* Of this machine itself: a Unix socket, 127.0.0.0/8, or IPv6 within it. */
bool address_prefix_is_local(const struct address_prefix *prefix);

enum { ADDRESS_PREFIX_TEXT = 28 };
/* "203.0.113.7", "2001:db8:0:1::/64"; "local": a Unix socket, or IPv6 within this machine. */
void address_prefix_format(const struct address_prefix *prefix, char text[ADDRESS_PREFIX_TEXT]);

#endif
