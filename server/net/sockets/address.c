#include "address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { ZONE_MAX = 32 };

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static void from_ipv4(struct address *address, const struct in_addr *in)
{
    memcpy(address->bytes, mapped, sizeof mapped);
    memcpy(address->bytes + sizeof mapped, in, 4);
}

bool address_of_socket(struct address *address, const struct sockaddr *from)
{
    if (from->sa_family == AF_INET) {
        from_ipv4(address, &((const struct sockaddr_in *)(const void *)from)->sin_addr);
        return true;
    }
    if (from->sa_family == AF_INET6) {
        memcpy(address->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
        return true;
    }
    *address = (struct address){{0}};
    return false;
}

/* ":" and a number that a port can be; or nothing. */
static bool is_port(const char *text, const char *end)
{
    enum { PORT_MAX = 65535 };
    unsigned port = 0;
    if (text == end)
        return true;
    if (*text != ':' || end - text < 2 || end - text > 6)
        return false;
    while (++text < end) {
        if (!isdigit((unsigned char)*text))
            return false;
        port = port * 10 + (unsigned)(*text - '0');
    }
    return port <= PORT_MAX;
}

/* The address within [] or before a port; a bare IPv6 address has more than one colon. */
static bool strip_port(const char **text, size_t *len)
{
    const char *const end = *text + *len;
    if (*len > 0 && **text == '[') {
        const char *bracket = memchr(*text, ']', *len);
        if (!bracket || !is_port(bracket + 1, end))
            return false;
        ++*text;
        *len = (size_t)(bracket - *text);
        return memchr(*text, ':', *len) != NULL;
    }
    const char *colon = memchr(*text, ':', *len);
    if (!colon || memchr(colon + 1, ':', (size_t)(end - colon - 1)))
        return true;
    *len = (size_t)(colon - *text);
    return is_port(colon, end);
}

/* "fe80::1%eth0": by which interface it came is of no interest here. */
static bool strip_zone(const char *text, size_t *len)
{
    const char *percent = memchr(text, '%', *len);
    if (!percent)
        return true;
    const size_t zone = (size_t)(text + *len - percent - 1);
    *len = (size_t)(percent - text);
    return zone > 0 && zone <= ZONE_MAX && memchr(text, ':', *len);
}

bool address_parse(struct address *address, const char *text, size_t len)
{
    char copy[ADDRESS_TEXT_MAX];
    struct in_addr in;
    if (!strip_port(&text, &len) || !strip_zone(text, &len) || len >= sizeof copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = 0;
    if (inet_pton(AF_INET, copy, &in) == 1) {
        from_ipv4(address, &in);
        return true;
    }
    return inet_pton(AF_INET6, copy, address->bytes) == 1;
}

bool address_is_ipv4(const struct address *address)
{
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

void address_format(const struct address *address, char text[ADDRESS_TEXT_MAX])
{
    if (address_is_ipv4(address))
        inet_ntop(AF_INET, address->bytes + sizeof mapped, text, ADDRESS_TEXT_MAX);
    else
        inet_ntop(AF_INET6, address->bytes, text, ADDRESS_TEXT_MAX);
}

bool address_is_loopback(const struct address *address)
{
    static const struct address ipv6 = {{[15] = 1}};
    if (address_is_ipv4(address))
        return address->bytes[12] == 127;
    return memcmp(address, &ipv6, sizeof ipv6) == 0;
}

bool network_parse(struct network *network, const char *text)
{
    const char *slash = strchr(text, '/');
    if (strchr(text, '%'))
        return false; /* no network is in one zone alone */
    if (!address_parse(&network->base, text, slash ? (size_t)(slash - text) : strlen(text)))
        return false;
    network->prefix = 128;
    if (!slash)
        return true;
    char *end;
    if (!isdigit((unsigned char)slash[1]))
        return false;
    long bits = strtol(slash + 1, &end, 10);
    long most = address_is_ipv4(&network->base) ? 32 : 128;
    if (*end || bits > most)
        return false;
    network->prefix = (int)(128 - most + bits);
    return true;
}

bool network_holds(const struct network *network, const struct address *address)
{
    size_t whole = (size_t)network->prefix / 8;
    int rest = network->prefix % 8;
    if (memcmp(network->base.bytes, address->bytes, whole) != 0)
        return false;
    if (rest == 0)
        return true;
    int mask = 0xff00 >> rest & 0xff;
    return ((network->base.bytes[whole] ^ address->bytes[whole]) & mask) == 0;
}

bool address_is_trusted(const struct address *address, const struct network *trusted, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (network_holds(&trusted[at], address))
            return true;
    }
    return false;
}

/* One element of the list, without the blanks and quotes around it. */
static bool parse_element(struct address *address, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (begin < end && isspace((unsigned char)end[-1]))
        end--;
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
        begin++;
        end--;
    }
    return address_parse(address, begin, (size_t)(end - begin));
}

bool address_behind_proxies(struct address *client, const char *forwarded_for,
                            const struct network *trusted, size_t trusted_count)
{
    const char *end = forwarded_for + strlen(forwarded_for);
    for (;;) {
        const char *begin = end;
        while (begin > forwarded_for && begin[-1] != ',')
            begin--;
        if (!parse_element(client, begin, end))
            return false;
        if (begin == forwarded_for || !address_is_trusted(client, trusted, trusted_count))
            return true;
        end = begin - 1;
    }
}
