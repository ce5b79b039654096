/*
 * Whom the operator means: a session, an address or a network. Addresses are what limits count by
 * (hub/address_prefix.h): of IPv6 the first 64 bits, so no network is smaller than that.
 */
#ifndef HUB_BAN_TARGET_H
#define HUB_BAN_TARGET_H

#include <hub/address_prefix.h>
#include <stdbool.h>
#include <stdint.h>

struct ban_target {
    uint64_t session; /* 0: a network */
    struct address_prefix base;
    uint8_t bits; /* of the base that count: 33..64 of IPv4, 1..64 of IPv6 */
};

enum { BAN_TARGET_TEXT = 48 };

/*
 * "2f1c5e0ab9d34477" (a session), "203.0.113.7", "203.0.113.0/24", "2001:db8::/48". A longer prefix
 * of IPv6 than 64 is taken as 64; bits behind the prefix are cleared.
 */
bool ban_target_read(struct ban_target *target, const char *text);
void ban_target_format(const struct ban_target *target, char text[BAN_TARGET_TEXT]);

bool ban_target_same(const struct ban_target *one, const struct ban_target *other);
bool ban_target_holds(const struct ban_target *target, const struct address_prefix *address);
/* Do two networks have an address in common? */
bool ban_target_meets(const struct ban_target *one, const struct ban_target *other);
/* Would it stop nearly everybody, or everybody behind a proxy of this machine? */
bool ban_target_is_dangerous(const struct ban_target *target);

#endif
