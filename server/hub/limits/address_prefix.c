#include <hub/address_prefix.h>

#include <stdio.h>
#include <string.h>

struct address_prefix address_prefix_of(const uint8_t ip[static 16])
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    struct address_prefix prefix = {{0}};
    if (memcmp(ip, mapped, sizeof mapped) == 0)
        memcpy(prefix.bytes + 4, ip + 12, 4);
    else
        memcpy(prefix.bytes, ip, 8);
    return prefix;
}

struct address_prefix address_network_of(const uint8_t ip[static 16])
{
    enum { NETWORK_BYTES = 6 };
    static const uint8_t ipv4[4]; /* how the prefix of such an address begins */
    struct address_prefix prefix = address_prefix_of(ip);
    if (memcmp(prefix.bytes, ipv4, sizeof ipv4) != 0)
        memset(prefix.bytes + NETWORK_BYTES, 0, sizeof prefix.bytes - NETWORK_BYTES);
    return prefix;
}

struct address_prefix address_prefix_wider(const struct address_prefix *prefix, int width)
{
    static const uint8_t ipv4[4]; /* how the prefix of such an address begins */
    static const uint8_t cut[2][ADDRESS_WIDTHS] = {{0, 1, 2}, {0, 0, 1}};
    const size_t left =
        sizeof prefix->bytes - cut[memcmp(prefix->bytes, ipv4, sizeof ipv4) == 0][width];
    struct address_prefix wider = {{0}};
    memcpy(wider.bytes, prefix->bytes, left);
    return wider;
}

bool address_prefix_is_local(const struct address_prefix *prefix)
{
    enum { LOOPBACK = 127 };
    static const uint8_t zeros[8];
    return memcmp(prefix->bytes, zeros, sizeof zeros) == 0 ||
           (memcmp(prefix->bytes, zeros, 4) == 0 && prefix->bytes[4] == LOOPBACK);
}

void address_prefix_format(const struct address_prefix *prefix, char text[ADDRESS_PREFIX_TEXT])
{
    static const uint8_t zeros[8];
    const uint8_t *b = prefix->bytes;
    unsigned groups[4];
    for (int i = 0; i < 4; i++)
        groups[i] = (unsigned)b[2 * i] << 8 | b[2 * i + 1];
    if (memcmp(b, zeros, sizeof zeros) == 0)
        snprintf(text, ADDRESS_PREFIX_TEXT, "local");
    else if (memcmp(b, zeros, 4) == 0)
        snprintf(text, ADDRESS_PREFIX_TEXT, "%u.%u.%u.%u", b[4], b[5], b[6], b[7]);
    else
        snprintf(text, ADDRESS_PREFIX_TEXT, "%x:%x:%x:%x::/64", groups[0], groups[1], groups[2],
                 groups[3]);
}
