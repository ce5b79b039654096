/* Which addresses are of the public internet: the registries of RFC 6890, RFC 4291 and RFC 6052. */
#include <netinet/in.h>
#include <push/service.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct range {
    uint32_t base;
    int bits;
};

static const struct range not_public[] = {
    {0x00000000, 8},  /* this network */
    {0x0a000000, 8},  /* private */
    {0x64400000, 10}, /* shared, behind a provider's address translation */
    {0x7f000000, 8},  /* this machine */
    {0xa9fe0000, 16}, /* link-local; the metadata of cloud machines */
    {0xac100000, 12}, /* private */
    {0xc0000000, 24}, /* protocol assignments */
    {0xc0000200, 24}, /* documentation */
    {0xc0586300, 24}, /* relays of 6to4 */
    {0xc0a80000, 16}, /* private */
    {0xc6120000, 15}, /* benchmarks */
    {0xc6336400, 24}, /* documentation */
    {0xcb007100, 24}, /* documentation */
    {0xe0000000, 3},  /* groups, reserved, broadcast */
};

static bool v4_is_public(uint32_t address)
{
    for (size_t i = 0; i < sizeof not_public / sizeof not_public[0]; i++) {
        if ((address ^ not_public[i].base) >> (32 - not_public[i].bits) == 0)
            return false;
    }
    return true;
}

static uint32_t big_endian(const uint8_t bytes[static 4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool v6_is_public(const uint8_t bytes[static 16])
{
    static const uint8_t MAPPED[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t NAT64[12] = {0x00, 0x64, 0xff, 0x9b};
    const uint32_t first = big_endian(bytes);
    if (memcmp(bytes, MAPPED, sizeof MAPPED) == 0 || memcmp(bytes, NAT64, sizeof NAT64) == 0)
        return v4_is_public(big_endian(bytes + 12));
    return first >> 29 == 1                    /* 2000::/3, global unicast, but for: */
           && first >> 9 != 0x20010000 >> 9    /* 2001::/23, assignments, Teredo among them */
           && first != 0x20010db8              /* documentation */
           && first >> 16 != 0x2002            /* 6to4, which leads to an address of IPv4 */
           && first >> 12 != 0x3fff0000 >> 12; /* documentation */
}

bool push_address_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        return v4_is_public(ntohl(v4.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        return v6_is_public(v6.sin6_addr.s6_addr);
    }
    return false;
}
