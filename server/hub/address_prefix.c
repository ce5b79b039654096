#include <hub/address_prefix.h>

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
