#include <hub/ban_target.h>

#include <arpa/inet.h>
#include <hub/address_prefix.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IPV4_BITS = 32, ALL_BITS = 64, IPV4_WIDEST = 8, IPV6_WIDEST = 16 };

static bool is_ipv4(const struct address_prefix *prefix)
{
    static const uint8_t zeros[4];
    return memcmp(prefix->bytes, zeros, sizeof zeros) == 0;
}

/* Are the first bits the same? */
static bool same_bits(const struct address_prefix *one, const struct address_prefix *other,
                      unsigned bits)
{
    for (unsigned i = 0; i < sizeof one->bytes && i * 8 < bits; i++) {
        const unsigned left = bits - i * 8;
        const unsigned mask = left >= 8 ? 0xff : 0xff00U >> left & 0xff;
        if ((one->bytes[i] ^ other->bytes[i]) & mask)
            return false;
    }
    return true;
}

static void clear_behind(struct address_prefix *prefix, unsigned bits)
{
    for (unsigned i = 0; i < sizeof prefix->bytes; i++) {
        const unsigned left = bits > i * 8 ? bits - i * 8 : 0;
        if (left < 8)
            prefix->bytes[i] &= (uint8_t)(0xff00U >> left & 0xff);
    }
}

/* ---- reading */

static bool read_session(struct ban_target *target, const char *text)
{
    uint8_t bytes[8];
    if (!hex_decode(bytes, sizeof bytes, text, strlen(text)))
        return false;
    for (int i = 0; i < 8; i++)
        target->session = target->session << 8 | bytes[i];
    return target->session != 0;
}

/* The number behind the slash; `most` if there is no slash. False: it is no number from 0 to most.
 */
static bool read_bits(const char *slash, unsigned most, unsigned *bits)
{
    *bits = most;
    if (!slash)
        return true;
    const size_t digits = strspn(slash + 1, "0123456789");
    if (digits == 0 || digits > 3 || slash[1 + digits] != '\0')
        return false;
    *bits = (unsigned)strtoul(slash + 1, NULL, 10);
    return *bits <= most;
}

static bool read_network(struct ban_target *target, const char *text)
{
    char address[INET6_ADDRSTRLEN];
    uint8_t ip[16] = {[10] = 0xff, [11] = 0xff};
    const char *slash = strchr(text, '/');
    const size_t len = slash ? (size_t)(slash - text) : strlen(text);
    unsigned bits;
    if (len >= sizeof address)
        return false;
    memcpy(address, text, len);
    address[len] = '\0';
    const bool ipv4 = inet_pton(AF_INET, address, ip + 12) == 1;
    if (!ipv4 && inet_pton(AF_INET6, address, ip) != 1)
        return false;
    if (!read_bits(slash, ipv4 ? 32 : 128, &bits))
        return false;
    target->base = address_prefix_of(ip);
    if (ipv4)
        bits += IPV4_BITS;
    target->bits = (uint8_t)(bits < ALL_BITS ? bits : ALL_BITS);
    clear_behind(&target->base, target->bits);
    /* Networks of IPv6 that begin with zeros are not in use: here they would mean IPv4. */
    return ipv4 || !is_ipv4(&target->base);
}

bool ban_target_read(struct ban_target *target, const char *text)
{
    *target = (struct ban_target){.session = 0};
    return read_session(target, text) || read_network(target, text);
}

void ban_target_format(const struct ban_target *target, char text[BAN_TARGET_TEXT])
{
    char network[ADDRESS_PREFIX_TEXT];
    address_prefix_format(&target->base, network);
    if (target->session) {
        snprintf(text, BAN_TARGET_TEXT, "%016llx", (unsigned long long)target->session);
    } else if (!is_ipv4(&target->base)) {
        *strchr(network, '/') = '\0';
        snprintf(text, BAN_TARGET_TEXT, "%s/%u", network, target->bits);
    } else if (target->bits == ALL_BITS) {
        snprintf(text, BAN_TARGET_TEXT, "%u.%u.%u.%u", target->base.bytes[4], target->base.bytes[5],
                 target->base.bytes[6], target->base.bytes[7]);
    } else {
        snprintf(text, BAN_TARGET_TEXT, "%u.%u.%u.%u/%d", target->base.bytes[4],
                 target->base.bytes[5], target->base.bytes[6], target->base.bytes[7],
                 target->bits - IPV4_BITS);
    }
}

/* ---- comparing */

bool ban_target_same(const struct ban_target *one, const struct ban_target *other)
{
    return one->session == other->session && one->bits == other->bits &&
           memcmp(&one->base, &other->base, sizeof one->base) == 0;
}

bool ban_target_holds(const struct ban_target *target, const struct address_prefix *address)
{
    return target->session == 0 && same_bits(&target->base, address, target->bits);
}

bool ban_target_meets(const struct ban_target *one, const struct ban_target *other)
{
    const unsigned bits = one->bits < other->bits ? one->bits : other->bits;
    return one->session == 0 && other->session == 0 && same_bits(&one->base, &other->base, bits);
}

bool ban_target_is_dangerous(const struct ban_target *target)
{
    const struct ban_target loopback = {.base.bytes = {[4] = 127}, .bits = IPV4_BITS + 8};
    const unsigned widest = is_ipv4(&target->base) ? IPV4_BITS + IPV4_WIDEST : IPV6_WIDEST;
    return target->session == 0 && (target->bits < widest || ban_target_meets(target, &loopback));
}
